// Inner loops in WebAssembly, because four numbers at once are several times faster than JavaScript. A kernel is a .wat file beside the module that
// has its bytes; a test assembles the file and compares them.

/** Makes the exported function `run` of a module that works in a memory of its caller. The bytes are compiled at the first use in each thread. */
export function kernelOf<Run>(base64: string): (memory: WebAssembly.Memory) => Run {
  let compiled: WebAssembly.Module | null = null
  return (memory) => {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
    return new WebAssembly.Instance(compiled, { m: { m: memory } }).exports['run'] as Run
  }
}
