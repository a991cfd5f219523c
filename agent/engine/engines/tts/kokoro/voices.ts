// Kokoro's voices: a table of 510 rows of 256 values each, one row per length of the text. The first letters of a voice's id say which language
// it speaks and whether it is a woman's.

import { readFile } from 'node:fs/promises'
import { STYLE_WIDTH } from '#agent/engine/speech/styled-graph.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const ROWS = 510
/** The longest text: 510 symbols between two zeros. */
export const MAX_IDS = ROWS

/** First letter -> ISO 639-1 and the voice of espeak-ng that pronounces it. Japanese and Chinese need front ends that are not here. */
const TONGUES: Readonly<Record<string, readonly [string, string]>> = {
  a: ['en', 'en-us'],
  b: ['en', 'en-gb'],
  e: ['es', 'es'],
  f: ['fr', 'fr-fr'],
  h: ['hi', 'hi'],
  i: ['it', 'it'],
  p: ['pt', 'pt-br'],
}

export type VoiceLanguage = { readonly language: string; readonly espeak: string }
/** null for a voice whose language cannot be pronounced here. */
export function voiceLanguage(voice: string): VoiceLanguage | null {
  const found = /^[a-z][fm]_/.test(voice) ? TONGUES[voice[0]!] : undefined
  return found ? { language: found[0], espeak: found[1] } : null
}

export const voiceName = (voice: string): string => {
  const name = voice.slice(3)
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** The row for a text of `symbols` symbols, its two zeros not counted. */
export const styleRow = (symbols: number): number => Math.min(Math.max(symbols, 0), ROWS - 1)

export async function readVoice(voice: string, path: string): Promise<Float32Array> {
  const bytes = await readFile(path).catch((cause) => {
    throw new Failure('MODEL_NOT_DOWNLOADED', `the voice ${voice} of kokoro cannot be read; download the model again`, { cause })
  })
  const expected = ROWS * STYLE_WIDTH * 4
  if (bytes.length !== expected) {
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `the voice ${voice} of kokoro has ${bytes.length} bytes, not ${expected}; download the model again`,
    )
  }
  const table = new Float32Array(ROWS * STYLE_WIDTH)
  for (let at = 0; at < table.length; at++) table[at] = bytes.readFloatLE(at * 4)
  return table
}
