// Runs one program of the playground. In: a message with its JavaScript. Out: messages with what it prints and throws.

/** A value as a person reads it. */
function show(value, depth = 0) {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return `[${Array.from(value.slice(0, 24), (number) => +Number(number).toPrecision(6)).join(', ')}${value.length > 24 ? ', …' : ''}]`;
  if (Array.isArray(value))
    return `[${value
      .slice(0, 50)
      .map((item) => show(item, depth + 1))
      .join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const name = value.constructor?.name;
    if (depth > 2) return name ?? '{…}';
    const fields = Object.entries(value).slice(0, 20);
    const text = fields.map(([key, field]) => `${key}: ${show(field, depth + 1)}`).join(', ');
    return `${name && name !== 'Object' ? `${name} ` : ''}{ ${text} }`;
  }
  return String(value);
}

const say = (kind, values) =>
  parent.postMessage(
    { playground: kind, text: values.map((value) => show(value)).join(' ') },
    location.origin,
  );

for (const kind of ['log', 'info', 'warn', 'error', 'debug']) {
  const own = console[kind].bind(console);
  console[kind] = (...values) => {
    if (kind !== 'error') own(...values);
    say(kind, values);
  };
}
addEventListener('error', (event) => say('error', [event.error ?? event.message]));
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  say('error', [event.reason]);
});

addEventListener('message', async ({ data, origin }) => {
  if (origin !== location.origin || typeof data?.program !== 'string') return;
  const url = URL.createObjectURL(new Blob([data.program], { type: 'text/javascript' }));
  try {
    await import(url);
    say('ended', []);
  } catch (error) {
    say('error', [error]);
  }
});
say('ready', []);
