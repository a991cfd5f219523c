// Types for the used part of WebAssembly. Otherwise they come only with the DOM library, which would allow DOM names everywhere.

declare namespace WebAssembly {
  class Module {
    private constructor()
  }
  class Instance {
    readonly exports: Record<string, unknown>
    constructor(module: Module, imports: Record<string, Record<string, (...args: never[]) => unknown>>)
  }
  type Memory = { readonly buffer: ArrayBuffer }
  function compile(bytes: Uint8Array): Promise<Module>
}
