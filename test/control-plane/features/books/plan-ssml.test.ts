import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaptersOfPlan } from '#control-plane/features/books/book/manifest.rules.ts'

const span = (text: string, more: Record<string, unknown> = {}) => ({ voice_id: 'Ann', text, pause_ms_after: 0, speed: null, ...more })
const planned = (...spans: ReturnType<typeof span>[]) => chaptersOfPlan([{ title: 'One', pause_ms_before: 100, spans }] as never)

test('a span of a plan in SSML becomes its spans, with the voice and the speed of the plan where it names none', async () => {
  const ssml =
    '<speak><break time="1s"/>Two <prosody rate="50%">three</prosody><break time="2s"/><voice name="Bob">four</voice><x/></speak>'
  const [chapter] = await planned(span('One'), span(ssml, { speed: 0.8, pause_ms_after: 300 }), span('<speak/>', { pause_ms_after: 50 }))
  assert.deepEqual(
    chapter!.spans.map(({ voice, text, pauseMs, speed }) => [voice, text, pauseMs, speed]),
    [
      ['Ann', 'One', 1000, null],
      ['Ann', 'Two', 0, 0.8],
      ['Ann', 'three', 2000, 0.4],
      ['Bob', 'four', 350, 0.8],
    ],
  )
  assert.equal(chapter!.pauseMsBefore, 100)
  assert.match(chapter!.notices!.join(), /not part of SSML 1.1: x/)
})

test('silence before the first words of SSML is that of the chapter, and damaged SSML is refused', async () => {
  const [chapter] = await planned(span('<speak><break time="1s"/>One</speak>'))
  assert.deepEqual([chapter!.pauseMsBefore, chapter!.spans.length], [1100, 1])
  await assert.rejects(planned(span('<speak>One')), { code: 'INVALID_REQUEST', message: /XML is damaged/ })
  const many = `<speak>${'a<break/>'.repeat(4000)}</speak>`
  await assert.rejects(planned(...Array.from({ length: 26 }, () => span(many))), /more than 100000 times/)
})
