// The inner loop of the polyphase filter of kernel.wat.
import { kernelOf } from '../kernel.ts'

export const POLYPHASE_BYTES =
  'AGFzbQEAAAABDQFgCX9/f39/f39/fwACCAEBbQFtAgABAwIBAAcHAQNydW4AAArgAQHdAQIDfwJ7A0AgAiEJIAAgBSABbGohCiAKIAFqIQv9DAAAAAAAAAAAAAAAAAAAAAAhDP0M' +
  'AAAAAAAAAAAAAAAAAAAAACENA0AgDCAJ/QAEACAK/QAEAP3mAf3kASEMIA0gCf0ABBAgCv0ABBD95gH95AEhDSAJQSBqIQkgCkEgaiIKIAtJDQALIAwgDf3kASEMIAMgDP0fACAM' +
  '/R8BkiAM/R8CIAz9HwOSkjgCACACIAhqIQIgBSAHaiEFIAUgBk8EQCAFIAZrIQUgAkEEaiECCyADQQRqIgMgBEkNAAsL'

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
export const polyphaseKernel = kernelOf<PolyphaseKernel>(POLYPHASE_BYTES)
