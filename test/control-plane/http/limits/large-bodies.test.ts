import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createLargeBodies } from '#control-plane/http/limits/large-bodies.ts'

const MIB = 1024 * 1024

test('large bodies are limited, small ones never, and a closed response makes room', () => {
  const bodies = createLargeBodies(2)
  const enter = (headers: Record<string, string>) => {
    const response = new EventEmitter()
    bodies.enter({ headers }, response)
    return response
  }
  const first = enter({ 'content-length': String(MIB + 1) })
  enter({ 'transfer-encoding': 'chunked' })
  for (const length of [MIB + 1, 16 * MIB]) assert.throws(() => enter({ 'content-length': String(length) }), { code: 'QUEUE_FULL' })
  assert.throws(() => enter({}), { code: 'QUEUE_FULL' })
  for (let at = 0; at < 100; at++) enter({ 'content-length': String(MIB) })
  first.emit('close')
  enter({ 'content-length': String(2 * MIB) })
  assert.throws(() => enter({}), { code: 'QUEUE_FULL' })
})
