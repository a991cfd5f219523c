// The voices of Kokoro: tables of 510 rows of 256 values, one row per text length. The first two letters of a voice id are its language and
// gender.

import { readFile } from 'node:fs/promises'
import type { Variety } from '#agent/engine/speech/english/assets.ts'
import { STYLE_WIDTH } from '#agent/engine/speech/styled-graph.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Blend } from '#shared/voices/blend.ts'

export const ROWS = 510
/** Most ids of a text, without the zeros at both ends. */
export const MAX_IDS = ROWS

/**
 * First letter -> ISO 639-1 code, and the voice of espeak-ng for pronunciation, in whose language numbers are spelled out; English has a variety and no
 * need of the program. Japanese and Chinese need other front ends.
 */
const VOICE_LANGUAGES: Readonly<Record<string, readonly [language: string, voice: string, variety?: Variety]>> = {
  a: ['en', '', 'en-us'],
  b: ['en', '', 'en-gb'],
  e: ['es', 'es'],
  f: ['fr', 'fr-fr'],
  h: ['hi', 'hi'],
  i: ['it', 'it'],
  p: ['pt', 'pt-br'],
}

export type VoiceLanguage = {
  readonly language: string
  /** The voice of espeak-ng; '' for English. */
  readonly espeak: string
  /** Variety of English; null for other languages. */
  readonly variety: Variety | null
  /** The language in which numbers are spelled out. */
  readonly spells: string
}
/** Null for a voice whose language has no front end. */
export function voiceLanguage(voice: string): VoiceLanguage | null {
  const found = /^[a-z][fm]_/.test(voice) ? VOICE_LANGUAGES[voice[0]!] : undefined
  if (!found) return null
  const [language, espeak, variety = null] = found
  return { language, espeak, variety, spells: variety ?? espeak }
}

export const voiceName = (voice: string): string => {
  const name = voice.slice(3)
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** The style row for a text of `symbols` ids, without the zeros at both ends. */
export const styleRow = (symbols: number): number => Math.min(Math.max(symbols, 0), ROWS - 1)

export async function readVoice(voice: string, path: string): Promise<Float32Array> {
  const bytes = await readFile(path).catch((cause) => {
    throw new Failure('MODEL_NOT_DOWNLOADED', `The voice ${voice} of kokoro cannot be read. Download the model again.`, { cause })
  })
  const expected = ROWS * STYLE_WIDTH * 4
  if (bytes.length !== expected) {
    throw new Failure(
      'MODEL_NOT_DOWNLOADED',
      `The voice ${voice} of kokoro has ${bytes.length} bytes, not ${expected}. Download the model again.`,
    )
  }
  const table = new Float32Array(ROWS * STYLE_WIDTH)
  for (let at = 0; at < table.length; at++) table[at] = bytes.readFloatLE(at * 4)
  return table
}

/** The weighted mean of the tables of these voices; for one voice its own table. */
export async function blended(parts: Blend, tableOf: (voice: string) => Promise<Float32Array>): Promise<Float32Array> {
  const [only, ...others] = parts
  if (only && others.length === 0) return await tableOf(only.voice)
  const mean = new Float32Array(ROWS * STYLE_WIDTH)
  for (const { voice, share } of parts) {
    const table = await tableOf(voice)
    for (let at = 0; at < mean.length; at++) mean[at]! += table[at]! * share
  }
  return mean
}
