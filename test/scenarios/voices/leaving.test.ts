// Recordings that must not leave this machine, through every path that speaks: bytes are counted at the link of a borrowed machine that the
// owner has chosen. Each path also shows that the same voice does travel when it may, so that a path that stays silent cannot pass.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { createProfileStore } from '#control-plane/features/voices/profiles/store/profile.store.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { form } from '#test/support/world/http.ts'
import { allEnded, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, preparedDub } from '../dubbing/dub-client.ts'
import { SPEAKING_PATHS } from './speaking-paths.ts'

const open = sharedWorld({ remote: true })
const RATE = 24_000
const SECONDS = 6
/** Much more than the text, the parameters and the checks of the link. */
const RECORDING_BYTES = 2 * RATE * SECONDS
const STAYS = /recording of [^.]* stays on this machine, so this machine was used/

/** A statement as short as it may be. */
const STATEMENT_SECONDS = 0.25

/** A recording that no other path has. */
function hum(hz: number, seconds = SECONDS): Buffer<ArrayBuffer> {
  const samples = Float32Array.from({ length: seconds * RATE }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hz * at) / RATE))
  return Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)])
}

test('a voice that must not leave this machine reaches no borrowed machine, on any path', async (t) => {
  const world = await open()
  const network = await openNetwork(t, (await world.get('/workers')).json().endpoint)
  const box = await world.machine('box', {}, { endpoint: network.address })
  await world.approve(box)
  await world.post('/workers/target', { target: box.workerId })
  // The test engine also recognises: each recording and statement would take 2 s of processor time with PocketSphinx.
  for (const family of ['tts', 'asr']) assert.equal((await world.post('/engines/select', { family, backend_id: 'tone' })).status, 200)
  let prepared: Promise<string> | null = null
  const dub = () => (prepared ??= corpus('plain.mp4').then(async (path) => (await preparedDub(world, path, 'film.mp4')).id))
  /** Bytes that the borrowed machine received meanwhile. */
  const received = async (work: () => Promise<unknown>) => {
    const before = network.passed().down
    await work()
    return network.passed().down - before
  }
  const ok = (reply: { readonly status: number; readonly body: Buffer }) =>
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  let said = 0
  /** Never the same twice, because books and dubs keep what they spoke. */
  const text = () => `Sentence ${++said} of this test is read aloud, and no one has read it before. ${'It is morning. '.repeat(said % 7)}`

  const voices: { readonly id: string; readonly speak: (id: string) => Promise<string>; readonly name: string }[] = []
  for (const [index, path] of SPEAKING_PATHS.entries())
    await t.test(path.name, path.needsFilm ? withPrograms : {}, async (t) => {
      const speak = (id: string) => path.speak({ t, world, dub }, id, text())
      if (path.needsFilm) await dub()
      const created = await world.post(
        '/profiles',
        form({ name: `Voice ${index}`, ref_audio: hum(200 + 10 * index), ref_text: 'as I said' }),
      )
      ok(created)
      const { id } = created.json()
      const at = `/profiles/${id}`
      /** It is spoken here, the caller is told why, and the machine receives nothing. */
      const stays = async () => {
        const before = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
        const sent = await received(async () => assert.match(await speak(id), STAYS))
        assert.ok(sent < RECORDING_BYTES / 4, `${sent} bytes were sent`)
        const mine = (await tasksOf(world)).filter(({ task_id }) => !before.has(task_id))
        assert.deepEqual([...new Set(mine.flatMap(({ attempts }) => attempts.map(({ worker_id }) => worker_id)))], ['local'])
      }
      const leaves = async () => {
        const sent = await received(async () => assert.doesNotMatch(await speak(id), STAYS))
        assert.ok(sent > RECORDING_BYTES, `${sent} bytes were sent`)
      }

      await leaves()
      // The speaker withdraws the statement: the machine keeps nothing, and from now on nothing is sent.
      ok(await world.post(`${at}/consent`, form({ consent_text: 'My voice may be used.', consent_audio: hum(100, STATEMENT_SECONDS) })))
      ok(await world.delete(`${at}/consent`))
      await stays()
      voices.push({ id, speak, name: path.name })
      if (path.isLong) return
      // The owner permits it: the whole recording is sent again, so nothing of it was kept.
      ok(await world.put(at, { stays_here: 0 }))
      await leaves()
      ok(await world.put(at, { stays_here: 1 }))
      await stays()
    })

  await t.test('recordings of voices and statements are recognised on this machine', async () => {
    const sent = await received(async () => {
      const created = await world.post('/profiles', form({ name: 'Untold', ref_audio: spokenWav({ seconds: 2 }) }))
      ok(created)
      const at = `/profiles/${created.json().id}`
      ok(
        await world.post(
          `${at}/consent`,
          form({ consent_text: 'My voice may be used.', consent_audio: spokenWav({ seconds: 2, hz: 90 }) }),
        ),
      )
      await eventually(async () => {
        const { statement, quality } = (await world.get(at)).json()
        return statement.checks.speech_seconds !== undefined && quality.transcript === 'done'
      })
      ok(await world.get(`${at}/audio`))
      // 409 without a recogniser.
      assert.ok([200, 409].includes((await world.post('/transcribe', form({ audio: spokenWav({ seconds: 2 }) }))).status))
    })
    assert.ok(sent < RECORDING_BYTES / 4, `${sent} bytes were sent`)
  })

  await t.test('a machine whose consent was withdrawn receives nothing on any path', async () => {
    ok(await world.delete(`/workers/${box.workerId}/consent`))
    for (const { id, speak, name } of voices) {
      ok(await world.put(`/profiles/${id}`, { stays_here: 0 }))
      const sent = await received(() => speak(id))
      assert.ok(sent < RECORDING_BYTES / 4, `${name}: ${sent} bytes were sent`)
    }
    await allEnded(world)
    const work = join(box.dataDir, 'work')
    const left = existsSync(work) ? readdirSync(work, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()) : []
    assert.deepEqual(left, [])
    assert.ok(!box.program.output().includes('as I said'))
    ok(await world.post(`/workers/${box.workerId}/consent`))
  })

  await t.test('a studio that is killed between the row of a withdrawal and its tasks sends nothing afterwards', async () => {
    const { id } = voices[0]!
    ok(await world.put(`/profiles/${id}`, { stays_here: 0 }))
    network.pace(1) // the task is on its way when the studio dies
    const job = await world.send('POST', '/generate', form({ text: text(), profile_id: id, engine: 'tone' }), { prefer: 'respond-async' })
    assert.equal(job.status, 202, job.body.toString())
    // Written after the job has noted its task.
    await eventually(async () => (await world.get(`/jobs/${job.json().id}/events`)).body.includes('machine'))
    await world.studio.end('SIGKILL')
    const db = new Database(join(world.dataDir, 'studio.db'))
    const store = createProfileStore({ db })
    assert.ok(store.update(id, { staysHere: true }, Date.now()))
    db.close()
    network.cut() // what the studio sent before its end is still on its way
    network.pace(Number.POSITIVE_INFINITY)
    const sent = await received(async () => {
      await world.restart()
      await eventually(
        async () => (await world.get('/workers')).json().workers.find(({ id }: { id: string }) => id === box.workerId).connected,
      )
      const events = await eventsOfTask(world, job.json().id)
      assert.equal(events.at(-1)!.type, 'error', JSON.stringify(events))
      assert.match(JSON.stringify(events.at(-1)), /now stays on this machine. Request the take again/)
      await allEnded(world)
    })
    assert.ok(sent < RECORDING_BYTES / 4, `${sent} bytes were sent`)
  })

  await t.test('a deleted voice ends with its idempotency key, and a bundle carries that it stays here', async () => {
    const { id } = voices[0]!
    ok(await world.put(`/profiles/${id}`, { stays_here: 1 }))
    const bundle = async (path: string) => {
      const exported = await world.post(`${path}/export/${id}${path === '/personas' ? '?include_reference=true' : ''}`)
      ok(exported)
      const data = new FormData()
      const extension = path === '/personas' ? 'svcvoice' : 'svcbundle'
      data.set('file', new Blob([new Uint8Array(exported.body)]), `voice.${extension}`)
      const imported = await world.post(`${path}/import`, data)
      ok(imported)
      return (await world.get(`/profiles/${imported.json().profile_id}`)).json().stays_here
    }
    assert.deepEqual([await bundle('/marketplace'), await bundle('/personas')], [1, 1])
    const ask = (voice: string) =>
      world.send(
        'POST',
        '/v1/audio/speech',
        { input: 'Again.', model: 'tone', voice, response_format: 'wav' },
        { 'idempotency-key': 'gone' },
      )
    ok(await ask(id))
    ok(await world.delete(`/profiles/${id}`))
    const sent = await received(async () => {
      const again = await ask(id)
      assert.equal(again.status, 409, again.body.toString().slice(0, 300))
      assert.match(again.json().detail, /idempotency key was already used/)
    })
    assert.ok(sent < RECORDING_BYTES / 4)
  })

  await t.test('the hosted library receives no voice that stays here', async () => {
    const { id } = voices[1]!
    ok(await world.put('/api/settings/hosted-voices', { url: 'http://127.0.0.1:9', key: 'k' }))
    ok(
      await world.post(
        `/profiles/${id}/consent`,
        form({ consent_text: 'My voice may be used.', consent_audio: hum(100, STATEMENT_SECONDS) }),
      ),
    )
    ok(await world.put(`/profiles/${id}`, { stays_here: 1 }))
    const refused = await world.post(`/profiles/${id}/hosted-sync`)
    assert.equal(refused.status, 422)
    assert.match(refused.json().detail, /stay on this machine/)
  })
})
