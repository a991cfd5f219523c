// Figures and spans of tasks on a real ledger.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMetrics } from '#control-plane/observe/metrics.ts'
import { createProcessMetrics } from '#control-plane/observe/process-metrics.ts'
import { createRequestWatch } from '#control-plane/observe/requests.ts'
import { createTaskSpans } from '#control-plane/observe/task-spans.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { noTracing, type Tracing } from '#shared/trace/tracing.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** Its spans have readable contexts: the names from the root down. */
function playedTracing() {
  const ended: string[] = []
  const tracing: Tracing = {
    isOn: true,
    begin: (name, parent) => {
      const traceparent = `${parent}/${name}`
      return { traceparent, end: (failure) => void ended.push(`${traceparent} ${failure ?? 'ok'}`) }
    },
    stop: async () => {},
  }
  return { tracing, ended }
}

function open(t: TestContext) {
  const opened = openLedger(t)
  const { ledger, clock, workers } = opened
  for (const id of ['w0', 'w1']) if (!workers.get(id)?.consentId) workers.grant(id)
  const metrics = createMetrics({ clock, ledger })
  const { tracing, ended } = playedTracing()
  const spans = createTaskSpans(tracing)
  ledger.beforeCommit(metrics.beginBatch)
  ledger.onDecided(metrics.follow)
  ledger.onDecided(spans.follow)
  ledger.onUndone((_failure, _ids, decided) => {
    metrics.undone(decided)
    spans.undone(decided)
  })
  ledger.onRefused(metrics.refused)
  const figures = async (): Promise<string[]> =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'))
  return { ...opened, metrics, spans, ended, figures }
}

test('ends of tasks are counted by worker and reason, without task ids', async (t) => {
  const { ledger, clock, figures } = open(t)
  ledger.submit('task-1', specOf(), '')
  ledger.flush()
  clock.advance(2000)
  ledger.apply('task-1', { kind: 'offer', workerId: 'w0', attemptId: 'a1' })
  ledger.apply('task-1', { kind: 'decline', epoch: 1, code: 'WORKER_AT_CAPACITY', message: 'full' })
  ledger.apply('task-1', { kind: 'offer', workerId: 'w1', attemptId: 'a2' })
  ledger.apply('task-1', { kind: 'accept', epoch: 1 })
  ledger.apply('task-1', { kind: 'accept', epoch: 2 })
  ledger.apply('task-1', { kind: 'lease-expired', epoch: 2, code: 'MODEL_LOAD_TIMEOUT', message: 'slow' })
  ledger.apply('task-1', { kind: 'offer', workerId: 'w0', attemptId: 'a3' })
  ledger.flush()
  clock.advance(3000)
  ledger.apply('task-1', { kind: 'accept', epoch: 3 })
  ledger.apply('task-1', { kind: 'start', epoch: 3 })
  ledger.apply('task-1', { kind: 'complete', epoch: 3 }, resultOf(Buffer.alloc(700)))
  ledger.submit('task-2', specOf(), '')
  ledger.flush()
  ledger.apply('task-1', { kind: 'complete', epoch: 3 }, resultOf())
  const lines = await figures()
  for (const line of [
    'studio_tasks_submitted_total{operation="tts"} 2',
    'studio_tasks_ended_total{operation="tts",end="succeeded"} 1',
    'studio_attempts_ended_total{worker="w0",code="WORKER_AT_CAPACITY"} 1',
    'studio_attempts_ended_total{worker="w1",code="MODEL_LOAD_TIMEOUT"} 1',
    'studio_attempts_ended_total{worker="w0",code="OK"} 1',
    'studio_offers_total{worker="w0"} 2',
    'studio_offers_declined_total{worker="w0",code="WORKER_AT_CAPACITY"} 1',
    'studio_leases_expired_total{code="MODEL_LOAD_TIMEOUT"} 1',
    'studio_facts_refused_total{kind="accept",reason="stale-epoch"} 1',
    'studio_facts_refused_total{kind="complete",reason="not-allowed"} 1',
    'studio_artifact_bytes_total{operation="tts"} 700',
    'studio_task_queue_seconds_sum{operation="tts"} 2',
    'studio_task_queue_seconds_count{operation="tts"} 1',
    'studio_task_duration_seconds_sum{operation="tts",end="succeeded"} 5',
    'studio_attempt_duration_seconds_sum{worker="w0"} 3',
    'studio_tasks{phase="queued"} 1',
    'studio_tasks{phase="running"} 0',
  ])
    assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join('\n')}`)
  assert.equal(lines.join('\n').includes('task-'), false)
})

test('links, syncs, machines and requests have their metrics', async (t) => {
  const { metrics, figures, clock } = open(t)
  const closing = Promise.withResolvers<Failure>()
  metrics.link('w0', closing.promise)
  closing.resolve(new Failure('WORKER_REVOKED', 'removed'))
  await closing.promise
  let synced = 0
  const sync = metrics.timed((done) => {
    clock.advance(5)
    done(null)
  })
  sync(() => synced++)
  const session = { workerId: 'w0', isReady: () => true, isDraining: () => true, latencyMs: () => 12.5 }
  metrics.scrape({ waiting: (priority) => 7 + priority, sessions: () => [session], breakers: () => ['open', 'open', 'half_open'] })
  const watch = createRequestWatch({ metrics, tracing: noTracing, note: () => {}, clock })
  const seen = watch({ route: 'speech.speak', path: '/v1/audio/speech', method: 'POST', traceparent: CALLER })
  assert.equal(seen.traceparent, CALLER)
  seen.firstByte()
  seen.done(499)
  watch({ route: 'none', path: '', method: 'PROPFIND', traceparent: undefined }).done(404)
  const lines = await figures()
  assert.equal(synced, 1)
  for (const line of [
    'studio_links_opened_total{worker="w0"} 1',
    'studio_links_closed_total{worker="w0",code="WORKER_REVOKED"} 1',
    'studio_wal_sync_seconds_sum 0.005',
    'studio_queue_tasks{priority="interactive"} 7',
    'studio_queue_tasks{priority="batch"} 8',
    'studio_workers{state="draining"} 1',
    'studio_breakers{state="open"} 2',
    'studio_breakers{state="half_open"} 1',
    'studio_link_round_trip_seconds{worker="w0"} 0.0125',
    'studio_http_request_duration_seconds_count{route="speech.speak",method="POST",status="4xx"} 1',
    'studio_http_request_duration_seconds_count{route="none",method="other",status="4xx"} 1',
    'studio_http_first_byte_seconds_count{route="speech.speak"} 1',
  ])
    assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join('\n')}`)
})

test('the process reports its cost', async (t) => {
  const { metrics, figures } = open(t)
  const service = createProcessMetrics(metrics.registry)
  await service.start()
  t.after(() => service.stop())
  const readFigure = async (name: string) => Number((await figures()).find((line) => line.startsWith(`${name} `))?.split(' ')[1])
  const before = await readFigure('process_cpu_seconds_total')
  for (let n = 0; n < 3e7; n++);
  assert.ok((await readFigure('process_cpu_seconds_total')) > before)
  assert.ok((await readFigure('process_resident_memory_bytes')) > 1e7)
  assert.ok((await figures()).some((line) => line.startsWith('studio_event_loop_lag_seconds{percentile="99"}')))
})

test('each metric follows the conventions of Prometheus: help, unit, suffix, and no reserved label', async (t) => {
  const { metrics, figures } = open(t)
  const service = createProcessMetrics(metrics.registry)
  t.after(() => service.stop())
  await figures()
  for (const { name, help, type, values } of await metrics.registry.getMetricsAsJSON()) {
    assert.match(name, /^(studio|process)_[a-z_]+[a-z]$/)
    assert.match(help, /\.$/, name)
    assert.equal(name.endsWith('_total'), String(type) === 'counter', name)
    assert.doesNotMatch(name, /_(count|sum|bucket|counter|gauge|histogram|milliseconds|ms|minutes|megabytes)$/)
    if (String(type) === 'histogram') continue
    for (const { labels } of values) assert.ok(!('quantile' in labels) && !('le' in labels), name)
  }
})

test('an attempt is a child of its task, a task of its request, and each span has the end of its own', (t) => {
  const { ledger, spans, ended } = open(t)
  const record = ledger.submit('one', specOf({ traceparent: 'caller' }), '')
  ledger.apply('one', { kind: 'offer', workerId: 'w0', attemptId: 'a1' })
  ledger.flush()
  const now = ledger.peek('one')!
  assert.equal(spans.traceparentOf(now), 'caller/task/attempt')
  ledger.apply('one', { kind: 'accept', epoch: 1 })
  ledger.apply('one', { kind: 'fail', epoch: 1, code: 'ENGINE_CRASHED', message: 'dead' })
  ledger.apply('one', { kind: 'offer', workerId: 'w1', attemptId: 'a2' })
  ledger.apply('one', { kind: 'cancel' })
  ledger.apply('one', { kind: 'cancel-confirmed', epoch: 2 })
  ledger.flush()
  assert.deepEqual(ended, ['caller/task/attempt ENGINE_CRASHED', 'caller/task/attempt CANCELLED', 'caller/task CANCELLED'])
  assert.equal(spans.traceparentOf(record), '', 'nothing of it is kept')
})

test('an admission that a full disk undoes ends its spans', async (t) => {
  const { db, ledger, spans, ended } = open(t)
  const record = ledger.submit('one', specOf({ traceparent: 'caller' }), '')
  ledger.apply('one', { kind: 'offer', workerId: 'w0', attemptId: 'a1' })
  await turn()
  assert.equal(spans.traceparentOf(record), 'caller/task/attempt', 'the offer has left')
  db.pragma('query_only = on')
  ledger.flush()
  db.pragma('query_only = off')
  assert.deepEqual(ended, ['caller/task/attempt STORAGE_FULL', 'caller/task STORAGE_FULL'])
  assert.equal(spans.traceparentOf(record), '', 'nothing of it is kept')
})

test('a task of an earlier run has no trace', (t) => {
  const opened = openLedger(t)
  opened.ledger.submit('old', specOf({ traceparent: 'caller' }), '')
  opened.ledger.flush()
  opened.reopen()
  const { tracing, ended } = playedTracing()
  const spans = createTaskSpans(tracing)
  opened.ledger.onDecided(spans.follow)
  opened.ledger.apply('old', { kind: 'offer', workerId: 'w0', attemptId: 'a1' })
  opened.ledger.flush()
  assert.equal(spans.traceparentOf(opened.ledger.peek('old')!), '')
  opened.ledger.apply('old', { kind: 'cancel' })
  opened.ledger.flush()
  assert.deepEqual(ended, [])
})
