// The part of WebAssembly that is used here. Its types otherwise come only with the browser's, which would let DOM names slip in
// everywhere.

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
