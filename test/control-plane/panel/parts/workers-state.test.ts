import assert from 'node:assert/strict'
import { test } from 'node:test'

// A module for browsers, without types: what it takes and gives is said by the tests.
const { deviceOf, memoryOf, reasonsOf, stateOf, workOf } = await import(
  String(new URL('#control-plane/panel/parts/workers-state.js', import.meta.url))
)
const well = {
  id: 'a1',
  name: 'attic',
  enabled: true,
  consent_granted: true,
  quarantine: null,
  connected: true,
  stale: false,
  draining: false,
  status: 'ready',
  active_tasks: 0,
  available_slots: 2,
  last_seen_at: 5,
  breakers: [] as object[],
  host: {},
}
const open = { model_key: 'tone:', state: 'open', retry_at: 99, summary: 'paused after 3 failures (it died), retrying in 43 s' }

test('each state has its word, and of several the one that a person must act upon', () => {
  const of = (change: object) => stateOf({ ...well, ...change })
  assert.equal(of({}), 'ready')
  assert.equal(of({ status: 'busy' }), 'busy')
  assert.equal(of({ breakers: [open] }), 'paused')
  assert.equal(of({ breakers: [{ ...open, state: 'half_open' }] }), 'ready', 'the next task is let through')
  assert.equal(of({ breakers: [open], draining: true }), 'draining')
  assert.equal(of({ stale: true }), 'not responding')
  assert.equal(of({ connected: false }), 'offline')
  assert.equal(of({ connected: false, enabled: false }), 'switched off')
  assert.equal(of({ connected: false, consent_granted: false }), 'waiting for approval')
  assert.equal(of({ consent_granted: false, quarantine: 'copied' }), 'quarantined')
  assert.equal(of({ id: 'local', consent_granted: false }), 'ready', 'this machine needs nobody to approve it')
})

test('every reason is said, with the moment that is counted', () => {
  const of = (change: object, ...more: unknown[]) => reasonsOf({ ...well, ...change }, ...more)
  assert.deepEqual(of({}), [])
  assert.deepEqual(of({ breakers: [open] }), [{ text: 'tone: paused after 3 failures (it died).', until: 99 }])
  const [quarantine, approval, off, away] = of({ quarantine: 'two use it', consent_granted: false, enabled: false, connected: false })
  assert.match(quarantine.text, /^Set aside: two use it\. .* until you release it\.$/)
  assert.match(approval.text, /until you approve it/)
  assert.match(off.text, /switched it off/)
  assert.deepEqual([/offline/.test(away.text), away.since], [true, 5])
  assert.match(of({ connected: false, last_seen_at: null })[0].text, /has not connected yet/)
  assert.equal(of({ connected: false }, [], 'The key was revoked.')[0].text, 'It is not connected. The key was revoked.')
  assert.equal(of({ draining: true, active_tasks: 2 })[0].text, 'It finishes what it holds (2) and takes nothing new.')
  assert.deepEqual(of({ status: 'busy', available_slots: 0 }), [{ text: 'Every slot is in use.', mild: true }])
  const waits = [
    { reason: 'cannot run it', count: 1 },
    { reason: 'not enough memory: it has 1 GB', count: 3 },
  ]
  assert.deepEqual(of({}, waits), [
    { text: 'A waiting task does not go there: it has no engine or model for it.', mild: true },
    { text: '3 waiting tasks do not go there: not enough memory: it has 1 GB.', mild: true },
  ])
})

test('what runs and what waits is found machine by machine', () => {
  const task = { engine: 'tone', operation: 'tts', waiting_for: [], attempts: [] as object[] }
  const at = (worker_id: string, progress = 0) => [{ worker_id: 'gone' }, { worker_id, progress }]
  const waiting = { ...task, state: 'queued', waiting_for: [{ worker_id: 'a1', reason: 'busy' }] }
  const { jobs, waits } = workOf([
    { ...task, state: 'running', attempts: at('a1', 0.42) },
    { ...task, state: 'model_loading', attempts: at('a1') },
    { ...task, state: 'completed', attempts: at('a1') },
    waiting,
    waiting,
  ])
  assert.deepEqual([...jobs], [['a1', ['tone tts, 42 %', 'tone tts, model loading']]])
  assert.deepEqual([...waits], [['a1', [{ reason: 'busy', count: 2 }]]])
})

test('a machine is described by what it told, and by nothing it did not', () => {
  assert.deepEqual([deviceOf({}), memoryOf({})], ['not told yet', 'not told yet'])
  assert.deepEqual(
    [deviceOf({ cpu_count: 1 }), memoryOf({ system_memory_bytes: 2 ** 34 })],
    ['processor, 1 core, no GPU', '16 GiB of memory'],
  )
  const gpus = [{ model: 'RTX', backend: 'cuda', memory_bytes: 2 ** 35, free_memory_bytes: 2 ** 32 }]
  assert.deepEqual([deviceOf({ gpus }), memoryOf({ gpus })], ['RTX (cuda)', '4.0 GiB of 32 GiB GPU memory free'])
})
