// The length of a FLAC file in its header. Pure.
/** The marker and the first block. */
export const FLAC_HEADER_BYTES = 42
const MARKER = 'fLaC'
/** The block STREAMINFO, which is always the first, has 34 bytes after its own header of four. */
const STREAM_INFO = [0, 0, 34]
/** The byte with the upper four of 36 bits of the number of samples. */
const SAMPLES_AT = 21
const MAX_SAMPLES = 2 ** 36

/** The beginning of a file with the number of its samples; unchanged unless it is the header of a FLAC file that has none. */
export function withFlacLength(beginning: Uint8Array, samples: number): Uint8Array {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength)
  const isHeader =
    beginning.length >= FLAC_HEADER_BYTES &&
    Buffer.from(beginning.subarray(0, MARKER.length)).toString('latin1') === MARKER &&
    (beginning[4]! & 0x7f) === 0 &&
    STREAM_INFO.every((byte, at) => beginning[5 + at] === byte)
  if (!isHeader || samples >= MAX_SAMPLES || (beginning[SAMPLES_AT]! & 0x0f) !== 0 || view.getUint32(SAMPLES_AT + 1) !== 0) return beginning
  const changed = Uint8Array.from(beginning)
  changed[SAMPLES_AT]! |= Math.floor(samples / 2 ** 32)
  new DataView(changed.buffer).setUint32(SAMPLES_AT + 1, samples % 2 ** 32)
  return changed
}
