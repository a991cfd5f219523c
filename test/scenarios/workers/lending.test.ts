// The lending side: a daemon and the studio's own agent, controlled by their owner over the private socket.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import { encodeJoinCode, parseJoinCode } from '#shared/protocol/codes/join-code.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { studio as command } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { cleanHistory, slowly, startOn, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, openWorld, sharedWorld, type World } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true })
const HELLO = { input: 'Hello.', response_format: 'pcm' }
const owner = (dataDir: string) => createControlClient(controlPath(dataDir), clock)

async function runsOn(world: World, workerId: string): Promise<void> {
  await world.post('/workers/target', { target: workerId })
  assert.equal((await world.post('/v1/audio/speech', HELLO)).status, 200)
  assert.deepEqual(
    (await tasksOf(world))[0]!.attempts.map(({ worker_id }) => worker_id),
    [workerId],
  )
}

test('machines are lent to a studio', { timeout: 400_000 }, async (t) => {
  const [home, friend] = await Promise.all([open(), openWorld(t)])

  await t.test("a daemon lends on its owner's terms", async (t) => {
    const world = home
    const box = await world.machine('box')
    await world.approve(box)
    let again = box
    const agent = owner(box.dataDir)
    const settings = { STUDIO_DATA_DIR: box.dataDir, STUDIO_DEVELOPMENT: '1' }
    const connected = async () =>
      (await world.get('/workers')).json().workers.find(({ id }: { id: string }) => id === box.workerId)?.connected

    await t.test('it reports which studio it works for; a second daemon is refused', async () => {
      const view = await agent.status({})
      assert.deepEqual(
        [view.enabled, view.connected, view.enrolled, view.worker_id, view.daemon, view.pid, view.pinned, view.last_error],
        [true, true, true, box.workerId, true, box.program.pid, false, ''],
      )
      const second = startProgram(t, ['agent/main.ts'], settings)
      assert.equal(await second.ended, 1)
      assert.match(second.output(), /^agent: An agent is already running here/)
      const { code, output } = await command(['agent', 'status'], { env: settings })
      assert.equal(code, 0)
      assert.match(output, new RegExp(`^Lending: connected\nStudio: .*\nThis machine: ${box.workerId}\nTasks: 0\nListening: off`))
      await runsOn(world, box.workerId)
    })

    await t.test('a failed join reports the reason, and the earlier enrolment stays in use', async () => {
      const code = parseJoinCode(await world.code())
      const newer = `svcj_${Buffer.from(JSON.stringify({ v: 2 })).toString('base64url')}`
      for (const [text, sentence] of [
        ['hello', /^This is not a join code/],
        [encodeJoinCode(code).slice(0, -30), /^The join code is malformed or truncated/],
        [newer, /^The join code was issued by a newer version/],
        [encodeJoinCode({ ...code, endpoints: ['127.0.0.1:1'] }), /^No answer from 127\.0\.0\.1:1/],
        [encodeJoinCode({ ...code, pins: ['a'.repeat(64)] }), /^The certificate does not match the code/],
      ] as const) {
        await assert.rejects(agent.join({ code: text }), { code: 'CONFLICT', message: sentence })
        const view = await agent.status({})
        assert.match(view.last_error, sentence)
        assert.deepEqual([view.connected, view.worker_id, view.enabled], [true, box.workerId, true])
      }
      await runsOn(world, box.workerId)
    })

    await t.test('off and on again, with the same identity', async () => {
      assert.equal((await agent.lend({ enabled: false })).connected, false)
      await eventually(async () => !(await connected()))
      const on = await agent.lend({ enabled: true })
      assert.deepEqual([on.connected, on.last_error, on.worker_id], [true, '', box.workerId])
      await eventually(connected)
      await runsOn(world, box.workerId)
    })

    await t.test('after a kill it restarts and takes over its old socket', async () => {
      await box.program.end('SIGKILL')
      await assert.rejects(agent.status({}), { code: 'NOT_READY' })
      await box.restart()
      assert.equal((await agent.status({})).connected, true)
    })

    await t.test('finish: completes the current task, then stops', async () => {
      const { pid } = await agent.status({})
      const held = await startOn(world, box.workerId, { params: slowly(12_000) })
      const { code, output } = await command(['agent', 'finish'], { env: settings })
      assert.deepEqual([code, output], [0, 'The agent finishes 1 task, accepts no new ones, then exits.\n'])
      assert.equal((await agent.status({})).draining, true)
      const reply = await held.reply
      assert.equal(reply.status, 200, reply.body.toString())
      assert.deepEqual(
        reply.json().attempts.map(({ worker_id }: { worker_id: string }) => worker_id),
        [box.workerId],
      )
      await eventually(() => {
        try {
          return !process.kill(pid, 0)
        } catch {
          return true
        }
      })
      again = await box.restart()
      assert.equal((await agent.status({})).enabled, true, 'finishing is not leaving')
    })

    await t.test('leave: removes the enrolment completely', async () => {
      const { program } = again
      const { code, output } = await command(['agent', 'leave'], { env: settings })
      assert.deepEqual([code, output], [0, 'This machine no longer belongs to Voice Studio.\n'])
      assert.ok(!existsSync(join(box.dataDir, 'agent/identity.json')))
      const view = await agent.status({})
      assert.deepEqual([view.enabled, view.enrolled, view.connected, view.worker_id], [false, false, false, ''])
      await assert.rejects(agent.lend({ enabled: true }), { code: 'CONFLICT', message: /has joined no studio yet/ })
      const joined = await agent.join({ code: await world.code({ label: 'back' }) })
      assert.equal(joined.connected, true)
      assert.notEqual(joined.worker_id, box.workerId)
      assert.equal(await program.end(), 0)
    })
  })

  await t.test("while a daemon lends, the studio's own agent works only for its studio, until the daemon ends", async (t) => {
    const world = friend
    const agent = owner(world.dataDir)
    await world.studio.end()
    const daemon = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: world.dataDir })
    await daemon.says(/agent started/)
    await world.restart()
    await world.studio.says(/another agent of this machine lends/)
    assert.equal((await world.post('/v1/audio/speech', HELLO)).status, 200)
    assert.equal((await agent.status({})).daemon, true)
    assert.equal(await daemon.end(), 0)
    const view = await eventually(() => agent.status({}).catch(() => null))
    assert.equal(view.daemon, false)
  })

  await t.test('a studio lends through its own agent and keeps working when lending ends; pinned settings cannot be changed', async (t) => {
    const agent = owner(friend.dataDir)
    const view = await eventually(() => agent.status({}).catch(() => null))
    assert.deepEqual([view.daemon, view.enabled, view.enrolled], [false, false, false])

    const daemon = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: friend.dataDir })
    assert.equal(await daemon.ended, 1)

    const joined = await agent.join({ code: await home.code({ label: 'friend' }) })
    assert.equal(joined.connected, true)
    await home.post(`/workers/${joined.worker_id}/consent`)
    const held = await startOn(home, joined.worker_id, { params: slowly(5_000) })
    assert.equal((await agent.finish({})).draining, true)
    assert.equal((await friend.post('/v1/audio/speech', HELLO)).status, 200, 'it still serves its own studio')
    assert.equal((await held.reply).status, 200)
    const off = await eventually(async () => {
      const now = await agent.status({})
      return !now.draining && now
    })
    assert.deepEqual([off.enabled, off.connected, off.enrolled], [false, false, true])
    assert.equal((await friend.post('/v1/audio/speech', HELLO)).status, 200)

    await friend.restart('SIGTERM', { STUDIO_WORKER_MODE: '1' })
    const pinned = await eventually(async () => {
      const now = await agent.status({}).catch(() => null)
      return now?.connected && now
    })
    assert.deepEqual([pinned.pinned, pinned.enabled], [true, true])
    await assert.rejects(agent.lend({ enabled: false }), { code: 'CONFLICT', message: /pinned/ })
    await assert.rejects(agent.join({ code: await home.code() }), { code: 'CONFLICT', message: /pinned/ })

    assert.equal((await home.delete(`/workers/${joined.worker_id}`)).status, 200)
    await eventually(async () => /removed this machine/.test((await agent.status({})).last_error))
    assert.equal((await friend.post('/v1/audio/speech', HELLO)).status, 200)
    await cleanHistory(home)
    await cleanHistory(friend)
  })
})
