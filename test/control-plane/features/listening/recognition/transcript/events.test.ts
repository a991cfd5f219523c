import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TranscriptEvent } from '#control-plane/features/listening/recognition/recognition.service.ts'
import { serverSent } from '#control-plane/features/listening/recognition/transcript/events.ts'

async function deltasOf(texts: readonly string[]): Promise<{ deltas: string[]; text: string }> {
  async function* events(): AsyncGenerator<TranscriptEvent> {
    for (const text of texts) yield { kind: 'text', text, isContinuation: false }
    yield { kind: 'done', notices: [] }
  }
  const sent: { type: string; delta?: string; text?: string }[] = []
  for await (const line of serverSent(events(), () => ({}))) if (line.startsWith('data:')) sent.push(JSON.parse(line.slice(5)))
  return { deltas: sent.flatMap(({ delta }) => delta ?? []), text: sent.at(-1)!.text! }
}

test('the deltas add up to the text, without blanks in Chinese and Japanese', async () => {
  for (const [texts, whole] of [
    [['one', 'two'], 'one two'],
    [['你好', '再见'], '你好再见'],
    [['はい。', 'OK', 'then'], 'はい。OK then'],
  ] as const) {
    const { deltas, text } = await deltasOf(texts)
    assert.equal(text, whole)
    assert.equal(deltas.join(''), whole)
  }
})
