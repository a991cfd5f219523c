import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TakeNotice } from '#control-plane/features/speech/speech/stream/take-events.schema.ts'
import { IDLE } from '#control-plane/web/frame/generation.ts'
import { engineName, spokenBy } from '#control-plane/web/lib/names.ts'
import { afterEvent } from '#control-plane/web/pages/speak/generation.ts'
import { informationOf } from '#control-plane/web/pages/speak/request.ts'

const EMBEDDED = 'Using the voice Heart, because the model of the Voice Studio engine is not installed.'

test('a take keeps the information of its notice without the sentence that the form shows', () => {
  assert.equal(informationOf(`${EMBEDDED} The seed changed nothing.`, [EMBEDDED]), 'The seed changed nothing.')
  assert.equal(informationOf('The seed changed nothing.', [EMBEDDED]), 'The seed changed nothing.')
  assert.equal(informationOf(EMBEDDED, []), EMBEDDED, 'the form does not show it any more')
})

test('a take names the engine that spoke it, not the one that was asked for', () => {
  assert.equal(spokenBy({ engine: 'svc-engine', routing: 'stand_in', voice: 'heart' }), engineName('heart'))
  assert.equal(spokenBy({ engine: 'svc-engine', routing: 'stand_in', voice: 'slt' }), engineName('flite'))
  assert.equal(
    spokenBy({ engine: 'kokoro', routing: 'stand_in', voice: '' }),
    engineName('kokoro'),
    'another engine replaced the requested one',
  )
  assert.equal(spokenBy({ engine: 'svc-engine', routing: 'notice', voice: '' }), engineName('svc-engine'))
  assert.equal(spokenBy({ engine: '', routing: '', voice: '' }), '')
})

test('a running take shows information and not the substitute', () => {
  const start = (notice: (Pick<TakeNotice, 'routing' | 'reason'> & Partial<TakeNotice>) | null) =>
    afterEvent(IDLE, { type: 'start', sample_rate: 8000, total_chunks: 2, seed: 1, notice: notice && { information: [], ...notice } })
      .notices
  assert.deepEqual(start({ routing: 'stand_in', reason: EMBEDDED }), [])
  assert.deepEqual(start({ routing: 'notice', reason: 'The seed changed nothing.' }), ['The seed changed nothing.'])
  assert.deepEqual(start({ routing: 'stand_in', reason: `${EMBEDDED} More.`, information: ['More.'] }), ['More.'])
  assert.deepEqual(start({ routing: 'stand_in', reason: EMBEDDED, information: [] }), [])
  assert.deepEqual(start({ routing: 'notice', reason: 'One. Two.', information: ['One.', 'Two.'] }), ['One. Two.'])
  assert.deepEqual(start(null), [])
})

test('the events of a take lead from the first sound to its end', () => {
  const lost = {
    type: 'machine',
    state: 'lost',
    name: 'attic',
    local: false,
    next: 'here',
    can_finish_here: true,
    parts_kept: 2,
    parts: 5,
  } as const
  assert.deepEqual(afterEvent(IDLE, lost), { machine: lost })
  assert.deepEqual(afterEvent({ ...IDLE, done: 3 }, { type: 'progress', chunk: 1, total_chunks: 5 }), { done: 3, total: 5 }, 'never back')
  const sentences = { reason: 'No.', error: 'No.', detail: 'No.', hint: 'Try.', docs_topic: null, docs_url: null, stage: null }
  const fault = { error_class: 'UNKNOWN', code: 'generation_failed', retryable: true } as const
  assert.equal(afterEvent(IDLE, { type: 'error', ...sentences, ...fault }).phase, 'failed')
  assert.equal(afterEvent(IDLE, { type: 'cancelled' }).phase, 'cancelled')
})
