// The inputs of a task over every kind of link.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { createFakeAgent, header, LINK_KINDS, openPair, RUN_WAYS } from '#test/support/doubles/link-pair.ts'

for (const [kind, way] of LINK_KINDS.flatMap((each) => RUN_WAYS.map((way) => [each, way] as const))) {
  test(`${kind}, ${way}: inputs arrive complete, at the pace of the agent`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service, way })).connect()
    const bytes = Buffer.alloc(12 * 1024 * 1024, 'every input arrives as it was ')
    const inputs = [{ name: 'audio', size: bytes.length, sha256: createHash('sha256').update(bytes).digest() }]
    const asked = Promise.withResolvers<Wire<'InputWant'>>()
    const call = link.run({ ...header(), inputs }, { output: () => {}, end: () => {}, wanted: asked.resolve })
    const served = await service.nextRun()
    assert.deepEqual(served.header.inputs, inputs)
    served.write({ events: [], wanted: { name: 'audio', offset: 5 } })
    assert.deepEqual(await asked.promise, { name: 'audio', offset: 5 })
    let waited = 0
    const sending = (async () => {
      for (let offset = 0; offset < bytes.length; offset += 256 * 1024) {
        const payload = bytes.subarray(offset, offset + 256 * 1024)
        if (call.write({ step: 'input', input: { name: 'audio', offset, payload } })) continue
        waited++
        await call.drained()
      }
      call.end()
    })()
    const hash = createHash('sha256')
    for await (const { step, ...chunk } of served.inputs)
      if (step === 'input') hash.update((chunk as { input: Wire<'InputChunk'> }).input.payload)
    await sending
    assert.deepEqual(hash.digest(), inputs[0]!.sha256)
    assert.ok(waited > 0, 'the sender was told to wait')
    served.end()
  })
}
