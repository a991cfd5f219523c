// One call of espeak-ng: text over its standard input, 16-bit samples from its standard output while it is still speaking.

import { programOutput, programText } from '#agent/engine/runtimes/program/program.ts'
import type { EngineVoice } from '#agent/engine/seam/engine.ts'
import { createS16Reader } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseVoices } from './voices.ts'

export const ESPEAK_PROGRAM = 'espeak-ng'
const FROM = { program: ESPEAK_PROGRAM, package: ESPEAK_PROGRAM }
export const ESPEAK_SAMPLE_RATE = 22_050
const HEADER_BYTES = 44
const LISTING_BYTES = 1_000_000
/** Words a minute at speed 1, which is its own default, and the slowest that it can do. */
const WORDS = 175
const SLOWEST_WORDS = 80
export const ESPEAK_MIN_SPEED = SLOWEST_WORDS / WORDS

export const listEspeakVoices = async (signal: AbortSignal): Promise<EngineVoice[]> =>
  parseVoices(await programText({ ...FROM, args: ['--voices'], input: '', signal }, LISTING_BYTES))

/** What it would take for codes of its own is taken apart: two square brackets begin phonemes, and control characters mean nothing to a voice. */
export const plainText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\[(?=\[)/g, '[ ')
    .replace(/[^\P{C}\n]/gu, ' ')

export async function* speakWithEspeak(voice: EngineVoice, text: string, speed: number, signal: AbortSignal): AsyncGenerator<Float32Array> {
  const words = Math.max(SLOWEST_WORDS, Math.round(WORDS * speed))
  const args = ['--stdin', '--stdout', '-z', '-b', '1', '-v', voice.id, '-s', String(words)]
  const reader = createS16Reader()
  let header = Buffer.alloc(0)
  for await (const piece of programOutput({ ...FROM, args, input: plainText(text), signal })) {
    let body = piece
    if (header.length < HEADER_BYTES) {
      const missing = HEADER_BYTES - header.length
      header = Buffer.concat([header, piece.subarray(0, missing)])
      body = piece.subarray(missing)
      if (header.length < HEADER_BYTES) continue
      if (header.toString('latin1', 0, 4) !== 'RIFF' || header.readUInt32LE(24) !== ESPEAK_SAMPLE_RATE || header.readUInt16LE(22) !== 1)
        throw new Failure('WORKER_FAILED', `${ESPEAK_PROGRAM} wrote something else than mono sound at ${ESPEAK_SAMPLE_RATE} Hz`)
    }
    const samples = reader.push(body)
    if (samples.length > 0) yield samples
  }
}
