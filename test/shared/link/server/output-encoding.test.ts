import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agentCodecs } from '#shared/link/rpc.ts'
import { createOutputEncoder } from '#shared/link/server/output-encoding.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'

const { responseSerialize, responseDeserialize: decode } = agentCodecs.run
const encode = createOutputEncoder(responseSerialize)
const numbers = fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat())
const sizes = fc.constantFrom(0, 1, 127, 128, 16_383, 16_384, 70_000)
const chunk = fc.record({ seq: numbers, part: fc.nat({ max: 2 ** 32 - 1 }), offset: numbers, size: sizes, fill: fc.nat(255) }).map(
  ({ seq, part, offset, size, fill }): Wire<'Event'> => ({
    seq,
    fact: 'output',
    output: { part, offset, payload: Buffer.alloc(size, fill) },
  }),
)
const other = fc.constantFrom<Wire<'Event'>>(
  { seq: 1, fact: 'running', running: { machine: '' } },
  { seq: 2, fact: 'progress', progress: { progress: 0.5, stage: 'décode', keepalive: true } },
  { seq: 9, fact: 'completed', completed: { result_json: Buffer.from('{}'), sha256: Buffer.alloc(32, 7), size: 5 } },
)
const wanted = fc.option(numbers.map((offset) => ({ name: 'reference', offset })))
const outputs: fc.Arbitrary<Wire<'RunOutput'>> = fc.record({ events: fc.array(fc.oneof(chunk, other), { maxLength: 6 }), wanted })

const withoutPayload = (event: Wire<'Event'>) =>
  event.fact === 'output' ? { ...event, output: { ...event.output, payload: event.output.payload.length } } : event

test('messages of any size, one after the other, are read as they were written', () => {
  fc.assert(
    fc.property(outputs, (output) => {
      const read = decode(Buffer.from(encode(output)))
      assert.deepEqual(read.wanted, output.wanted)
      assert.deepEqual(read.events.map(withoutPayload), output.events.map(withoutPayload))
      for (const [index, event] of read.events.entries()) {
        const written = output.events[index]!
        if (event.fact === 'output' && written.fact === 'output') assert.deepEqual(event.output.payload, written.output.payload)
      }
    }),
    { numRuns: 200 },
  )
})

test('large messages share one buffer', () => {
  const output = (fill: number): Wire<'RunOutput'> => ({
    events: [{ seq: 1, fact: 'output', output: { part: 0, offset: 0, payload: Buffer.alloc(64 * 1024, fill) } }],
  })
  const { buffer } = encode(output(1))
  assert.equal(encode(output(2)).buffer, buffer)
})
