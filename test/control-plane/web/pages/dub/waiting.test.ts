// The reason for which a dub waits, as the events of its job say it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonOf } from '#control-plane/web/pages/dub-panel/waits.ts'

const eventOf = (event: object) => ({ payload: `data: ${JSON.stringify(event)}\n\n` })
const waits = (reason: string) => eventOf({ type: 'routing_notice', status: 'waiting', reason })
const progress = eventOf({ type: 'progress' })

test('the newest reason holds until the work goes on', () => {
  assert.equal(reasonOf([]), '')
  assert.equal(reasonOf([progress, waits('No machine.')]), 'No machine.')
  assert.equal(reasonOf([waits('No machine.'), waits('Another.')]), 'Another.')
  assert.equal(reasonOf([waits('No machine.'), progress]), '')
  assert.equal(reasonOf([waits('No machine.'), eventOf({ type: 'routing_notice', status: 'notice', reason: 'x' })]), 'No machine.')
})
