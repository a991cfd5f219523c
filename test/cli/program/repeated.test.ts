// A command that meets a studio during an update.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { requestJson } from '#cli/lib/studio/api.ts'

test('a command repeats what was refused for a moment, and reports what is refused for longer', async (t) => {
  const answers = ['1', '1', null, '30']
  const bodies: string[] = []
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const piece of request) text += piece
    bodies.push(text)
    const seconds = answers.shift()
    reply.writeHead(seconds ? 503 : 200, { 'content-type': 'application/json', ...(seconds && { 'retry-after': seconds }) })
    reply.end(JSON.stringify(seconds ? { detail: 'Come again.' } : { done: true }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port) }
  assert.deepEqual(await requestJson(env, 'POST', '/work', { text: 'Good morning.' }), { done: true })
  assert.deepEqual(bodies, Array(3).fill('{"text":"Good morning."}'))
  await assert.rejects(requestJson(env, 'POST', '/work', {}), /Come again/)
})
