// Speech as server-sent events, in the form of the public API: deltas of the encoded audio in base64.
import { Failure } from '#shared/protocol/failure.ts'
import type { SpokenMark } from '../text/mark-times.ts'

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`
/** Its clients read this field; no engine counts tokens. */
const NO_USAGE = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }

/**
 * A failure after the first bytes is the last event. `marks`: those that the audio has passed since the last call. `errorOf`: the error object
 * of a failure.
 */
export async function* speechEvents(
  audio: AsyncIterable<Uint8Array>,
  marks: () => readonly SpokenMark[],
  errorOf: (failure: Failure) => object,
): AsyncGenerator<string> {
  const passed = () => marks().map(({ name, seconds }) => event({ type: 'speech.audio.mark', name, time: seconds }))
  try {
    for await (const { buffer, byteOffset, length } of audio) {
      yield* passed()
      yield event({ type: 'speech.audio.delta', audio: Buffer.from(buffer, byteOffset, length).toString('base64') })
    }
    yield* passed()
    yield event({ type: 'speech.audio.done', usage: NO_USAGE })
  } catch (error) {
    yield event({ error: errorOf(Failure.from(error)) })
  }
}
