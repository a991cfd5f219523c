// The progress and error lines of a streamed take.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorLine, progressLine } from '#control-plane/features/speech/speech/stream/lines.ts'
import { reportUntil } from '#control-plane/features/speech/speech/stream/until.ts'
import { firstModelOf, modelMissing } from '#control-plane/inference/missing-model.ts'
import { FAILURES, Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'

test('an error line has the fields that clients read', () => {
  const failed = errorLine(new Failure('WORKER_FAILED', 'It failed.'), null)
  assert.deepEqual(failed, { type: 'error', code: 'generation_failed', detail: 'It failed.', retryable: true })
  assert.deepEqual(errorLine(new Failure('QUEUE_FULL', 'Full.'), null), {
    type: 'error',
    code: 'generation_busy',
    detail: 'Full.',
    retryable: true,
    retry_after: 30,
  })
  assert.deepEqual(errorLine(new Failure('PINNED_WORKER_EXHAUSTED', '3 attempts failed.'), 'attic'), {
    type: 'error',
    code: 'generation_failed',
    detail: '3 attempts failed.',
    retryable: true,
    retry_after: 10,
    target_label: 'attic',
    hint: FAILURES.PINNED_WORKER_EXHAUSTED.hint,
  })
  const missing = errorLine(modelMissing('pockettts', 'Install it.', firstModelOf('pockettts')), 'attic') as Record<string, unknown>
  assert.equal(missing['code'], 'generation_failed')
  assert.deepEqual(
    [missing['detail'], missing['engine'], missing['repo_ids']],
    ['Install it.', 'pockettts', [firstModelOf('pockettts')!.id]],
  )
  assert.deepEqual([missing['target'], missing['downloadable']], ['local', true])
  const unexpected = errorLine(new Failure('UNKNOWN', 'the disk of /srv'), null)
  assert.ok(!JSON.stringify(unexpected).includes('/srv'), 'an unexpected error is not disclosed')
  assert.equal(errorLine(new Failure('INVALID_TASK_PARAMS', 'Wrong.'), null).retryable, false)
})

test('progress has the stages of the specification', () => {
  const stages = (['queued', 'offered', 'loading', 'running', 'delivering', 'unknown'] as const).map(
    (phase) => progressLine(phase, undefined, 'w').stage,
  )
  assert.deepEqual(stages, ['queued', 'queued', 'loading', 'running', 'uploading', 'queued'])
  const ended = (['succeeded', 'failed', 'cancelled'] as const).map((phase) => progressLine(phase, undefined, 'w').stage)
  assert.deepEqual(ended, ['uploading', 'uploading', 'uploading'], 'a task that has ended does not wait')
  assert.equal(progressLine('succeeded', { progress: 0.83, stage: 'speaking' }, 'w').percent, 100)
  const { percent, detail, target } = progressLine('running', { progress: 0.456, stage: 'speaking' }, 'w1')
  assert.deepEqual([percent, detail, target], [46, 'speaking', 'w1'])
})

test('reports are yielded when they change, until the awaited promise settles', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const states = [{ at: 1 }, { at: 1 }, null, { at: 2 }]
  const seen: object[] = []
  const report = async () => {
    if (states.length === 1) resolve()
    return states.shift() ?? null
  }
  for await (const one of reportUntil(promise, report, systemClock)) seen.push(one)
  assert.deepEqual(seen, [{ at: 1 }, { at: 2 }])
  const failing = Promise.withResolvers<void>()
  failing.reject(new Failure('WORKER_FAILED', 'It failed.'))
  const reports = reportUntil(failing.promise, async () => null, systemClock)
  await assert.rejects(async () => await reports.next(), { code: 'WORKER_FAILED' })
  reject(new Error('too late'))
})
