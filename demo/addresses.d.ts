/** Of a module that Vite builds for a worker: its address. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
