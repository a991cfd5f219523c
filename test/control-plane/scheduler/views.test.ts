import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createViews, type Presence } from '#control-plane/scheduler/views.ts'
import { abilityKey } from '#control-plane/scheduler/worker-view.ts'
import type { Admits } from '#control-plane/workers/breaker.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { recordOf } from '#test/support/doubles/record.ts'

const capability = (model: string, wish: object = {}) => ({
  engine: 'tone',
  model,
  operation: 'tts',
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cuda:0',
  permits: 2,
  memory_bytes: 5,
  ...wish,
})

function open(t: TestContext) {
  const { workers, ledger } = openLedger(t)
  workers.add({ id: LOCAL, name: LOCAL, pin: 'f'.repeat(64), endpoint: '' })
  const capabilities = [capability(''), capability('far', { downloaded: false, device: 'cpu' })]
  const session = (workerId: string): ReturnType<Presence['get']> => ({
    workerId,
    isReady: () => true,
    isStale: () => false,
    isCooling: () => false,
    isDrained: () => false,
    isDraining: () => false,
    capabilities: () => capabilities,
    residentModels: () => ['tone:near'],
    latencyMs: () => 1,
    freeMemoryBytes: () => 3,
    freeDiskBytes: () => 4,
  })
  const views = createViews({
    presence: { get: (id) => (['w0', LOCAL].includes(id) ? session(id) : undefined), awayMs: () => 0 },
    ledger,
    estimate: () => ({ loadMs: 0, msPerUnit: 0 }),
    breakers: (id) => new Map<string, Admits>(id === 'w0' ? [['tone:', 'none']] : []),
    remoteOn: () => true,
  })
  const terms = (workerId: string | null, model: string, engine = 'tone') =>
    views.terms(recordOf('t', { engine, model }, { phase: 'offered', workerId, attemptId: workerId && 'a' }))
  return { terms, viewOf: (id: string) => views.view(workers.get(id)!) }
}

test('the terms of a lease come from the worker’s description of the model', (t) => {
  const { terms } = open(t)
  assert.deepEqual(terms('w0', ''), { device: 'cuda:0', downloaded: true, resident: false })
  assert.deepEqual(terms('w0', 'far'), { device: 'cpu', downloaded: false, resident: false })
  assert.deepEqual(terms('w0', 'near'), { device: 'cuda:0', downloaded: true, resident: true }, 'by the wildcard')
  for (const [workerId, engine] of [
    ['w0', 'other'],
    ['w1', 'tone'],
    [null, 'tone'],
  ] as const)
    assert.equal(terms(workerId, '', engine), null)
})

test('a view has the free room of a machine and the refusals of its breakers', (t) => {
  const { viewOf } = open(t)
  const { abilities, breakers, freeMemoryBytes, freeDiskBytes } = viewOf('w0')
  assert.equal(abilities.get(abilityKey('tone', '', 'tts'))!.memoryBytes, 5)
  assert.deepEqual([[...breakers], freeMemoryBytes, freeDiskBytes], [[['tone:', 'none']], 3, 4])
  const away = viewOf('w1')
  assert.deepEqual([away.session, away.freeMemoryBytes, away.freeDiskBytes], [null, 0, 0])
  assert.equal(viewOf(LOCAL).freeDiskBytes, 0, 'a full disk here is answered, not waited for')
})
