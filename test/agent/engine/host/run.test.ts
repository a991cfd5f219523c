// The credit of a run, without a process, with engines of three lines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIO_EVENT_BYTES, eventCost, type HostEvent } from '#agent/engine/host/messages.ts'
import { startHostRun } from '#agent/engine/host/run.ts'
import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

const settle = async () => {
  for (let turns = 0; turns < 20; turns++) await nextTurn()
}

function open(run: (signal: AbortSignal) => AsyncIterable<EngineEvent>, credit: number) {
  const sent: HostEvent[] = []
  const ended: (Failure | null)[] = []
  const hostRun = startHostRun({
    engine: { run: (_operation, _params, signal) => run(signal) },
    ready: async () => {},
    isReady: true,
    operation: 'tts',
    params: {},
    credit,
    send: async (event) => void sent.push(event),
    ended: (failure) => ended.push(failure),
    onStep: () => {},
  })
  const cost = () => sent.reduce((sum, event) => sum + eventCost(event), 0)
  return { hostRun, sent, ended, cost }
}

test('sends at most the credit and one event, and continues with new credit', async () => {
  const pieces = 100
  async function* endless() {
    for (let at = 0; at < pieces; at++) yield { kind: 'audio', part: 0, samples: new Float32Array(5_000) } as const
    yield { kind: 'result', result: {} } as const
  }
  const credit = 100_000
  const { hostRun, sent, ended, cost } = open(endless, credit)
  await settle()
  const first = cost()
  assert.ok(first >= credit && first < credit + 11_000, `${first}`)
  await settle()
  assert.equal(cost(), first)
  hostRun.addCredit(first)
  await settle()
  assert.ok(cost() <= first + credit + 11_000 && cost() > first)
  hostRun.addCredit(Number.MAX_SAFE_INTEGER)
  await hostRun.done
  assert.deepEqual(ended, [null])
  assert.equal(sent.filter((event) => event.kind === 'audio').length, pieces)
})

test('a very long piece is split without loss', async () => {
  const samples = Float32Array.from({ length: 400_000 }, (_, at) => (at % 1_000) / 1_000)
  async function* once() {
    yield { kind: 'audio', part: 3, samples } as const
  }
  const { hostRun, sent } = open(once, Number.MAX_SAFE_INTEGER)
  await hostRun.done
  const bytes = sent.flatMap((event) => (event.kind === 'audio' && event.part === 3 ? [event.bytes] : []))
  assert.ok(bytes.every((piece) => piece.length <= AUDIO_EVENT_BYTES))
  assert.equal(Buffer.concat(bytes).length, 800_000)
  assert.equal(Buffer.concat(bytes).readInt16LE(2 * 399_999), Math.round(0.999 * 32_768))
})

test('a run that waits for credit can be cancelled', async () => {
  let left = false
  async function* endless() {
    try {
      for (;;) yield { kind: 'audio', part: 0, samples: new Float32Array(100) } as const
    } finally {
      left = true
    }
  }
  const { hostRun, ended } = open(endless, 1_000)
  await settle()
  hostRun.cancel()
  await hostRun.done
  assert.deepEqual(
    ended.map((failure) => failure?.code),
    ['CANCELLED'],
  )
  assert.ok(left, 'the engine was told to clean up')
})
