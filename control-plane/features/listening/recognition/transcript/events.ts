// A transcript as server-sent events, in the form of the public API: deltas of the text, then the whole text.
import { Failure } from '#shared/protocol/failure.ts'
import { blankBetween } from '#shared/text/join-pieces.ts'
import type { TranscriptEvent } from '../recognition.service.ts'

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`

/**
 * The deltas add up to the text of the last event, which has `notices` if something was found after the headers were sent. A failure is the
 * last event. `errorOf`: the error object of a failure.
 */
export async function* serverSent(events: AsyncIterable<TranscriptEvent>, errorOf: (failure: Failure) => object): AsyncGenerator<string> {
  // A comment. It sends the headers before the first words are recognised.
  yield ': transcribing\n\n'
  let text = ''
  try {
    for await (const one of events) {
      if (one.kind === 'text') {
        const delta = (one.isContinuation ? '' : blankBetween(text, one.text)) + one.text
        text += delta
        yield event({ type: 'transcript.text.delta', delta })
      } else yield event({ type: 'transcript.text.done', text, ...(one.notices.length > 0 && { notices: one.notices }) })
    }
  } catch (error) {
    yield event({ error: errorOf(Failure.from(error)) })
  }
}
