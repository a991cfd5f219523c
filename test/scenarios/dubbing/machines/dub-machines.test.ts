// A dub on two machines: its speech is spread over those that the owner approved, and its sound is that of one machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TONE_DIGEST } from '#agent/engine/tts/tone/engine.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { speechWav } from '#test/support/archive/bundle.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { form } from '#test/support/world/http.ts'
import { startProgram } from '#test/support/world/process.ts'
import { slowly, startOn, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, preparedDub, typesOf } from '../dub-client.ts'

/** Another speed makes another group. */
const GROUPS = 6
const LINES_PER_GROUP = 2
const LINE_SECONDS = 6 / (GROUPS * LINES_PER_GROUP)
/** Length of the recording of the voice: much more than the rest of a link in the same time. */
const CLIP_SECONDS = 10
const CLIP_RATE = 24_000
const CLIP_BYTES = CLIP_SECONDS * CLIP_RATE * 2
type Tasks = Awaited<ReturnType<typeof tasksOf>>
/** The test voice has four permits, and one client leaves the last one to others. */
const PERMITS = 3

/** A quarter of a second of waiting for each group. */
const requestOf = (profile: string) => ({
  segments: Array.from({ length: GROUPS * LINES_PER_GROUP }, (_, index) => ({
    id: index,
    start: index * LINE_SECONDS,
    end: (index + 0.9) * LINE_SECONDS,
    text: `Line ${index}.`,
    speed: 1 + (index % GROUPS) / 20,
    profile_id: profile,
  })),
  language: 'English',
  language_code: 'en',
  num_step: 128,
})

const open = sharedWorld({ remote: true })

test('a dub is spread over approved machines, and sounds as on one', withPrograms, async (t) => {
  const world = await open()
  const network = await openNetwork(t, (await world.get('/workers')).json().endpoint)
  const box = await world.machine('box', {}, { endpoint: network.address })
  t.after(() => world.remove(box))
  await world.post('/engines/select', { family: 'tts', backend_id: 'tone' })
  t.after(() => world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' }))
  const fields = { name: 'Ada', ref_audio: Buffer.from(speechWav(CLIP_SECONDS, CLIP_RATE, 3)), ref_text: 'Hello.' }
  const { id: profile } = (await world.post('/profiles', form(fields))).json()
  const path = await corpus('sound.mp3')
  let films = 0

  /** The same film as a new dub, so that all of it is spoken. */
  async function dubbedOn(target: string, during: (tasks: () => Promise<Tasks>) => Promise<void> = async () => {}) {
    await world.post('/workers/target', { target })
    const { id } = await preparedDub(world, path, 'talk.mp3', { input_type: 'audio', job_id: `film${++films}` })
    const before = { tasks: new Set((await tasksOf(world)).map(({ task_id }) => task_id)), sent: network.passed().down }
    const reply = await world.post(`/dub/generate/${id}`, requestOf(profile))
    assert.equal(reply.status, 200, reply.body.toString())
    const own = async () => (await tasksOf(world)).filter(({ task_id }) => !before.tasks.has(task_id))
    await during(own)
    const events = await eventsOfTask(world, reply.json().task_id)
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
    assert.deepEqual(
      events.filter(({ type }) => type === 'error'),
      [],
    )
    const tasks = await own()
    const { path: track } = (await world.get(`/dub/tracks/${id}`)).json().tracks.en
    const { digest } = await openBlocks(track)
    const sent = network.passed().down - before.sent
    assert.equal((await world.delete(`/dub/history/${id}`)).status, 200)
    const machines = tasks.flatMap(({ attempts }) => attempts.map(({ worker_id }) => worker_id))
    return { digest, tasks, machines, sent, types: typesOf(events) }
  }
  /** Leaves this many free permits. The tasks that hold the others take their time. */
  async function withFree(free: { readonly local: number; readonly box: number }) {
    const hold = async (target: string, from: number) => {
      const tasks = Array.from({ length: PERMITS }, (_, at) => ({ params: slowly(100_000, from + at) }))
      const ids: string[] = []
      for (const task of tasks) ids.push((await startOn(world, target, task)).id)
      return ids
    }
    // Tasks for this machine go to another one while that has room.
    const boxIds = await hold(box.workerId, 0)
    const localIds = await hold('local', PERMITS)
    const release = async (ids: readonly string[]) => {
      for (const id of ids) await world.post(`/workers/tasks/${id}/cancel`)
      const isOver = ({ task_id, state }: Tasks[number]) => !ids.includes(task_id) || ['cancelled', 'failed'].includes(state)
      await eventually(async () => (await tasksOf(world)).every(isOver))
    }
    await release([...boxIds.splice(0, free.box), ...localIds.splice(0, free.local)])
    return { release: () => release([...boxIds, ...localIds]) }
  }
  const onlyLocal = Array.from({ length: GROUPS }, () => 'local')

  const alone = await dubbedOn('local')
  assert.deepEqual(alone.machines, onlyLocal)

  await t.test('a machine without approval receives nothing', async () => {
    for (const target of ['auto', box.workerId]) {
      const { digest, machines, sent } = await dubbedOn(target)
      assert.deepEqual(machines, onlyLocal)
      assert.equal(digest, alone.digest)
      assert.ok(sent < CLIP_BYTES / 10, `${sent} bytes went there`)
    }
  })

  await t.test('both machines speak, and the recording travels once', async () => {
    await world.approve(box)
    // Two groups at once need both machines.
    const held = await withFree({ local: 1, box: 1 })
    const both = await dubbedOn('auto')
    await held.release()
    assert.deepEqual([...new Set(both.machines)].toSorted(), ['local', box.workerId].toSorted())
    assert.equal(both.tasks.length, GROUPS)
    assert.equal(both.digest, alone.digest)

    const remote = await dubbedOn(box.workerId)
    assert.deepEqual([...new Set(remote.machines)], [box.workerId])
    assert.equal(remote.digest, alone.digest)
    const sent = both.sent + remote.sent
    assert.ok(sent > CLIP_BYTES && sent < 1.5 * CLIP_BYTES, `${sent} bytes went there for a recording of ${CLIP_BYTES}`)
  })

  await t.test('machines with another model speak nothing', async (t) => {
    const join = async (digest: string) => {
      const program = startProgram(t, ['test/support/peers/hostile-agent.ts', await world.code({ label: 'other' }), '0', digest], {})
      const [, workerId] = await program.says(/joined as (\w+)\./)
      t.after(() => world.remove({ workerId: workerId!, program }))
      await world.studio.says(new RegExp(`"workerId":"${workerId}".*a machine is connected`))
      assert.equal((await world.post(`/workers/${workerId}/consent`)).status, 200)
      return { program, workerId: workerId! }
    }
    const held = await withFree({ local: 0, box: 0 })
    const other = await join('f'.repeat(64))
    // Its model was replaced after it described itself.
    const replaced = await join(TONE_DIGEST)
    const { machines, digest } = await dubbedOn('auto', async () => {
      await replaced.program.says(new RegExp(`declined ${TONE_DIGEST}\\.`))
      await held.release()
    })
    assert.ok(machines.includes(replaced.workerId))
    assert.ok(!machines.includes(other.workerId))
    assert.equal(digest, alone.digest)
  })

  await t.test('a machine that dies costs the group that it was speaking', async () => {
    const held = await withFree({ local: 0, box: 1 })
    const died = await dubbedOn('auto', async (tasks) => {
      await eventually(async () => (await tasks()).some(({ state }) => state === 'completed'))
      await box.program.end('SIGKILL')
      await held.release()
    })
    assert.equal(died.tasks.length, GROUPS, 'what was spoken is not spoken again')
    const lost = died.tasks.filter(({ attempts }) =>
      attempts.some(({ worker_id, state }) => worker_id === box.workerId && state !== 'committed'),
    )
    assert.ok(lost.length <= 1, `${lost.length} groups were lost`)
    assert.ok(died.tasks.every(({ attempts }) => attempts.length <= 2))
    assert.deepEqual([...new Set(died.machines)].toSorted(), ['local', box.workerId].toSorted())
    assert.equal(died.digest, alone.digest)
  })

  await t.test('a chosen machine that goes away: the job says what it waits for, and goes on here without what was spoken', async (t) => {
    const shed = await world.machine('shed')
    t.after(() => world.remove(shed))
    await world.approve(shed)
    await world.post('/workers/target', { target: shed.workerId })
    const { id } = await preparedDub(world, path, 'talk.mp3', { input_type: 'audio', job_id: `film${++films}` })
    const before = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
    const own = async () => (await tasksOf(world)).filter(({ task_id }) => !before.has(task_id))
    const speak = async () => (await world.post(`/dub/generate/${id}`, requestOf(profile))).json().task_id as string
    const rows = async (job: string) => (await world.get(`/jobs/${job}/events`)).json()
    const first = await speak()
    await eventually(async () => (await own()).some(({ state }) => state === 'completed'))
    await shed.program.end('SIGKILL')
    await eventually(async () => /"status":"waiting"/.test(JSON.stringify((await rows(first)).events).replaceAll('\\', '')))
    const spoken = (await own()).filter(({ state }) => state === 'completed').length
    assert.ok(spoken < GROUPS, 'it went away in the middle')
    // As the page does it.
    await world.post('/workers/target', { target: 'local' })
    await world.post(`/tasks/cancel/${first}`, {})
    await eventually(async () => !['pending', 'running'].includes((await rows(first)).job.status))
    const events = await eventsOfTask(world, await speak())
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
    const here = (await own()).filter(({ attempts, state }) => state === 'completed' && attempts.at(-1)!.worker_id === 'local')
    assert.ok(here.length <= GROUPS - spoken, `${here.length} groups were spoken here after ${spoken} there`)
  })
})
