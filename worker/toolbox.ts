// How a host loads its tools. In: their URL, from the page. Out: the module. When running from sources it is found
// beside the source. In the package's build this is `import(address)`, which no bundler follows: a worker that is
// bundled into a classic script (Vite's default) cannot have further chunks.

export type Tools = typeof import('./tools');

export function loadTools(_address: string): Promise<Tools> {
  return import('./tools');
}
