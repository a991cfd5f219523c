// The filters of true peaks as WebAssembly. The bytes are peak-kernel.wat, assembled by `wat2wasm` of the package wabt.

const BYTES = Uint8Array.from(
  atob(
    'AGFzbQEAAAABCAFgBH9/f38AAggBAW0BbQIAAQMCAQAHBwEDcnVuAAAKiwIBiAICA38GewNAIAEhBCABQdwAaiEFIAAhBv0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAA' +
      'AAAAAAAAAAAAIQv9DAAAAAAAAAAAAAAAAAAAAAAhDANAIAT9AAQAIQcgBf0ABAAhCCAHIAj95AEhCSAKIAkgBv0JAgD95gH95AEhCiALIAkgBv0JAgT95gH95AEhCyAMIAcg' +
      'CP3lASAG/QkCCP3mAf3kASEMIAZBDGohBiAEQQRqIgQgBUEEayIFSQ0ACyACIAH9AAQs/eABIAr94AH96wEgCyAM/eQB/eABIAsgDP3lAf3gAf3rAf3rAf0LBAAgAUEQaiEB' +
      'IAJBEGoiAiADSQ0ACws=',
  ),
  (char) => char.charCodeAt(0),
)

/** Writes the peaks to the places from `out` to `end`, and up to three more. Places are in bytes of the memory. */
export type PeakKernel = (table: number, input: number, out: number, end: number) => void

export function peakKernel(memory: WebAssembly.Memory): PeakKernel {
  return new WebAssembly.Instance(new WebAssembly.Module(BYTES), { m: { m: memory } }).exports['run'] as PeakKernel
}
