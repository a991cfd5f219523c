import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { keyLines, lendingLines, listeningLines, spaceLines } from '#cli/views/agent-view.ts'
import { qrLines } from '#cli/views/qr.ts'
import { relativeTime } from '#cli/views/relative-time.ts'
import type { InboundView, LendingView } from '#shared/protocol/agent-control.ts'
import { commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })

const lending: LendingView = {
  enabled: true,
  connected: true,
  enrolled: true,
  worker_id: 'w1',
  studio_name: 'home',
  endpoint: '10.0.0.1:7443',
  last_error: '',
  pinned: false,
  draining: false,
  held: 2,
  daemon: true,
  pid: 1,
}
const inbound: InboundView = {
  enabled: true,
  running: true,
  bind: '::',
  port: 7444,
  exposed: true,
  startup_error: null,
  tls_fingerprint: '',
  keys: [],
  sessions: [],
  events: [],
}
function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'agent-cli-'))
  t.after(() => rmSync(made, { recursive: true }))
  return made
}

test('relativeTime formats a moment relative to now', () => {
  assert.deepEqual(
    [0, 1000, 941, 940, 820, 1000 - 3600, 1000 - 3 * 86_400 - 5].map((moment) => relativeTime(moment, 1000)),
    ['never', 'just now', 'just now', '1 minute ago', '3 minutes ago', '1 hour ago', '3 days ago'],
  )
})

test('lendingLines describes each state of lending and the next step', () => {
  const text = (change: Partial<LendingView>) => lendingLines({ ...lending, ...change }).join('\n')
  assert.equal(text({}), 'Lending: connected\nStudio: home at 10.0.0.1:7443\nThis machine: w1\nTasks: 2')
  assert.match(text({ connected: false, last_error: 'No answer.' }), /^Lending: connecting\nStudio: home [\s\S]*\nLast error: No answer\.$/)
  assert.match(text({ approved: false }), /^Lending: connected, waiting for approval in studio home\n/)
  assert.match(text({ draining: true }), /^Lending: finishing its tasks\nStudio: home/)
  assert.match(text({ enabled: false }), /^Lending: off\. .*\.\/studio agent lend on\.\nStudio: home/)
  assert.match(text({ enabled: false, pinned: true }), /set by STUDIO_WORKER_MODE/)
  assert.match(text({ enrolled: false }), /not joined\. Join a studio/)
})

test('listeningLines and keyLines show the listener, its sessions and its keys', () => {
  const session = { session_id: 's', key_id: 'k1', label: 'Ada', peer: '10.0.0.2:5', connected_at: 400, tasks_run: 3 }
  assert.deepEqual(listeningLines({ ...inbound, sessions: [session] }, 1000), [
    'Listening: on [::]:7444 (reachable from other machines)',
    '  Ada from 10.0.0.2:5, connected 10 minutes ago, 3 tasks run',
  ])
  assert.deepEqual(listeningLines({ ...inbound, running: false, startup_error: 'taken' }, 1000), [
    'Listening: off',
    'Listening failed: taken',
  ])
  const key = { key_id: 'k1', label: 'Ada', created_at: 400, last_seen_at: 0, last_seen_peer: '', revoked: false, worker_id: '' }
  const keys = [
    key,
    { ...key, key_id: 'k2', label: 'Bobby', worker_id: 'k2', last_seen_at: 880, last_seen_peer: 'x' },
    { ...key, key_id: 'k3', revoked: true },
  ]
  assert.deepEqual(keyLines(keys, [session], 1000), [
    'k1  Ada    created 10 minutes ago, connected',
    'k2  Bobby  created 10 minutes ago, last connected 2 minutes ago from x',
    'k3  Ada    created 10 minutes ago, revoked',
  ])
})

test('a QR code is drawn only on a terminal that is wide enough', () => {
  const drawn = (more: object) => qrLines('svcj_'.padEnd(300, 'x'), Object.assign(new Writable(), more))
  assert.deepEqual(drawn({}), [])
  assert.deepEqual(drawn({ isTTY: true, columns: 40 }), [])
  const [first, ...lines] = drawn({ isTTY: true, columns: 200 })
  assert.deepEqual([first, lines.pop()], ['', ''])
  assert.ok(lines.length > 20)
  assert.equal(new Set(lines.map((line) => line.length)).size, 1)
})

test('the space for models of other studios is shown with what one of them may use', () => {
  const view = { limit_bytes: 40e9, share_bytes: 40e9, used_bytes: 12.4e9, chosen: true, files_bytes: 0 }
  assert.deepEqual(spaceLines(view), ['Models of other studios: 12.4 GB of at most 40.0 GB'])
  assert.deepEqual(spaceLines({ ...view, chosen: false, share_bytes: 20e9 }), [
    'Models of other studios: 12.4 GB of at most 40.0 GB (half of the free space), at most 20.0 GB for each studio',
  ])
  assert.deepEqual(spaceLines({ ...view, limit_bytes: null, share_bytes: null }), ['Models of other studios: 12.4 GB'])
  assert.deepEqual(spaceLines({ ...view, limit_bytes: null, share_bytes: null, files_bytes: 2e9 }).slice(1), [
    'Studios may send files of models, 2.0 GB at a time. They are verified against no publisher.',
  ])
})

test('without a running agent each command says how to start one; invalid arguments exit with 2', async (t) => {
  const env = { STUDIO_DATA_DIR: folder(t) }
  for (const args of [['status'], ['finish'], ['lend', 'on'], ['keys'], ['keys', 'add', 'Ada']]) {
    const { code, errors } = await studio(['agent', ...args], { env })
    assert.equal(code, 3)
    assert.match(errors, /^studio: No agent .* Start one with \.\/studio agent\.\n$/)
  }
  for (const args of [['dance'], ['lend', 'maybe'], ['keys', 'add'], ['listen', '--port', 'x'], ['status', 'now'], ['space', 'much']])
    assert.equal((await studio(['agent', ...args], { env })).code, 2, args.join(' '))
  const typed = await studio(['agent', 'join', '-'], { env, input: '\n  svcj_short  \n' })
  assert.deepEqual([typed.code, /join code/i.test(typed.errors)], [1, true], typed.errors)
  assert.equal((await studio(['agent', 'join', '-'], { env, input: '' })).code, 2)
  const { code, output } = await studio(['agent', 'leave'], { env })
  assert.deepEqual([code, output], [0, 'This machine belongs to no studio.\n'])
})

test('invite prints the join code of the running studio, and refuses while remote machines are off', async () => {
  const world = await open()
  const run = commandsOf(world)
  const early = await run('invite')
  assert.deepEqual(
    [early.code, early.errors],
    [1, 'studio: Remote machines are off, so a join code would not work yet. First run ./studio workers on.\n'],
  )
  await world.post('/workers/enabled', { enabled: true })
  const { code, output } = await run('invite', '--label', 'attic', '--ttl', '600')
  assert.equal(code, 0)
  const { endpoint } = (await world.get('/workers')).json()
  assert.match(
    output,
    /^svcj_\S+\nOn the lending machine, run .*\n(?: {2}.*: .* join CODE\n)+The code connects to \S+, works once and expires in 10 minutes\./,
  )
  assert.ok(output.includes(`connects to ${endpoint},`), output)
  assert.deepEqual(Object.keys(jsonIn((await run('invite', '--json')).output)).sort(), ['commands', 'endpoint', 'expires_at', 'token'])
  assert.equal((await run('invite', '--ttl', '5')).code, 2)

  // The code works once.
  const box = await world.join(output.split('\n')[0]!)
  const listed = (await world.get('/workers')).json().workers as { id: string; name: string }[]
  assert.equal(listed.find(({ id }) => id === box.workerId)!.name, 'attic')
  const again = await studio(['agent', 'join', '-'], { env: { STUDIO_DATA_DIR: `${box.dataDir}-other` }, input: output.split('\n')[0]! })
  assert.deepEqual([again.code, again.output], [1, ''])
  await world.studio.end()
  const gone = await run('invite')
  assert.match(gone.errors, /No studio is running at .*\. Start one with \.\/studio\.\n$/)
})
