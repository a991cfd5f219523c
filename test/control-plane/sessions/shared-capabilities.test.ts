import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSharedCapabilities } from '#control-plane/sessions/shared-capabilities.ts'
import type { CapabilityMessage } from '#shared/protocol/messages.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Capabilities as received: new objects each time. */
const received = (voices: number, permits = 1): CapabilityMessage[] =>
  ['tts', 'asr'].map(
    (operation) =>
      ({
        engine: 'engine',
        operation,
        permits: operation === 'tts' ? permits : 1,
        voices: Array.from({ length: voices }, (_, id) => ({ id: `voice-${id}`, name: `The voice ${id}`, language: 'en' })),
      }) as unknown as CapabilityMessage,
  )

test('machines with equal capabilities share them, and those that differ share what is equal', () => {
  const share = createSharedCapabilities()
  const [first, second, other] = [share(received(3)), share(received(3)), share(received(3, 4))]
  assert.equal(first, second)
  assert.notEqual(first, other)
  assert.deepEqual(other, received(3, 4))
  assert.notEqual(first[0], other[0])
  assert.equal(first[1], other[1])
})

test('the capabilities of a thousand machines take little memory, and none after the machines have left', async () => {
  const share = createSharedCapabilities()
  const used = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  let kept: CapabilityMessage[][] = []
  for (let machine = 0; machine < 1000; machine++) kept.push(share(received(100, machine % 10)))
  assert.ok((used() - before) / kept.length < 1024, `${(used() - before) / kept.length} bytes each`)
  const gone = new WeakRef(kept[0]!)
  kept = []
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  assert.equal(gone.deref(), undefined)
})
