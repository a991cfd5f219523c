import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { controlPath, createControlClient, openControlServer } from '#shared/link/agent-control.ts'
import { AGENT_CONTROL, type AgentControl, type LendingView } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { localAddress, pipeAddress, socketFolder, socketParentFolder } from '#shared/runtime/socket-folder.ts'

const view: LendingView = {
  enabled: true,
  connected: false,
  enrolled: true,
  worker_id: 'w',
  studio_name: 'Studio',
  endpoint: '127.0.0.1:7443',
  last_error: '',
  pinned: false,
  draining: false,
  held: 0,
  daemon: true,
  pid: 1,
}
const unused = () => Promise.reject(new Error('a secret accident'))
const control = (parts: Partial<AgentControl>): AgentControl => ({
  ...(Object.fromEntries(Object.keys(AGENT_CONTROL).map((question) => [question, unused])) as unknown as AgentControl),
  ...parts,
})
function folder(t: TestContext): string {
  const made = socketFolder('voice-control-')
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Windows has pipes instead. */
const SOCKETS = { skip: process.platform === 'win32' && 'there are no sockets in folders' }
/** Pipes, or sockets in place of them. */
const pipesIn = (home: string) => (process.platform === 'win32' ? pipeAddress : (name: string) => join(home, name.slice(-16)))

test('a request is answered, and a refusal keeps its code and message', async (t) => {
  const path = controlPath(folder(t))
  const door = await openControlServer(
    path,
    control({
      status: async () => view,
      join: async ({ code }) => {
        throw new Failure('AUTH_FAILED', `no ${code}`)
      },
    }),
    { clock, log },
  )
  t.after(() => door?.close())
  const agent = createControlClient(path, clock)
  assert.deepEqual(await agent.status({}), view)
  await assert.rejects(agent.join({ code: 'Zoë 李' }), { code: 'AUTH_FAILED', message: 'no Zoë 李' })
  await assert.rejects(agent.join({ code: 'x'.repeat(5_000) }), { code: 'BAD_REQUEST' })
  await assert.rejects(agent.lend({ enabled: true }), { code: 'UNKNOWN' })
})

test('one agent per folder, and the socket of a dead agent is taken over', SOCKETS, async (t) => {
  const path = controlPath(folder(t))
  const first = await openControlServer(path, control({}), { clock, log })
  assert.ok(first)
  assert.equal(await openControlServer(path, control({}), { clock, log }), null)
  first.close()
  writeFileSync(path, '')
  const second = await openControlServer(path, control({ status: async () => view }), { clock, log })
  assert.ok(second)
  t.after(() => second.close())
  assert.equal((await createControlClient(path, clock).status({})).worker_id, 'w')
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
})

test('of several agents that find the socket of a dead one, exactly one takes it over', async (t) => {
  const path = controlPath(folder(t))
  for (let round = 0; round < 3; round++) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, '')
    const opened = await Promise.all(
      [1, 2, 3, 4].map((id) => openControlServer(path, control({ status: async () => ({ ...view, pid: id }) }), { clock, log })),
    )
    const owners = opened.flatMap((server, index) => (server ? [index + 1] : []))
    assert.equal(owners.length, 1)
    assert.equal((await createControlClient(path, clock).status({})).pid, owners[0])
    for (const server of opened) server?.close()
    assert.deepEqual(readdirSync(dirname(path)), [], 'no socket is left')
  }
})

test('a missing agent is reported, and malformed requests are refused without harm', SOCKETS, async (t) => {
  const path = controlPath(folder(t))
  await assert.rejects(createControlClient(path, clock).status({}), { code: 'NOT_READY' })
  const door = await openControlServer(path, control({ status: async () => view }), { clock, log })
  t.after(() => door?.close())
  const said = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = ''
      const socket = connect(path, () => socket.write(text))
      socket
        .on('data', (bytes) => (heard += bytes))
        .on('error', () => {})
        .on('close', () => resolve(heard))
    })
  assert.match(await said('{"question":"constructor"}\n'), /BAD_REQUEST/)
  assert.match(await said('not json\n'), /failure/)
  assert.equal(await said('x'.repeat(1_200_000)), '')
  assert.equal((await createControlClient(path, clock).status({})).pid, 1)
})

test('an agent that ends before it answers is no longer there, and that is no failure of a connection', async (t) => {
  const home = folder(t)
  for (const pipeAt of [null, pipesIn(home)]) {
    if (pipeAt === null && process.platform === 'win32') continue
    const path = controlPath(home, pipeAt)
    const ending = new Promise<LendingView>(() => {})
    let close = () => {}
    const ends = async () => {
      close()
      return await ending
    }
    const server = await openControlServer(path, control({ status: ends }), { clock, log, pipeAt })
    close = () => server?.close()
    await assert.rejects(createControlClient(path, clock, pipeAt).status({}), {
      code: 'NOT_READY',
      cause: undefined,
      message: /ended before/,
    })
  }
})

test('where sockets are pipes, one agent serves a data folder, and its pipe and key change with each start', async (t) => {
  const home = folder(t)
  const pipeAt = pipesIn(home)
  const path = controlPath(home, pipeAt)
  const open = (pid: number) => openControlServer(path, control({ status: async () => ({ ...view, pid }) }), { clock, log, pipeAt })
  const client = createControlClient(path, clock, pipeAt)
  await assert.rejects(client.status({}), { code: 'NOT_READY' })

  const opened = await Promise.all([1, 2, 3].map(open))
  const owners = opened.flatMap((server, index) => (server ? [index + 1] : []))
  assert.equal(owners.length, 1)
  assert.equal((await client.status({})).pid, owners[0])
  assert.equal(await open(4), null)
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
  const before = readFileSync(path, 'utf8')

  for (const server of opened) server?.close()
  assert.ok(!existsSync(path), 'a stopped agent leaves no name')
  // The file of one that was killed.
  writeFileSync(path, before)
  const next = await open(5)
  t.after(() => next?.close())
  assert.notEqual(readFileSync(path, 'utf8'), before)
  assert.equal((await client.status({})).pid, 5)
})

test('a pipe of another user learns no request, and without the key none is answered', async (t) => {
  const home = folder(t)
  const pipeAt = pipesIn(home)
  const path = controlPath(home, pipeAt)
  const server = await openControlServer(path, control({ status: async () => view }), { clock, log, pipeAt })
  assert.ok(server)
  const kept = readFileSync(path, 'utf8')
  const { pipe } = JSON.parse(kept) as { pipe: string }
  const said = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = ''
      const socket = connect(pipeAt(pipe), () => socket.write(text))
      socket
        .on('data', (bytes) => (heard += bytes))
        .on('error', () => {})
        .on('close', () => resolve(heard))
    })
  assert.equal(await said('{"question":"status"}\n'), '')
  assert.match(await said(`${'0'.repeat(64)}\n${'0'.repeat(64)}\n{"question":"status"}\n`), /^[0-9a-f]{64} [0-9a-f]{64}\n$/)
  server.close()

  // The agent was killed, and another user opened its name.
  writeFileSync(path, kept)
  let received = ''
  const stranger = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        received += bytes
        socket.write(`${'0'.repeat(64)} ${'0'.repeat(64)}\n`)
      })
  })
  await new Promise<void>((resolve) => stranger.listen(pipeAt(pipe), resolve))
  t.after(() => stranger.close())
  await assert.rejects(createControlClient(path, clock, pipeAt).join({ code: 'a secret' }), { code: 'NOT_READY' })
  assert.match(received, /^[0-9a-f]{64}\n$/)
  const taken = await openControlServer(path, control({ status: async () => view }), { clock, log, pipeAt })
  assert.ok(taken, 'it holds up no start either')
  taken.close()
})

test('a data folder with a long name gets a stable socket path elsewhere', SOCKETS, () => {
  const long = `/${'deep/'.repeat(40)}`
  assert.ok(controlPath(long).length <= 100)
  assert.equal(controlPath(long), controlPath(long))
  assert.notEqual(controlPath(long), controlPath(`${long}x`))
})

test("with a long temporary folder the sockets are in the system's own", SOCKETS, async () => {
  assert.equal(socketParentFolder('/tmp'), '/tmp')
  assert.equal(socketParentFolder(`/tmp/${'x'.repeat(80)}`), '/tmp')
  assert.equal(socketParentFolder(`/tmp/${'x'.repeat(80)}`, 'darwin'), '/tmp')
  assert.ok(controlPath(`/home/${'long '.repeat(30)}`).length <= 100)
})

test('servers of this machine are pipes on Windows, and sockets in a folder elsewhere', SOCKETS, () => {
  assert.equal(localAddress('/tmp/voice-studio-x1', 'agents.sock', 'win32'), '\\\\.\\pipe\\voice-studio-x1-agents.sock')
  for (const platform of ['linux', 'darwin'] as const)
    assert.equal(localAddress('/tmp/voice-studio-x1', 'agents.sock', platform), '/tmp/voice-studio-x1/agents.sock')
})

test('a socket folder that another user may have created is not used', SOCKETS, async (t) => {
  const everybodys = folder(t)
  chmodSync(everybodys, 0o1777)
  const path = join(everybodys, 'voice-studio-0', 'control.sock')
  const parts = control({ status: async () => view })
  mkdirSync(join(path, '..'))
  chmodSync(join(path, '..'), 0o755)
  await assert.rejects(openControlServer(path, parts, { clock, log }), {
    code: 'FORBIDDEN',
    message: /Another user can access .*STUDIO_DATA_DIR/,
  })
  await assert.rejects(createControlClient(path, clock).join({ code: 'a secret' }), { code: 'FORBIDDEN' })
  chmodSync(join(path, '..'), 0o700)
  const door = await openControlServer(path, parts, { clock, log })
  t.after(() => door?.close())
  assert.equal((await createControlClient(path, clock).status({})).pid, 1)
})
