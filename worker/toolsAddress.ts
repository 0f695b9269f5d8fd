// Where a worker finds its tools. In: nothing. Out: an address, for OpenMessage. Sources need none; the package's build
// writes `new URL('./physics.tools.js', import.meta.url)`: bundlers then ship that file as it is.

export const toolsAddress = (): string => '';
