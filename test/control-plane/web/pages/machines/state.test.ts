import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MachineView, TaskView } from '#control-plane/web/lib/api-types.ts'
import { loadServerTexts } from '#control-plane/web/lib/server-texts.ts'
import {
  changeFor,
  deviceOf,
  inOrder,
  memoryOf,
  memoryUseOf,
  reasonsOf,
  stateOf,
  useOf,
  workOf,
} from '#control-plane/web/pages/machines/state.ts'
import { strings } from '#messages/machines/machines.ts'

const healthy: MachineView = {
  id: 'a1',
  name: 'attic',
  key_id: 'k1',
  revoked: false,
  priority: 50,
  endpoint: '',
  max_concurrent_tasks: 2,
  created_at: 1,
  enabled: true,
  consent_granted: true,
  quarantine: null,
  pool: null,
  lapsed: null,
  connected: true,
  stale: false,
  draining: false,
  drained: false,
  status: 'ready',
  active_tasks: 0,
  available_slots: 2,
  last_seen_at: 5,
  breakers: [],
  host: {},
}
const open: MachineView['breakers'][number] = {
  worker_id: 'a1',
  model_key: 'tone:',
  state: 'open',
  trips: 1,
  retry_at: 99,
  summary: 'paused after 3 failures (it died), retrying in 43 s',
}

test('how many machines are online is one short sentence', () => {
  const { counts } = strings.page
  assert.equal(counts(0, 0, 0, 0), 'No other machine yet')
  assert.equal(counts(0, 1, 0, 0), '1 machine, offline')
  assert.equal(counts(0, 1000, 0, 2), 'All 1,000 machines are offline · 2 tasks waiting')
  assert.equal(counts(3, 3, 1, 0), 'All 3 machines are online · 1 task running')
  assert.equal(counts(2, 1200, 0, 0), '2 of 1,200 machines are online')
})

test('the state is the one that a person must act on', () => {
  const of = (change: Partial<MachineView>) => stateOf({ ...healthy, ...change })
  assert.equal(of({}), 'ready')
  assert.equal(of({ status: 'busy' }), 'busy')
  assert.equal(of({ breakers: [open] }), 'paused')
  assert.equal(of({ breakers: [{ ...open, state: 'half_open' }] }), 'ready', 'the next task is let through')
  assert.equal(of({ breakers: [open], draining: true }), 'draining')
  assert.equal(of({ stale: true }), 'unresponsive')
  assert.equal(of({ connected: false }), 'offline')
  assert.equal(of({ connected: false, enabled: false }), 'off')
  assert.equal(of({ connected: false, consent_granted: false }), 'unapproved')
  assert.equal(of({ consent_granted: false, quarantine: 'copied' }), 'quarantined')
  assert.equal(of({ id: 'local', consent_granted: false }), 'ready', 'this machine needs no approval')
})

test('every reason is listed, with the moment to show after it', async () => {
  await loadServerTexts()
  const of = (change: Partial<MachineView>, ...more: [{ reason: string; count: number }[]?, string?]) =>
    reasonsOf({ ...healthy, ...change }, ...more)
  const first = (change: Partial<MachineView>, ...more: [[], string?]) => of(change, ...more)[0]!.text
  assert.deepEqual(of({}), [])
  assert.deepEqual(of({ breakers: [open] }), [{ text: 'tone: paused after 3 failures (it died).', until: 99 }])
  const [quarantine, approval, off, away] = of({ quarantine: 'two use it', consent_granted: false, enabled: false, connected: false })
  assert.match(quarantine!.text, /^Quarantined: two use it\. .* until you release it\.$/)
  assert.match(approval!.text, /until you approve it/)
  assert.match(off!.text, /turned it off/)
  assert.deepEqual([/Its owner/.test(away!.text), away!.since], [true, 5])
  assert.match(first({ connected: false, last_seen_at: null }, []), /hasn't connected yet/)
  assert.equal(first({ connected: false }, [], 'The key was revoked.'), 'Not connected. The key was revoked.')
  assert.equal(first({ draining: true, drained: true, active_tasks: 2 }, []), 'Draining: it finishes 2 tasks and gets no new ones.')
  assert.equal(first({ draining: true, drained: true, active_tasks: 0 }, []), 'Drained: it gets no new tasks.')
  assert.equal(first({ draining: true, active_tasks: 2 }, []), 'Its owner is ending it: it finishes 2 tasks and takes no new ones.')
  assert.deepEqual(of({ status: 'busy', available_slots: 0 }), [{ text: 'All slots are in use.', mild: true }])
  const waits = [
    { reason: 'cannot run it', count: 1 },
    { reason: 'not enough memory: it has 1 GB', count: 3 },
  ]
  assert.deepEqual(of({}, waits), [
    { text: "1 task can't run there: the engine or the model is missing.", mild: true },
    { text: "3 tasks can't run there: not enough memory: it has 1 GB.", mild: true },
  ])
})

test('running and waiting tasks are listed per machine', () => {
  const at = (worker_id: string, progress = 0) => [
    { worker_id: 'gone', progress: 0 },
    { worker_id, progress },
  ]
  const task = (state: TaskView['state'], attempts = at('a1')) => ({ engine: 'tone', operation: 'tts', waiting_for: [], state, attempts })
  const waiting = { ...task('queued', []), waiting_for: [{ worker_id: 'a1', reason: 'busy' }] }
  const { jobs, waits } = workOf([task('running', at('a1', 0.42)), task('model_loading'), task('completed'), waiting, waiting])
  assert.deepEqual([...jobs], [['a1', ['Speech with tone, 42 %', 'Speech with tone, loading the model']]])
  assert.deepEqual([...waits], [['a1', [{ reason: 'busy', count: 2 }]]])
})

test('a machine is described by what it reported, and by nothing else', () => {
  assert.deepEqual([deviceOf({}), memoryOf({})], ['Unknown', 'Unknown'])
  assert.deepEqual([deviceOf({ cpu_count: 1 }), memoryOf({ system_memory_bytes: 16e9 })], ['CPU, 1 core, no GPU', '16 GB of memory'])
  const gpu = { vendor: 'nvidia', driver_version: '', compute_capability: '', model: 'RTX', backend: 'cuda' }
  const gpus = [{ ...gpu, memory_bytes: 32e9, free_memory_bytes: 4e9 }]
  assert.deepEqual([deviceOf({ gpus }), memoryOf({ gpus })], ['RTX (cuda)', '4.0 GB of 32 GB GPU memory free'])
})

test('the use for work is the priority or never, and a choice changes nothing else', () => {
  const priorities: Readonly<Record<string, number>> = { preferred: 80, automatic: 50, low: 20, 63: 63 }
  for (const [use, priority] of Object.entries(priorities)) {
    assert.equal(useOf({ enabled: true, priority }), use)
    assert.deepEqual(changeFor(use), { enabled: true, priority })
    assert.equal(useOf({ enabled: false, priority }), 'never')
  }
  assert.deepEqual(changeFor('never'), { enabled: false })
})

test('a GPU that cannot be used is shown with the reason, and is none that can', () => {
  const card = { model: 'NVIDIA T4', reason: 'the NVIDIA driver is too old' }
  const shown = 'NVIDIA T4 (present, not usable, because the NVIDIA driver is too old)'
  assert.equal(deviceOf({ gpus: [], unusable_gpus: [card], cpu_count: 4 }), shown)
  assert.match(deviceOf({ gpus: [], unusable_gpus: [], cpu_count: 4 }), /no GPU/)
  assert.match(deviceOf({ cpu_count: 4 }), /no GPU/)
})

test('the memory of all GPUs counts, and that of the system does not', () => {
  const gpu = {
    vendor: 'v',
    model: 'm',
    backend: 'cuda',
    memory_bytes: 24,
    free_memory_bytes: 10,
    driver_version: '',
    compute_capability: '',
  }
  assert.deepEqual(memoryUseOf({ gpus: [gpu, { ...gpu, free_memory_bytes: 24 }] }), { used: 14, all: 48 })
  assert.deepEqual(memoryUseOf({ gpus: [], system_memory_bytes: 9 }), { used: 0, all: 0 })
  assert.deepEqual(memoryUseOf({}), { used: 0, all: 0 })
})

test('machines are in the order of their names, with numbers by value, then of their ids', () => {
  const orderOf = (...names: string[]) =>
    inOrder(names.map((name, id) => ({ name, machine: { id: String(id) } }))).map(({ name, machine }) => name + machine.id)
  const names = ['gpu 10', 'attic', 'gpu 2', 'Basement', 'gpu', 'attic']
  assert.deepEqual(orderOf(...names), ['attic1', 'attic5', 'Basement3', 'gpu4', 'gpu 22', 'gpu 100'])
  // The same order as by the collator, which other letters need.
  assert.deepEqual(orderOf(...names, 'Élan'), ['attic1', 'attic5', 'Basement3', 'Élan6', 'gpu4', 'gpu 22', 'gpu 100'])
})
