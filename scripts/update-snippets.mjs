// Copies docs/snippets/* into the documents that show them, below their markers:
// `<!-- snippet: docs/snippets/hello.ts -->`. test/snippets.test.ts checks that nobody forgot.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
];

for (const document of documents.filter((name) => name.endsWith('.md'))) {
  const path = join(root, document);
  const text = readFileSync(path, 'utf8');
  const updated = text.replace(
    /(<!-- snippet: (\S+) -->\n```tsx?\n)[\s\S]*?```/g,
    (_, head, snippet) => `${head}${readFileSync(join(root, snippet), 'utf8').trim()}\n\`\`\``,
  );
  if (updated === text) continue;
  writeFileSync(path, updated);
  console.log(`updated ${document}`);
}
