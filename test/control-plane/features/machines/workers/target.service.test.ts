import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTarget, detailOf, workerStatusOf } from '#control-plane/features/machines/workers/target.service.ts'
import type { WorkerView } from '#control-plane/scheduler/worker-view.ts'
import { createSettings } from '#control-plane/store/setting.store.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { workerOf } from '#test/support/placement/fleet.ts'

function open(t: TestContext) {
  const store = openLedger(t)
  const { workers } = store
  const state = { isRunning: true, views: new Map<string, Partial<WorkerView>>() }
  const target = createTarget({
    settings: createOwnerSettings(createSettings(store)),
    workers,
    view: ({ id, revokedAt }) => workerOf(id, { revoked: revokedAt !== null, ...state.views.get(id) }),
    latencyMs: () => 7,
    isRunning: () => state.isRunning,
  })
  const active = (operation = 'tts') => {
    const { remote, worker_id, label, reason } = target.view(operation).active
    return [remote, worker_id, label, reason]
  }
  return { store, workers, state, target, active }
}

test('the default target is this machine', (t) => {
  const { target, active } = open(t)
  assert.deepEqual([target.view('tts').target, active(), target.forTask('tts')], ['local', [false, null, 'Local', 'chosen'], 'local'])
})

test('a limit keeps this machine, the selected one and those that can take the work', async (t) => {
  const { target, state } = open(t)
  const listed = (limit?: number) => target.view('tts', limit).targets.map(({ id }) => id)
  const all = listed()
  const [local, first, , ...others] = all
  const last = others.at(-1)!
  for (const id of others) state.views.set(id, { session: null })
  state.views.set(first!, { session: null })
  await target.choose(last)
  assert.deepEqual(listed(), all, 'without a limit all are listed, in their order')
  assert.deepEqual(listed(all.length), all)
  assert.deepEqual(listed(2), [local, last, all[2]])
  assert.deepEqual(listed(0), [local])
})

test('the selection survives a restart; blank means this machine', async (t) => {
  const { store, target } = open(t)
  await target.choose('  ')
  assert.equal(target.view('').target, 'local')
  await target.choose(' w1 ')
  store.reopen()
  assert.equal(createSettings(store).get('worker_target'), 'w1')
})

test('only enrolled machines can be selected, in any state', async (t) => {
  const { target, workers, state } = open(t)
  const isNotFound = (error: unknown) => error instanceof Failure && error.code === 'NOT_FOUND' && error.message === 'No such worker.'
  await assert.rejects(() => target.choose('stranger'), isNotFound)
  workers.revoke('w2')
  await assert.rejects(() => target.choose('w2'), isNotFound)
  state.views.set('w1', { session: null, enabled: false })
  await target.choose('w1')
  await target.choose('auto')
})

test('the displayed target is the target of a task', async (t) => {
  const { target, active, state, workers } = open(t)
  await target.choose('w0')
  assert.deepEqual([active(), target.forTask('tts')], [[true, 'w0', 'w0', 'chosen'], 'w0'])
  assert.deepEqual(active('asr'), [false, null, 'Local', 'transcription does not run on remote workers yet — running locally'])
  assert.equal(target.forTask('asr'), 'local')
  state.views.set('w0', { session: null })
  assert.deepEqual([active(), target.forTask('tts')], [[false, null, 'Local', 'w0 is offline — running locally'], 'local'])
  state.isRunning = false
  assert.deepEqual(active(), [false, null, 'Local', 'remote workers are turned off'])
  state.isRunning = true
  workers.revoke('w0')
  assert.deepEqual(active(), [false, null, 'Local', 'the chosen worker no longer exists — running locally'])
})

test('work that other machines run is named so, and a machine without an engine for dictation does not get it', async (t) => {
  const { target, active, state } = open(t)
  await target.choose('w0')
  for (const operation of ['tts', 'clone', 'longform', 'audiobook', 'dub', 'verify'])
    assert.deepEqual(active(operation), [true, 'w0', 'w0', 'chosen'], operation)
  for (const operation of ['asr', 'translate', 'separate', 'vad'])
    assert.match(String(active(operation)[3]), /^[a-z ]+ does not run on remote workers yet — running locally$/)
  assert.deepEqual(active('nonsense'), [false, null, 'Local', 'this studio has no operation nonsense — running locally'])
  assert.deepEqual(active('dictation'), [false, null, 'Local', 'w0 has no engine for dictation — running locally'])
  assert.equal(target.fallbackOf('dictation'), 'w0 has no engine for dictation, so this machine was used.')
  assert.equal(target.fallbackOf('tts'), null)
  state.isRunning = false
  assert.equal(target.fallbackOf('tts'), 'Remote machines are turned off, so this machine was used.')
  assert.equal(target.fallbackOf('asr'), null, 'it always runs here')
})

test('a machine is usable while it is approved, connected and known', async (t) => {
  const { target, state, workers } = open(t)
  assert.deepEqual([target.isUsable('w0', 'dictation'), target.isUsable('w0', 'asr'), target.isUsable('local', 'asr')], [true, false, true])
  state.views.set('w0', { consented: false })
  assert.equal(target.isUsable('w0', 'dictation'), false)
  state.views.set('w0', {})
  workers.revoke('w0')
  assert.equal(target.isUsable('w0', 'dictation'), false)
  assert.equal(target.isUsable('stranger', 'dictation'), false)
  state.isRunning = false
  assert.equal(target.isUsable('w1', 'dictation'), false)
})

test('auto means any machine if remote workers are on', async (t) => {
  const { target, state } = open(t)
  await target.choose('auto')
  assert.deepEqual([target.forTask('tts'), target.forTask('dictation'), target.forTask('asr')], ['auto', 'auto', 'local'])
  state.isRunning = false
  assert.equal(target.forTask('tts'), 'local')
})

test('the first obstacle is reported', () => {
  const all = { revoked: true, quarantined: true, enabled: false, consented: false, session: null, drained: true, draining: true } as const
  const details: string[] = []
  let view: WorkerView = workerOf('w', all)
  for (const better of [
    { revoked: false },
    { quarantined: false },
    { enabled: true },
    { consented: true },
    { session: 'stale' },
    { session: 'ready' },
    { drained: false },
    { draining: false },
  ] as const) {
    details.push(detailOf(view))
    view = { ...view, ...better }
  }
  assert.deepEqual(
    [...details, detailOf(view)],
    [
      'removed',
      'copied: two machines use this key',
      'disabled',
      'not approved',
      'offline',
      'not responding',
      'drained',
      'shutting down',
      '',
    ],
  )
})

test('a machine is reported as paused only if all its models are paused', () => {
  const abilities = new Map(
    ['svc-engine||tts', 'tone||tts', 'whisper|base|asr', 'probe||probe'].map((key) => [key, [...workerOf('w').abilities.values()][0]!]),
  )
  const detail = (breakers: Record<string, 'one' | 'none'>, operation?: string) =>
    detailOf(workerOf('w', { abilities, breakers: new Map(Object.entries(breakers)) }), operation)
  const paused = 'paused after repeated failures'
  assert.equal(detail({ 'tone:': 'none' }, 'tts'), '')
  assert.equal(detail({ 'tone:': 'none', 'svc-engine:': 'none' }, 'tts'), paused)
  assert.equal(detail({ 'tone:': 'none', 'svc-engine:': 'one' }, 'tts'), '', 'one task may run there')
  assert.equal(detail({ 'tone:': 'none', 'svc-engine:': 'none' }), '', 'recognition still works')
  assert.equal(detail({ 'tone:': 'none', 'svc-engine:': 'none' }, 'dub'), paused, 'a dub runs as speech')
  assert.equal(detail({ 'whisper:base': 'none' }, 'dictation'), paused, 'dictation runs as recognition')
  assert.equal(detail({ 'tone:': 'none', 'svc-engine:': 'none', 'whisper:base': 'none' }), paused)
  assert.equal(detail({ 'tone:': 'none', 'svc-engine:': 'none', 'whisper:base': 'none' }, 'dub'), paused)
})

test('ready, busy and offline follow from session and permits', () => {
  const status = (view: Parameters<typeof workerOf>[1]) => workerStatusOf(workerOf('w', view))
  assert.equal(status({}), 'ready')
  assert.equal(status({ held: new Map([['svc-engine', 1]]) }), 'busy')
  assert.equal(status({ held: new Map([['svc-engine', 1]]), permits: 2 }), 'ready')
  assert.equal(status({ draining: true }), 'busy')
  assert.deepEqual([status({ session: 'stale' }), status({ session: null })], ['offline', 'offline'])
})

test('the list starts with this machine and shows all others', (t) => {
  const { target, state } = open(t)
  state.views.set('w1', { session: null })
  state.views.set('w2', { held: new Map([['svc-engine', 1]]) })
  assert.deepEqual(
    target
      .view('')
      .targets.map(({ id, available, detail, status, is_local, active_tasks, max_tasks }) => [
        id,
        available,
        detail,
        status,
        is_local,
        active_tasks,
        max_tasks,
      ]),
    [
      ['local', true, '', 'ready', true, 0, 0],
      ['w0', true, '', 'ready', false, 0, 1],
      ['w1', false, 'offline', 'offline', false, 0, 1],
      ['w2', true, '', 'busy', false, 1, 1],
    ],
  )
})
