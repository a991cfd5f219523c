import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { controlPath, createControlClient, openControlServer } from '#shared/link/agent-control.ts'
import { AGENT_CONTROL, type AgentControl, type LendingView } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { socketFolder, socketParentFolder } from '#shared/runtime/socket-folder.ts'

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

test('one agent per folder, and the socket of a dead agent is taken over', async (t) => {
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

test('a missing agent is reported, and malformed requests are refused without harm', async (t) => {
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

test('a data folder with a long name gets a stable socket path elsewhere', () => {
  const long = `/${'deep/'.repeat(40)}`
  assert.ok(controlPath(long).length <= 100)
  assert.equal(controlPath(long), controlPath(long))
  assert.notEqual(controlPath(long), controlPath(`${long}x`))
})

test("with a long temporary folder the sockets are in the system's own", async () => {
  assert.equal(socketParentFolder('/tmp'), '/tmp')
  assert.equal(socketParentFolder(`/tmp/${'x'.repeat(80)}`), '/tmp')
  assert.ok(controlPath(`/home/${'long '.repeat(30)}`).length <= 100)
})

test('a socket folder that another user may have created is not used', async (t) => {
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
