// A clip that anyone may hear before the first own take. It is made and not shipped, so that the voice is the one of this studio.
import { SpeechBody } from '../speech.schema.ts'
import type { Speech, SpeechCall } from '../speech.service.ts'

type Deps = {
  readonly speak: (body: SpeechBody, call: SpeechCall) => Promise<Pick<Speech, 'body'>>
}
const PHRASE = 'Hello. This is a voice of your studio. Write a text, and I will read it to you.'

export function createDemo({ speak }: Deps) {
  let spoken: Buffer | null = null
  return {
    /** A WAV file. Throws what a request for speech throws. */
    async clip(signal: AbortSignal, traceparent: string): Promise<Buffer> {
      if (spoken) return spoken
      const { body } = await speak(SpeechBody.parse({ input: PHRASE, response_format: 'wav' }), {
        idempotencyKey: null,
        sendsMarks: false,
        signal,
        traceparent,
      })
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      spoken = Buffer.concat(pieces)
      return spoken
    },
  }
}
