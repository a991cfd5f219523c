import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineParameters, errorCode, explainGenerate, hostedRefusal } from '#control-plane/features/speech/speech/generate.rules.ts'
import { GenerateForm } from '#control-plane/features/speech/speech/speech.schema.ts'
import { replyFor } from '#control-plane/http/contract/errors.ts'
import { cloningRefusal } from '#control-plane/inference/missing-model.ts'
import { FAILURES, Failure, type FailureCode } from '#shared/protocol/failure.ts'

const form = (fields: Record<string, string> = {}) => GenerateForm.parse({ text: 'Hello.', ...fields })

test('a form with only a text gets the defaults', () => {
  const { num_step, guidance_scale, speed, max_chunk_chars, crossfade_ms, stream, hosted, seed, effect_preset } = form()
  assert.deepEqual(
    [num_step, guidance_scale, speed, max_chunk_chars, crossfade_ms, stream, hosted, seed, effect_preset],
    [null, 2, 1, 800, 50, false, false, null, 'broadcast'],
  )
  // Each engine has its own number of steps: 16 for svc-engine, 8 for Supertonic, 1 for Pocket TTS.
  assert.deepEqual([engineParameters(form()).num_step, engineParameters(form({ num_step: '32' })).num_step], [null, 32])
})

test('an empty field counts as absent, an invalid one is refused', () => {
  assert.deepEqual(form({ speed: '', seed: '', stream: '', language: '' }), form())
  for (const fields of [
    { speed: 'fast' },
    { speed: '0.24' },
    { seed: '1.5' },
    { stream: 'maybe' },
    { crossfade_ms: '1001' },
    { colour: 'red' },
  ])
    assert.equal(GenerateForm.safeParse({ text: 'Hello.', ...fields }).success, false, JSON.stringify(fields))
})

test('the hosted library and unsupported voices are refused with a reason', () => {
  assert.equal(hostedRefusal(form()).code, 'INVALID_REQUEST')
  assert.equal(hostedRefusal(form({ profile_id: 'p' })).code, 'CONFLICT')
  const { code, detail } = cloningRefusal('svc-engine')
  assert.deepEqual([code, (detail as Record<string, unknown>)['error']], ['MODEL_NOT_DOWNLOADED', 'model_not_downloaded'])
  assert.match(cloningRefusal('svc-engine').message, /studio models install \S+\/\S+/)
  assert.match(cloningRefusal('kittentts').message, /cannot clone a reference voice.*svc-engine/)
})

test('every failure has an explanation, and a code for the last line of a stream', () => {
  for (const code of Object.keys(FAILURES) as FailureCode[]) {
    assert.ok(explainGenerate(new Failure(code, 'why')) instanceof Failure)
    assert.match(errorCode(new Failure(code, 'why')), /^(generation_(busy|timeout|failed)|invalid_request)$/)
  }
  assert.deepEqual(
    (['QUEUE_FULL', 'WORKER_AT_CAPACITY', 'TASK_DEADLINE_EXCEEDED', 'ENGINE_CRASHED', 'INVALID_TASK_PARAMS'] as const).map((code) =>
      errorCode(new Failure(code, '')),
    ),
    ['generation_busy', 'generation_busy', 'generation_timeout', 'generation_failed', 'invalid_request'],
  )
})

test('a failure of the selected machine is reported in headers without line breaks', () => {
  const failure = explainGenerate(new Failure('PINNED_WORKER_EXHAUSTED', 'line\r\nX-Evil: 1 ä'))
  assert.equal(failure.code, 'PINNED_WORKER_EXHAUSTED')
  const { headers } = replyFor(failure)
  assert.equal(headers['x-svc-routing'], 'remote_failed')
  assert.match(headers['x-svc-routing-reason']!, /^[\x20-\x7e]+$/)
  assert.equal(headers['retry-after'], '10')
})

test('a missing model has the same detail from every source', () => {
  const own = cloningRefusal('svc-engine')
  assert.equal(explainGenerate(own), own)
  const reported = explainGenerate(new Failure('MODEL_NOT_DOWNLOADED', 'weights')).detail as object
  assert.deepEqual(Object.keys(reported).sort(), Object.keys(own.detail as object).sort())
})
