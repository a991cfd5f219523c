// Speaks texts of a client: the events of one sound, from its start to its end.

import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import { SpeechBody } from '#control-plane/features/speech/speech/speech.schema.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Manner } from './events.schema.ts'
import { bytesOfEvent } from './frames.ts'

export type SpeakingDeps = { readonly speech: Pick<SpeechApi, 'speak'>; readonly clock: Clock }
/** Waits until the client takes more. */
export type SendBytes = (bytes: Buffer) => Promise<void>

/** Hz of `pcm` in POST /v1/audio/speech. */
const RATE = 24_000
const FORMAT = { rate: RATE, width: 2, channels: 1 }
/** Bytes of sound in one event, a third of a second. */
const CHUNK_BYTES = 16 * 1024

/** The name of a voice with one of its speakers, as voices of Piper have them. */
const voiceOf = ({ voice: { name, speaker } }: Manner): string => (name && speaker ? `${name}:${speaker}` : (name ?? 'default'))

/** One sound of any number of texts. */
export function createSound({ speech }: Pick<SpeakingDeps, 'speech'>, manner: Manner, send: SendBytes, signal: AbortSignal) {
  let sent = -1
  const milliseconds = () => Math.round((Math.max(0, sent) / 2 / RATE) * 1000)

  async function begin(): Promise<void> {
    if (sent >= 0) return
    sent = 0
    await send(bytesOfEvent('audio-start', { ...FORMAT, timestamp: 0 }))
  }

  return {
    /** Throws what POST /v1/audio/speech answers. */
    async speak(text: string): Promise<void> {
      const fields = {
        input: text,
        model: 'tts-1',
        voice: voiceOf(manner),
        language: manner.voice.language,
        text_format: manner.text_format,
        response_format: 'pcm',
      }
      const call = { idempotencyKey: null, sendsMarks: false, signal, traceparent: '' }
      const { body } = await speech.speak(parseInput(SpeechBody, fields, 'body'), call)
      await begin()
      let odd: Uint8Array = new Uint8Array(0)
      for await (const bytes of body) {
        const all = odd.length > 0 ? Buffer.concat([odd, bytes]) : bytes
        const even = all.length - (all.length % 2)
        odd = all.subarray(even)
        for (let at = 0; at < even; at += CHUNK_BYTES) {
          const chunk = all.subarray(at, Math.min(even, at + CHUNK_BYTES))
          await send(bytesOfEvent('audio-chunk', { ...FORMAT, timestamp: milliseconds() }, chunk))
          sent += chunk.length
        }
      }
    },
    /** Also of a text that makes no sound. */
    async end(): Promise<void> {
      await begin()
      await send(bytesOfEvent('audio-stop', { timestamp: milliseconds() }))
    },
  }
}
