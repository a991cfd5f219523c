// A connection goes on after each refusal of a body: the next request on it is answered.

import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { openWorld } from '#test/support/world/world.ts'

const USUAL_BYTES = MIB
const LIMIT_MS = 60_000

test('every route with a limit of its own refuses a longer body, and its connection serves the next request', async (t) => {
  const world = await openWorld(t, { withoutAgent: true })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const call = (method: string, path: string, body?: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const headers = body && {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': body.length,
      }
      const sent = request(world.url + path, { method, agent, timeout: LIMIT_MS, ...(headers && { headers }) }, (reply) => {
        reply.resume()
        reply.once('end', () => resolve(reply.statusCode!))
      })
      sent.once('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered`)))
      sent.once('error', reject)
      sent.end(body)
    })
  const limits = new Map(CONTRACTS.flatMap((row) => (row.body && !row.form ? [[row.bodyBytes ?? USUAL_BYTES, row] as const] : [])))
  assert.ok(limits.size > 3)
  // One route of each limit, with a body that is a little too long, and one that is far too long.
  for (const [limit, { method, path: pattern }] of limits)
    for (const length of [limit + 1, limit + 3 * MIB]) {
      const path = pattern.replaceAll(/\{\w+\}/g, 'none')
      const status = await call(method, path, Buffer.alloc(length, 'a'))
      assert.ok([404, 413, 429].includes(status), `${method} ${path} with ${length} bytes: ${status}`)
      assert.equal(await call('GET', '/health'), 200, `after ${method} ${path} with ${length} bytes`)
    }
})
