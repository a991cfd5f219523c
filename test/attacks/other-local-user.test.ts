// Another user of the same machine calls administrative routes over loopback.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createLocalUsers, systemPeers } from '#control-plane/http/access/peer-user.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { createLog } from '#shared/runtime/log.ts'
import { eventually, openWorld } from '../support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
/** An unprivileged user of most systems. */
const OTHER = { uid: 65_534, gid: 65_534 }
const NOT_ROOT = process.getuid?.() !== 0 && 'only root can send a request as another user'

type Answer = { readonly status: number; readonly body: string }

/** Runs a script as the other user, who may be unable to read this folder. Resolves with the JSON that it prints. */
async function asOther(script: string, ...args: string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], { ...OTHER, cwd: '/', env: {} })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  assert.ok(output, errors)
  return JSON.parse(output)
}
/** Statuses and bodies of requests, one after the other. */
const REQUESTS = `
  const answers = []
  for (const [url, init] of JSON.parse(process.argv[1])) {
    const answer = await fetch(url, init)
    answers.push({ status: answer.status, body: await answer.text() })
  }
  console.log(JSON.stringify(answers))`
test('another local user cannot administer the studio without the key', { skip: NOT_ROOT }, async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_API_KEY: KEY, STUDIO_HOST: 'localhost' } })
  const { port } = new URL(world.url)
  const headers = { 'content-type': 'application/json' }
  const enable = { method: 'POST', headers, body: '{"enabled":true}' }
  const key = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })

  const at = (host: string, path: string, init = {}) => [`http://${host}:${port}${path}`, init]
  const requests = [
    at('localhost', '/workers/enabled', enable),
    at('localhost', '/workers', key(`${KEY}x`)),
    at('localhost', '/history'),
    at('localhost', '/workers', key(KEY)),
  ]
  const [refused, wrong, consumed, allowed] = (await asOther(REQUESTS, JSON.stringify(requests))) as Answer[]
  assert.equal(refused!.status, 403, refused!.body)
  assert.match(refused!.body, /another user of this machine.*API key/)
  assert.equal(wrong!.status, 403, wrong!.body)
  assert.equal(consumed!.status, 200, consumed!.body)
  assert.equal(allowed!.status, 200, allowed!.body)

  assert.equal((await world.get('/workers')).json().enabled, false)

  const admin = CONTRACTS.filter(({ access }) => access === 'admin')
  const all = admin.map(({ method, path }) => at('localhost', path.replaceAll(/\{\w+\}/g, 'x'), { method }))
  const answers = (await asOther(REQUESTS, JSON.stringify(all))) as Answer[]
  for (const [index, { method, path }] of admin.entries()) assert.equal(answers[index]!.status, 403, `${method} ${path}`)
  assert.equal((await world.post('/workers/enabled', { enabled: true })).status, 200, 'the user of the studio needs no key')
})

test('a connection that another local user has closed is not taken for one of root', { skip: NOT_ROOT }, async (t) => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { isOurs } = createLocalUsers({ ...systemPeers(createLog('silent', 'test')), uid: 12_345 })
  const accepting = once(server, 'connection') as Promise<[Socket]>
  // Closes the socket and keeps running: the kernel goes on with the connection and shows it without an owner, as uid 0.
  const gone = asOther(
    `
    import { connect } from 'node:net'
    const socket = connect(Number(process.argv[1]), '127.0.0.1', () => socket.end('x', () => socket.destroy()))
    socket.on('close', () => console.log('0'))`,
    String(port),
  )
  const [accepted] = await accepting
  accepted.resume()
  await gone
  const closed = new RegExp(`:${port.toString(16).toUpperCase().padStart(4, '0')} 05 `)
  await eventually(() => closed.test(readFileSync('/proc/net/tcp', 'latin1')))
  assert.equal(await isOurs(accepted), false)
  accepted.destroy()
})
