// How a worker loads the core on several threads. In: its address, from the page. Out: what makes such cores. When running
// from sources it is found beside the source; in the package's build this is `import(address)`, see toolbox.ts.
export type Threads = typeof import('./threadsFile');

export function loadThreads(_address: string): Promise<Threads> {
  return import('./threadsFile');
}
