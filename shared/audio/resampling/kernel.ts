// The inner loop of the polyphase filter as WebAssembly, because four multiplications at once are six times faster than JavaScript. The
// bytes are kernel.wat, assembled by `wat2wasm` of the package wabt.

const BYTES = Uint8Array.from(
  atob(
    'AGFzbQEAAAABDQFgCX9/f39/f39/fwACCAEBbQFtAgABAwIBAAcHAQNydW4AAArgAQHdAQIDfwJ7A0AgAiEJIAAgBSABbGohCiAKIAFqIQv9DAAAAAAAAAAA' +
      'AAAAAAAAAAAhDP0MAAAAAAAAAAAAAAAAAAAAACENA0AgDCAJ/QAEACAK/QAEAP3mAf3kASEMIA0gCf0ABBAgCv0ABBD95gH95AEhDSAJQSBqIQkgCkEgaiIK' +
      'IAtJDQALIAwgDf3kASEMIAMgDP0fACAM/R8BkiAM/R8CIAz9HwOSkjgCACACIAhqIQIgBSAHaiEFIAUgBk8EQCAFIAZrIQUgAkEEaiECCyADQQRqIgMgBEkN' +
      'AAsL',
  ),
  (char) => char.charCodeAt(0),
)

/**
 * Writes one sample to each place from `out` to `end`. Places and `bytes`, the size of the filter of one phase, are in bytes of the memory; the
 * filters of all phases are at `table`. After each sample the input advances by `skip` bytes and `step` phases.
 */
export type PolyphaseKernel = (
  table: number,
  bytes: number,
  input: number,
  out: number,
  end: number,
  phase: number,
  phases: number,
  step: number,
  skip: number,
) => void

let compiled: WebAssembly.Module | null = null

export function polyphaseKernel(memory: WebAssembly.Memory): PolyphaseKernel {
  compiled ??= new WebAssembly.Module(BYTES)
  return new WebAssembly.Instance(compiled, { m: { m: memory } }).exports['run'] as PolyphaseKernel
}
