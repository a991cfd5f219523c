// The bytes of a subtitle file as text. Pure; linear.
import { type DecodedText, type DecodeOptions, decodeBytes } from '#shared/text/encoding/decode.ts'
import { isAssLine } from './formats/ass.ts'

/** Fields before the text of an event of ASS. */
const ASS_FIELDS = 9

const spoken = (text: string): string =>
  text
    .split('\n')
    .map((line) => (isAssLine(line) ? line.split(',').slice(ASS_FIELDS).join(',') : line))
    .join('\n')

/** Same as `decodeBytes`, without the words of the format. */
export const decodeSubtitles = (bytes: Uint8Array, options: Omit<DecodeOptions, 'proseOf'> = {}): DecodedText =>
  decodeBytes(bytes, { ...options, proseOf: spoken })
