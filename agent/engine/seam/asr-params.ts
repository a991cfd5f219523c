// What a recognition or alignment task may ask for, and its limits. The recording comes as the input `audio`: mono WAV at 16 kHz.

import { z } from 'zod'
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** Hz of every recording an engine is given. */
export const RECORDING_RATE = 16_000

export const AsrParams = z.strictObject({
  /** What the caller believes is spoken; null: the engine finds out, or knows only one. */
  language: z.string().max(64).nullable().default(null),
  /** Words that are likely, for engines that listen to them. */
  prompt: z.string().max(10_000).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** With the times of words, where the engine has them. */
  words: z.boolean().default(false),
})
export const AlignParams = z.strictObject({
  /** What is said in the recording, word for word. */
  text: z.string().min(1).max(100_000),
  language: z.string().max(64).nullable().default(null),
})

/** Seconds from the beginning of the recording. */
export type Word = { readonly start: number; readonly end: number; readonly word: string }
export type AsrSegment = { readonly start: number; readonly end: number; readonly text: string; readonly words?: readonly Word[] }
export type AsrResult = {
  readonly text: string
  readonly language: string
  readonly segments: readonly AsrSegment[]
  /** Seconds of the recording. */
  readonly duration: number
  /** What was asked for and not done, in sentences. */
  readonly notices?: readonly string[]
}

/** Of an engine that takes no words to expect. */
export const withoutPrompt = (engine: string, prompt: string | null): string[] =>
  prompt === null || prompt.trim() === '' ? [] : [`${engine} does not listen to the prompt.`]

/** The samples of the input `audio`. Throws INVALID_TASK_PARAMS. */
export function recordingOf(inputs: ReadonlyMap<string, Uint8Array> | undefined): Float32Array {
  const bytes = inputs?.get('audio')
  if (!bytes) throw new Failure('INVALID_TASK_PARAMS', 'audio: the task came without its recording')
  try {
    const { sampleRate, samples } = parseWav(bytes)
    if (sampleRate === RECORDING_RATE) return samples
    throw new RangeError(`it has ${sampleRate} Hz instead of ${RECORDING_RATE}`)
  } catch (cause) {
    throw new Failure('INVALID_TASK_PARAMS', `audio: ${(cause as Error).message}`, { cause })
  }
}
