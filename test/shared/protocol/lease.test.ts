import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryCode, KEEPALIVE_MS, leaseFor, PROGRESS_LEASE_MS } from '#shared/protocol/lease.ts'
import { HELD, PHASES } from '#shared/protocol/task.ts'

const tts = { operation: 'tts', size: 100, priority: 0 } as const

test('every held phase has a lease within its budget, no other has one', () => {
  for (const phase of PHASES) {
    const lease = leaseFor(phase, tts)
    assert.equal(lease !== null, HELD.has(phase), phase)
    if (lease) assert.ok(lease.leaseMs > 0 && lease.leaseMs <= lease.budgetMs, phase)
  }
})

const GPU = { device: 'cuda:0', resident: false, downloaded: true }

test('the execution budget grows with the size and the operation', () => {
  const budget = (operation: string, size: number, device = 'cpu') =>
    leaseFor('running', { ...tts, operation, size }, { ...GPU, device })!.budgetMs
  assert.equal(budget('tts', 0), 600_000)
  assert.equal(budget('tts', 1200), 600_000)
  assert.equal(budget('tts', 1200 + 40 * 60), 660_000)
  assert.equal(budget('audiobook', 1200), 24 * 600_000)
  assert.equal(budget('something new', 1200), 600_000)
  assert.equal(budget('tts', 1200, 'cuda:0'), 300_000, 'a machine that computes faster has less time')
  assert.equal(budget('clone', 1200 + 40 * 60, 'webgpu'), 2 * 360_000)
  assert.equal(budget('dictation', 0, 'cuda:0'), 150_000)
})

test('the loading budget depends on the state of the model', () => {
  const budget = (terms: object) => leaseFor('loading', tts, { ...GPU, ...terms })!.budgetMs
  assert.equal(budget({ resident: true }), 60_000)
  assert.equal(budget({}), 600_000)
  assert.equal(budget({ downloaded: false }), 1_800_000)
})

test('without terms of the worker the slowest is assumed', () => {
  assert.equal(leaseFor('loading', tts)!.budgetMs, 1_800_000)
  assert.equal(leaseFor('running', tts)!.budgetMs, 600_000)
})

test('accepting and delivering have their own budgets', () => {
  assert.deepEqual(leaseFor('offered', tts, GPU), { leaseMs: 20_000, budgetMs: 20_000 })
  assert.deepEqual(leaseFor('delivering', tts, GPU), { leaseMs: 900_000, budgetMs: 900_000 })
})

test('the grace for a lost machine grows with its work, and is shorter for interactive tasks', () => {
  const graces = (priority: 0 | 1) =>
    [0, 8_000, 600_000].map((workedMs) => leaseFor('unknown', { ...tts, priority }, null, workedMs)!.budgetMs)
  assert.deepEqual(graces(0), [4_000, 8_000, 10_000])
  assert.deepEqual(graces(1), [6_000, 8_000, 30_000])
})

test('two keepalives may be lost within one lease', () => assert.ok(KEEPALIVE_MS * 3 <= PROGRESS_LEASE_MS))

test('silence and a spent budget have different codes', () => {
  assert.deepEqual(
    (['offered', 'loading', 'running', 'delivering', 'unknown', 'cancelling'] as const).map((phase) => [
      expiryCode(phase, false),
      expiryCode(phase, true),
    ]),
    [
      ['ACCEPT_TIMEOUT', 'ACCEPT_TIMEOUT'],
      ['PROGRESS_LEASE_EXPIRED', 'MODEL_LOAD_TIMEOUT'],
      ['PROGRESS_LEASE_EXPIRED', 'EXECUTION_TIMEOUT'],
      ['RESULT_DELIVERY_TIMEOUT', 'RESULT_DELIVERY_TIMEOUT'],
      ['WORKER_DISCONNECTED', 'WORKER_DISCONNECTED'],
      ['PROGRESS_LEASE_EXPIRED', 'EXECUTION_TIMEOUT'],
    ],
  )
})
