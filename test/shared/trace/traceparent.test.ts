import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraceparent, writeTraceparent } from '#shared/trace/traceparent.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

test('a written traceparent is read back', () => {
  for (const flags of [0, 1]) {
    const context = { traceId: TRACE, spanId: SPAN, flags }
    assert.deepEqual(readTraceparent(writeTraceparent(context)), context)
  }
})

test('only the sampling flag is read, and later versions may append fields', () => {
  assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-ff`)?.flags, 1)
  assert.equal(readTraceparent(`cc-${TRACE}-${SPAN}-00-what-comes-later`)?.spanId, SPAN)
})

test('an invalid trace context is ignored', () => {
  const wrong = [
    undefined,
    '',
    '00',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    ` 00-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(100)}`,
  ]
  for (const text of wrong) assert.equal(readTraceparent(text), null, text)
})
