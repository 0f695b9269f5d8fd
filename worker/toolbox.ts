// How a host loads its tools and the file for step systems. In: their URLs, from the page. Out: the modules. When
// running from sources they are found beside the source. In the package's build this is `import(address)`, which no
// bundler follows: a worker that is bundled into a classic script (Vite's default) cannot have further chunks.

export type Tools = typeof import('./tools');
export type SystemTools = typeof import('./hostSystems');

export function loadTools(_address: string): Promise<Tools> {
  return import('./tools');
}

export function loadSystems(_address: string): Promise<SystemTools> {
  return import('./hostSystems');
}
