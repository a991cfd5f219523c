// Types for the used parts of WebAssembly. Otherwise they come only with the DOM library, which would allow DOM names everywhere.

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    readonly exports: Record<string, unknown>
    constructor(module: Module, imports: Record<string, Record<string, Memory | ((...args: never[]) => unknown)>>)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    /** In pages of 64 KiB. */
    constructor(size: { readonly initial: number })
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
