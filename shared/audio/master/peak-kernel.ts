// The filters of true peaks of peak-kernel.wat.
import { kernelOf } from '../kernel.ts'

export const PEAK_BYTES =
  'AGFzbQEAAAABCAFgBH9/f38AAggBAW0BbQIAAQMCAQAHBwEDcnVuAAAKiwIBiAICA38GewNAIAEhBCABQdwAaiEFIAAhBv0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAA' +
  'AAAAAAAAIQv9DAAAAAAAAAAAAAAAAAAAAAAhDANAIAT9AAQAIQcgBf0ABAAhCCAHIAj95AEhCSAKIAkgBv0JAgD95gH95AEhCiALIAkgBv0JAgT95gH95AEhCyAMIAcgCP3lASAG' +
  '/QkCCP3mAf3kASEMIAZBDGohBiAEQQRqIgQgBUEEayIFSQ0ACyACIAH9AAQs/eABIAr94AH96wEgCyAM/eQB/eABIAsgDP3lAf3gAf3rAf3rAf0LBAAgAUEQaiEBIAJBEGoiAiAD' +
  'SQ0ACws='

/** Writes the peaks to the places from `out` to `end`, and up to three more. Places are in bytes of the memory. */
export type PeakKernel = (table: number, input: number, out: number, end: number) => void
export const peakKernel = kernelOf<PeakKernel>(PEAK_BYTES)
