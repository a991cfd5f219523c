// Many large forms at once, to every route that takes one. Files go to the disk and never stay in memory; a form that is too long, or whose
// object does not exist, is refused before its body is read; forms of large texts share the budget of large bodies.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as open } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { holdUpload } from '#test/support/flood/uploads.ts'
import { residentBytes } from '#test/support/world/stranger.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const studio = sharedWorld({ withoutAgent: true })
const FORMS = 16
const HELD_BYTES = 32 * MIB
/** Half of what is held. V8 frees buffers that were written to disk after some time only. */
const MAX_GROWTH = 256 * MIB

/** One route of each way in which a contract has its files stored. */
const ways = Map.groupBy(
  CONTRACTS.filter(({ form }) => form),
  ({ spooled, spooledFilm, fileBytes }) => JSON.stringify({ spooled, spooledFilm, fileBytes }),
)
const entrances = [...ways.values()].map(([first]) => first!)

test('large forms that arrive at once are not kept in memory, however their files are stored', async () => {
  const world = await studio()
  for (const { method, path, form } of entrances) {
    const before = residentBytes(world.studio.pid)
    const target = { method, path: path.replaceAll(/\{\w+\}/g, 'nothing'), field: form![0]! }
    const calls = await Promise.all(Array.from({ length: FORMS }, () => holdUpload(world.url, target, HELD_BYTES)))
    const growth = residentBytes(world.studio.pid) - before
    for (const call of calls) call.destroy()
    assert.ok(growth < MAX_GROWTH, `${path}: ${Math.round(growth / MIB)} MiB more are in memory`)
    await eventually(() => readdirSync(join(world.dataDir, 'uploads')).length === 0)
  }
})

test('a form is refused by its length, and for an object that does not exist, before its body is read', async () => {
  const world = await studio()
  const early = async (path: string, method: string, length: number): Promise<number> => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': length, connection: 'close' }
    const call = open(world.url + path, { method, headers })
    call.flushHeaders() // and never sends a body
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    call.on('error', () => {})
    call.destroy()
    return answer.statusCode!
  }
  for (const { path, method } of CONTRACTS.filter(({ form }) => form)) {
    const known = path.replaceAll(/\{\w+\}/g, 'nothing')
    const status = await early(known, method, 1e12)
    assert.ok(status === 413 || (status === 404 && path.includes('{')), `${method} ${path}: ${status}`)
  }
  for (const [method, path] of [
    ['POST', '/dub/import-srt/nothing'],
    ['PUT', '/profiles/nothing/audio'],
    ['PUT', '/profiles/nothing/image'],
  ] as const)
    assert.equal(await early(path, method, 90 * MIB), 404, path)
})

test('forms of large texts share the budget of large bodies', async (t) => {
  const world = await studio()
  const { port } = new URL(world.url)
  const calls: ClientRequest[] = []
  t.after(() => {
    for (const call of calls) call.destroy()
  })
  const statuses: number[] = []
  const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  for (let at = 0; at < 12; at++) {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const call = open({ port, host: '127.0.0.1', method: 'POST', path: '/generate', headers })
    calls.push(call)
    call.on('error', () => {})
    call.on('response', (answer) => {
      statuses.push(answer.statusCode!)
      answer.resume()
    })
    call.write(part('text', 'a'.repeat(MIB - 1)) + part('instruct', 'b'.repeat(MIB - 1)) + part('language', '')) // and never ends
  }
  // One client has four slots.
  await eventually(() => statuses.length === 8)
  assert.deepEqual(new Set(statuses), new Set([429]))
  const project = JSON.stringify({ name: 'x', state: { text: 'y'.repeat(2 * MIB) } })
  assert.equal((await world.send('POST', '/projects', project)).status, 429, 'the same budget')
  for (const call of calls) call.destroy()
  await eventually(async () => (await world.send('POST', '/projects', project)).status === 200)
})
