// A lent machine that takes part in a dub and lies: what it sends is refused or spoken again, and the dub ends right on this machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TONE_DIGEST } from '#agent/engine/tts/tone/engine.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { SILENCE } from '#test/support/peers/hostile-agent.ts'
import { form } from '#test/support/world/http.ts'
import { startProgram } from '#test/support/world/process.ts'
import { slowly, startOn, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, preparedDub } from '../dub-client.ts'

/** The test voice has four permits, and one client leaves the last one to others. */
const PERMITS = 3
/** Failures in a row after which a machine gets no task. */
const TRIPS_AT = 3
const REFUSED = ['length', 'samples', 'part', 'null']
const stamp = (seconds: number) => `00:00:0${Math.floor(seconds)},${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`
const subtitles = (texts: readonly string[]) =>
  texts.map((text, at) => `${at + 1}\n${stamp(at * 1.4)} --> ${stamp(at * 1.4 + 1.3)}\n${text}\n`).join('\n')

const open = sharedWorld({ remote: true })

test('a hostile machine changes nothing in a dub, and its failures are charged to it', withPrograms, async (t) => {
  const world = await open()
  await world.post('/engines/select', { family: 'tts', backend_id: 'tone' })
  t.after(() => world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' }))
  const path = await corpus('sound.mp3')
  let films = 0

  async function importedDub(texts: readonly string[]) {
    const { id } = await preparedDub(world, path, 'talk.mp3', { input_type: 'audio', job_id: `film${++films}` })
    const imported = await world.post(`/dub/import-srt/${id}`, form({ file: Buffer.from(subtitles(texts)) }))
    assert.equal(imported.status, 200, imported.body.toString())
    return { id, segments: imported.json().segments as Record<string, unknown>[] }
  }
  /** Another speed makes another group. */
  async function dubbed(texts: readonly string[], isGrouped: boolean, during: (own: () => ReturnType<typeof tasksOf>) => Promise<void>) {
    const { id, segments } = await importedDub(texts)
    const before = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
    const body = { segments: segments.map((line, at) => ({ ...line, speed: isGrouped ? 1 : 1 + at / 20 })) }
    const reply = await world.post(`/dub/generate/${id}`, { ...body, language: 'English', language_code: 'en', num_step: 1 })
    assert.equal(reply.status, 200, reply.body.toString())
    const own = async () => (await tasksOf(world)).filter(({ task_id }) => !before.has(task_id))
    await during(own)
    const events = await eventsOfTask(world, reply.json().task_id)
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
    assert.deepEqual(
      events.filter(({ type }) => type === 'error'),
      [],
    )
    const { digest } = await openBlocks((await world.get(`/dub/tracks/${id}`)).json().tracks.en.path)
    const tasks = await own()
    assert.equal((await world.delete(`/dub/history/${id}`)).status, 200)
    return { digest, tasks }
  }
  const nothing = async () => {}
  const silent = [`One ${SILENCE}.`, `Another ${SILENCE}.`]
  const alone = { refused: await dubbed(REFUSED, false, nothing), silent: await dubbed(silent, true, nothing) }

  const hostile = startProgram(
    t,
    ['test/support/peers/hostile-agent.ts', await world.code({ label: 'hostile' }), '0', TONE_DIGEST, 'answer'],
    {},
  )
  const [, workerId] = await hostile.says(/joined as (\w+)\./)
  t.after(() => world.remove({ workerId: workerId!, program: hostile }))
  await world.studio.says(new RegExp(`"workerId":"${workerId}".*a machine is connected`))
  /** This machine is full until the release; the other one is approved once it is. */
  async function held() {
    const ids: string[] = []
    for (let at = 0; at < PERMITS; at++) ids.push((await startOn(world, 'local', { params: slowly(1_000_000, at) })).id)
    await world.post('/workers/target', { target: 'auto' })
    assert.equal((await world.post(`/workers/${workerId}/consent`)).status, 200)
    return async () => {
      for (const id of ids) await world.post(`/workers/tasks/${id}/cancel`)
    }
  }

  await t.test('lines for which it sends silence are spoken by this machine', async () => {
    const release = await held()
    const { digest, tasks } = await dubbed(silent, true, async (own) => {
      await eventually(async () =>
        (await own()).some(({ attempts, state }) => state === 'completed' && attempts[0]!.worker_id === workerId),
      )
      await release()
    })
    assert.equal(digest, alone.silent.digest)
    assert.deepEqual(
      tasks.flatMap(({ attempts }) => attempts.map(({ worker_id }) => worker_id)).toSorted(),
      [workerId, 'local', 'local'].toSorted(),
    )
  })

  await t.test('results that no engine sends are refused', async () => {
    // What holds this machine must not run there.
    assert.equal((await world.delete(`/workers/${workerId}/consent`)).status, 200)
    const release = await held()
    const { digest, tasks } = await dubbed(REFUSED, false, async (own) => {
      const failed = async () => (await own()).filter(({ attempts }) => attempts.some(({ state }) => state === 'failed'))
      await eventually(async () => (await failed()).length >= TRIPS_AT)
      await release()
    })
    assert.equal(digest, alone.refused.digest)
    assert.equal(tasks.length, REFUSED.length)
    for (const { attempts } of tasks) {
      for (const { worker_id, error } of attempts.slice(0, -1)) assert.deepEqual([worker_id, error?.code], [workerId, 'INVALID_RESULT'])
      assert.deepEqual([attempts.at(-1)!.worker_id, attempts.at(-1)!.state], ['local', 'committed'])
    }
    const { workers } = (await world.get('/workers')).json()
    assert.equal(workers.find(({ id }: { id: string }) => id === workerId).breakers[0]?.state, 'open')
  })

  assert.ok(!hostile.output().includes('asked for'), hostile.output())
})
