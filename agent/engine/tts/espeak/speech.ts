// Calls espeak-ng: text on standard input, a stream of 16-bit samples from standard output.

import { programOutput, programText } from '#agent/engine/runtimes/program/program.ts'
import type { EngineVoice } from '#agent/engine/seam/engine.ts'
import { createEspeakPhones } from '#agent/engine/speech/espeak-phones.ts'
import { createS16Reader } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { parseVoices } from './voices.ts'

export const ESPEAK_PROGRAM = 'espeak-ng'
const PROGRAM = { program: ESPEAK_PROGRAM, package: ESPEAK_PROGRAM }
export const ESPEAK_SAMPLE_RATE = 22_050
const HEADER_BYTES = 44
const PROBE_MS = 20_000
const LISTING_BYTES = 1_000_000
/** Words per minute at speed 1, the default of the program, and its minimum. */
const DEFAULT_WORDS_PER_MINUTE = 175
const MIN_WORDS_PER_MINUTE = 80
/** Below the default of 100, at which some voices reach full scale. */
const AMPLITUDE = '80'
export const ESPEAK_MIN_SPEED = MIN_WORDS_PER_MINUTE / DEFAULT_WORDS_PER_MINUTE

export const listEspeakVoices = async (signal: AbortSignal): Promise<EngineVoice[]> =>
  parseVoices(await programText({ ...PROGRAM, args: ['--voices'], input: '', signal }, LISTING_BYTES))

/** Breaks up "[[", which starts phoneme input, and removes control characters. */
export const plainText = (text: string): string =>
  composed(text)
    .replace(/\[(?=\[)/g, '[ ')
    .replace(/[^\P{C}\n]/gu, ' ')

/** Annotated words become phoneme input, and all else becomes plain text. */
export const createSpelling = () =>
  createEspeakPhones((input, voice, signal) =>
    programText(
      { ...PROGRAM, args: ['-q', '--ipa', '-b', '1', '-v', voice], input, signal: signal ?? AbortSignal.timeout(PROBE_MS) },
      LISTING_BYTES,
    ),
  )

/** `text`: as `createSpelling` or `plainText` made it. */
export async function* speakWithEspeak(voice: EngineVoice, text: string, speed: number, signal: AbortSignal): AsyncGenerator<Float32Array> {
  const words = Math.max(MIN_WORDS_PER_MINUTE, Math.round(DEFAULT_WORDS_PER_MINUTE * speed))
  const args = ['--stdin', '--stdout', '-z', '-b', '1', '-a', AMPLITUDE, '-v', voice.id, '-s', String(words)]
  const reader = createS16Reader()
  let header = Buffer.alloc(0)
  for await (const piece of programOutput({ ...PROGRAM, args, input: text, signal })) {
    let body = piece
    if (header.length < HEADER_BYTES) {
      const missing = HEADER_BYTES - header.length
      header = Buffer.concat([header, piece.subarray(0, missing)])
      body = piece.subarray(missing)
      if (header.length < HEADER_BYTES) continue
      if (header.toString('latin1', 0, 4) !== 'RIFF' || header.readUInt32LE(24) !== ESPEAK_SAMPLE_RATE || header.readUInt16LE(22) !== 1)
        throw new Failure('WORKER_FAILED', `${ESPEAK_PROGRAM} did not write mono audio at ${ESPEAK_SAMPLE_RATE} Hz.`)
    }
    const samples = reader.push(body)
    if (samples.length > 0) yield samples
  }
}
