// Servers that send too slowly, on a manual clock.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createFetch } from '#shared/download/fetch.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

/** A body that is being read, and its server side. */
async function open(t: TestContext) {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => asked.resolve(response.writeHead(200))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const clock = createFakeClock()
  const fetching = createFetch({ base, token: null, clock, version: '0', stallMs: 30_000 })(base, { signal: t.signal })
  const response = await asked.promise
  response.flushHeaders()
  const { body } = await fetching
  const pieces = body[Symbol.asyncIterator]()
  return {
    clock,
    response,
    pieces,
    /** That many bytes reach the reader 20 seconds later. */
    async arrive(bytes: number) {
      clock.advance(20_000)
      response.write(Buffer.alloc(bytes))
      for (let left = bytes; left > 0; ) left -= (await pieces.next()).value.length
    },
  }
}

test('a server that drips is left after a minute, although it never stalls', async (t) => {
  const { pieces, arrive, clock } = await open(t)
  for (let each = 0; each < 2; each++) await arrive(100)
  const next = pieces.next()
  const failed = assert.rejects(next, /the server sent less than 1 KiB a second for 60 s/)
  clock.advance(20_000)
  await failed
})

test('a slow server is used while it sends 1 KiB a second', async (t) => {
  const { response, pieces, arrive, clock } = await open(t)
  for (let each = 0; each < 9; each++) await arrive(31_000)
  response.end('end')
  assert.equal(String((await pieces.next()).value), 'end')
  assert.equal((await pieces.next()).done, true)
  assert.equal(clock.waiting(), 0, 'no timer is left')
})
