// The way of a first user on Windows: a studio starts, says a sentence, a machine joins it and does a task. It runs on every system, so that a failure
// elsewhere is no fault of Windows.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf } from '#test/support/world/cli.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

/** Without a connection that is kept: wine refuses the options that `fetch` sets for one. */
async function post(url: string, body: object = {}): Promise<Buffer> {
  const sent = request(url, { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } }).end(JSON.stringify(body))
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await reply.toArray())
  assert.equal(reply.statusCode, 200, bytes.toString())
  return bytes
}

test('a studio starts, says a sentence, and a machine that joins does a task', { timeout: 1_400_000 }, async (t) => {
  const world = await openWorld(t)
  const file = join(temporaryFolder(t), 'morning.wav')
  const said = await commandsOf(world)('say', 'Good morning.', '-o', file)
  assert.equal(said.code, 0, said.errors)
  assert.equal(readFileSync(file).toString('latin1', 0, 4), 'RIFF')

  await post(`${world.url}/workers/enabled`, { enabled: true })
  const { token } = JSON.parse((await post(`${world.url}/workers/enrollments`, { label: 'attic' })).toString()) as { token: string }
  const machine = await world.join(token)
  await post(`${world.url}/workers/${machine.workerId}/consent`)
  await post(`${world.url}/workers/target`, { target: machine.workerId })
  const speech = await post(`${world.url}/v1/audio/speech`, { input: 'Good evening.', response_format: 'wav' })
  assert.ok(speech.length > 20_000, `${speech.length} bytes`)
  assert.match(machine.program.output(), /engine host started/)
})
