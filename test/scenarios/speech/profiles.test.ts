// Speech in the voice of a profile: what its engine receives on this machine and on a borrowed one, what stays here, and what is left of a
// voice afterwards. The test voice hums at the frequency of the reference.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import Database from 'better-sqlite3'
import OpenAI from 'openai'
import { toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { clone, never, openStage } from '#test/control-plane/features/voices/profiles/stage.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { connectMcp, textOf } from '#test/support/mcp/client.ts'
import { studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const TEXT = 'Hello there, all of you.'
const LONG = 'Many words follow one another here and there. '.repeat(200)
const RATE = 24_000
const ENDED = ['completed', 'failed', 'timeout', 'cancelled']
function hum(hz: number, seconds: number): Buffer<ArrayBuffer> {
  const samples = Float32Array.from({ length: seconds * RATE }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hz * at) / RATE))
  return Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)])
}
/** Longer than everything else that a short task sends. */
const RECORDING = hum(440, 10)

/** A data directory with profiles, as an earlier run of the studio leaves it. */
async function plant(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const endings: (() => unknown)[] = []
  const { create, file, artifacts } = openStage({ after: (run) => endings.push(run) }, dataDir)
  const recorded = { recording: file(RECORDING), refText: 'as I said' }
  const ada = await create(clone({ ...recorded, instruct: 'calm', language: 'en', seed: 7 }), never)
  const home = await create(clone({ name: 'Home', recording: file(hum(330, 4)), refText: 'at home', staysHere: true }), never)
  const design = await create(clone({ name: 'Drawn', kind: 'design', instruct: 'female' }), never)
  const bytes = readFileSync(artifacts.pathOf(ada.refDigest!))
  for (const end of endings.reverse()) await end()
  return { dataDir, ada, home, design, /** A part of the canonical recording. */ canary: bytes.subarray(20_000, 20_064) }
}
function* filesIn(folder: string): Generator<string> {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

test('profiles speak', async (t) => {
  const { dataDir, ada, home, design, canary } = await plant(t)
  const world = await openWorld(t, { remote: true, env: { STUDIO_DATA_DIR: dataDir } })
  const endpoint = (await world.get('/workers')).json().endpoint as string
  const network = await openNetwork(t, endpoint)
  const box = await world.machine('box', {}, { endpoint: network.address })
  await world.approve(box)
  /** The recording that each task must have received: its database is locked while the studio runs. */
  const expected = new Map<string, { readonly sha256: string | null; readonly isPrivate?: true }>()

  const target = (id: string) => world.post('/workers/target', { target: id })
  const generate = (fields: Parameters<typeof form>[0], signal?: AbortSignal) =>
    world.post('/generate', form({ text: TEXT, engine: 'tone', effect_preset: 'raw', ...fields }), signal)
  const newestTask = async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]
  const newestRow = async () => (await world.get('/history')).json()[0]
  const reference = (reply: { readonly headers: Headers }) =>
    reply.headers.get('x-svc-notice')!.match(/reference has (\d+) Hz and (\d+) characters/)!
  const expectInput = async (profile: typeof ada) =>
    void expected.set((await newestTask()).task_id, { sha256: profile.refDigest, ...(profile.staysHere && { isPrivate: true }) })
  const ok = <R extends { readonly status: number; readonly body: Buffer }>(reply: R): R => {
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    return reply
  }
  /** Bytes that the borrowed machine received meanwhile. */
  const received = async (work: () => Promise<unknown>) => {
    const before = network.passed().down
    await work()
    return network.passed().down - before
  }

  await t.test('an engine receives the same on this machine and on a borrowed one, and the voice is named', async () => {
    const takes: Buffer[] = []
    for (const machine of ['local', box.workerId]) {
      await target(machine)
      const reply = ok(await generate({ profile_id: ada.id }))
      const task = await newestTask()
      assert.equal(task.attempts[0].worker_id, machine)
      await expectInput(ada)
      const [, hz, characters] = reference(reply)
      assert.ok(Math.abs(Number(hz) - 440) < 5, hz)
      assert.equal(characters, String('as I said'.length))
      assert.deepEqual([reply.headers.get('x-svc-voice'), reply.headers.get('x-seed')], [ada.id, '7'])
      const row = await newestRow()
      assert.deepEqual(
        [row.profile_id, row.mode, row.language, row.instruct, row.seed, row.voice],
        [ada.id, 'clone', 'en', 'calm', 7, 'Ada'],
      )
      takes.push(reply.body)
    }
    assert.deepEqual(parseWav(takes[0]!).samples, parseWav(takes[1]!).samples)
  })

  await t.test('a machine receives the recording of a voice once', async () => {
    await target(box.workerId)
    const again = await received(async () => ok(await generate({ profile_id: ada.id })))
    assert.ok(again < ada.refBytes / 2, `${again} bytes for a recording of ${ada.refBytes}`)
    await world.patch(`/workers/${box.workerId}`, { enabled: false })
    await world.patch(`/workers/${box.workerId}`, { enabled: true })
    const sent = await received(async () => ok(await generate({ profile_id: ada.id })))
    assert.ok(sent > ada.refBytes, `after the consent was withdrawn it is sent again: ${sent}`)
  })

  await t.test('fields of the request win over the profile, and an uploaded recording over everything', async () => {
    await target('local')
    const own = ok(await generate({ profile_id: ada.id, instruct: 'loud', language: 'de', seed: 3, ref_text: 'other words' }))
    await expectInput(ada)
    const { instruct, language, seed } = await newestRow()
    assert.deepEqual([instruct, language, seed, reference(own)[2]], ['loud', 'de', 3, String('other words'.length)])
    const reply = ok(await generate({ profile_id: ada.id, ref_audio: hum(800, 3), ref_text: 'mine' }))
    assert.match(reply.headers.get('x-svc-notice')!, /uploaded recording was used instead of the voice/)
    assert.ok(Math.abs(Number(reference(reply)[1]) - 800) < 5)
    assert.equal((await newestRow()).profile_id, '')
  })

  await t.test('an unknown voice is the default voice, and the notice names it', async () => {
    const reply = ok(await generate({ profile_id: 'deadbeef' }))
    assert.match(reply.headers.get('x-svc-routing-reason')!, /There is no voice deadbeef\. The default voice tone was used/)
    assert.deepEqual([reply.headers.get('x-svc-voice'), (await newestRow()).profile_id], ['tone', ''])
  })

  await t.test('a voice needs an engine that clones, without a substitute', async () => {
    const before = (await newestTask()).task_id
    for (const { id } of [ada, design]) {
      const reply = await generate({ profile_id: id, engine: 'svc-engine' })
      assert.equal(reply.status, 409)
      const { error, repo_ids, message } = reply.json().detail
      assert.deepEqual([error, repo_ids.length], ['model_not_downloaded', 1])
      assert.match(
        message,
        id === design.id ? /^A voice from a description needs .* models install/ : /^A reference voice needs .* models install/,
      )
      const speech = await world.post('/v1/audio/speech', { input: TEXT, voice: id })
      assert.equal(speech.status, 409, speech.body.toString())
    }
    for (const [{ id }, text] of [
      [ada, /^espeak-ng cannot clone a reference voice\. These engines can: /],
      [design, /^espeak-ng cannot speak in a voice from a description\. These engines can: /],
    ] as const) {
      const refused = await generate({ profile_id: id, engine: 'espeak-ng' })
      assert.deepEqual([refused.status, text.test(refused.json().detail)], [400, true], refused.body.toString())
    }
    const drawn = await generate({ profile_id: design.id })
    const { error, engine, message } = drawn.json().detail
    assert.deepEqual([drawn.status, error, engine], [409, 'model_not_downloaded', 'svc-engine'], 'no engine can render the design')
    assert.match(message, /^A voice from a description needs /)
    // Without a saved design the embedded voice answers, and says what it leaves out.
    for (const reply of [
      await generate({ instruct: 'female, elderly', engine: 'svc-engine' }),
      await world.post('/v1/audio/speech', { input: TEXT, instructions: 'An old woman.', response_format: 'wav' }),
    ])
      assert.match(ok(reply).headers.get('x-svc-notice')!, /does not follow instructions or descriptions/)
    assert.notEqual((await newestTask()).task_id, before)
  })

  await t.test('a recording that stays here is spoken on this machine, with a notice', async () => {
    for (const machine of [box.workerId, 'auto']) {
      await target(machine)
      const sent = await received(async () => {
        const reply = ok(await generate({ profile_id: home.id }))
        assert.match(reply.headers.get('x-svc-routing-reason')!, /recording of Home stays on this machine/)
      })
      assert.ok(sent < home.refBytes / 2)
      assert.equal((await newestTask()).attempts[0].worker_id, 'local')
      await expectInput(home)
    }
    const direct = await world.post('/v1/audio/speech', { input: TEXT, model: 'tone', voice: home.id, response_format: 'wav' })
    assert.match(ok(direct).headers.get('x-svc-routing-reason')!, /stays on this machine/)
    const job = await world.send('POST', '/generate', form({ text: TEXT, engine: 'tone', profile_id: home.id }), {
      prefer: 'respond-async',
    })
    const done = await eventually(async () => {
      const { status } = (await world.get(`/jobs/${job.json().id}`)).json()
      return ['done', 'failed'].includes(status) && status
    })
    assert.equal(done, 'done')
    assert.equal((await newestTask()).attempts[0].worker_id, 'local')
    await expectInput(home)
    await target('local')
  })

  await t.test('the official client lists profiles and speaks with one', async () => {
    const client = new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'sk-local', maxRetries: 0 })
    const reply = await client.audio.speech.create({ model: 'tone', voice: ada.id, input: TEXT, response_format: 'wav' }).asResponse()
    assert.equal(reply.headers.get('x-svc-voice'), ada.id)
    assert.ok((await reply.arrayBuffer()).byteLength > 44)
    await expectInput(ada)
    const { voices } = (await world.get('/v1/audio/voices')).json()
    assert.deepEqual(
      voices.filter(({ type }: { type: string }) => type === 'profile'),
      [ada, design, home].map(({ id, name, language }) => ({ id, voice_id: id, name, type: 'profile', language })),
    )
  })

  await t.test('say speaks with a profile by its name', async () => {
    const folder = temporaryFolder(t)
    const { port } = new URL(world.url)
    const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: port, STUDIO_DATA_DIR: dataDir }
    const said = await studio(['say', TEXT, '--voice', 'ada', '--engine', 'tone', '-o', 'ada.wav'], { env, cwd: folder })
    assert.equal(said.code, 0, said.errors)
    assert.ok(parseWav(readFileSync(join(folder, 'ada.wav'))).samples.length > 0)
    await expectInput(ada)
  })

  await t.test('MCP clones a voice and speaks with it', async (t) => {
    const { client } = await connectMcp(t, world)
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult
      assert.ok(!result.isError, textOf(result))
      return result.structuredContent as Record<string, string>
    }
    const input = { name: 'Cloned', ref_audio_base64: hum(523, 4).toString('base64'), ref_text: 'as they said', language: 'en' }
    const { profile_id: id, kind } = await call('clone_voice', input)
    const profile = (await world.get(`/profiles/${id}`)).json()
    assert.deepEqual([kind, profile.name, profile.ref_text], ['clone', 'Cloned', 'as they said'])
    const spoken = await call('generate_speech', { text: TEXT, engine: 'tone', profile_id: id })
    assert.deepEqual([spoken['voice'], spoken['voice_source'], spoken['engine']], [id, 'call', 'tone'])
    const [, hz, characters] = spoken['notice']!.match(/reference has (\d+) Hz and (\d+) characters/)!
    assert.deepEqual([Math.abs(Number(hz) - 523) < 5, characters], [true, String('as they said'.length)])
    assert.equal((await newestRow()).profile_id, id)
    ok(await world.delete(`/profiles/${id}`))
  })

  await t.test('a socket speaks with a profile and names it', async () => {
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/tts`)
    const started = new Promise<unknown>((resolve) =>
      socket.addEventListener('message', ({ data }) => {
        const message = typeof data === 'string' ? JSON.parse(data) : null
        if (message && message.type !== 'routing') resolve(message)
      }),
    )
    socket.addEventListener('open', () => socket.send(JSON.stringify({ text: TEXT, engine: 'tone', voice: ada.id })))
    assert.deepEqual(await started, { type: 'start', sample_rate: 24_000, channels: 1, format: 'pcm16', engine: 'tone', voice: ada.id })
    socket.close()
  })

  await t.test('a socket speaks SSML, and sends a mark before the sound that follows it', async () => {
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/tts`)
    socket.binaryType = 'arraybuffer'
    const text = '<speak>Aaaa<break time="1s"/><mark name="second"/><voice name="ADA">bbbb</voice></speak>'.replace('ADA', ada.id)
    const seen: Record<string, unknown>[] = []
    let seconds = 0
    await new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') seconds += (data as ArrayBuffer).byteLength / 2 / 24_000
        else seen.push({ ...JSON.parse(data), at: seconds })
        if (/"type":"(?:done|error)"/.test(String(data))) resolve()
      })
      socket.addEventListener('open', () => socket.send(JSON.stringify({ text, engine: 'tone' })))
    })
    socket.close()
    const of = (wanted: string) => seen.find(({ type }) => type === wanted) as { voice: string; reason: string; time: number; at: number }
    assert.equal(of('start')?.voice, ada.id, JSON.stringify(seen))
    assert.match(of('routing').reason, /one voice/)
    assert.ok(of('mark').time > 1 && of('mark').time < seconds, JSON.stringify(seen))
    assert.ok(of('mark').at <= of('mark').time + 0.1, 'not long after its sound')
  })

  await t.test('a consent that is withdrawn meanwhile ends the task and leaves nothing of the voice', async () => {
    await target(box.workerId)
    network.pace(1_000_000) // the sound takes several seconds to arrive
    const client = new AbortController()
    const speaking = generate({ profile_id: ada.id, text: LONG }, client.signal)
    speaking.catch(() => {})
    const onBox = async () => {
      const { state, attempts } = await newestTask()
      return !ENDED.includes(state) && attempts.at(-1)?.worker_id === box.workerId
    }
    await eventually(onBox)
    ok(await world.delete(`/workers/${box.workerId}/consent`))
    await eventually(async () => !(await onBox()))
    network.pace(Number.POSITIVE_INFINITY)
    client.abort()
    await assert.rejects(speaking)
    await eventually(() => [...filesIn(join(box.dataDir, 'work'))].length === 0)
    const hasCanary = (bytes: Buffer) => bytes.includes(canary)
    const found = [...filesIn(box.dataDir)].filter((path) => statSync(path).size > 0 && hasCanary(readFileSync(path)))
    assert.deepEqual(found, [])
    const outputs = [box.program.output(), world.studio.output()]
    assert.deepEqual(
      outputs.filter((text) => text.includes(canary.toString('base64').slice(4, 60)) || text.includes('as I said')),
      [],
    )
    for (const name of readdirSync(dataDir).filter((file) => file.startsWith('studio.db')))
      assert.equal(hasCanary(readFileSync(join(dataDir, name))), false, name)
    await world.approve(box)
    const sent = await received(async () => ok(await generate({ profile_id: ada.id })))
    assert.ok(sent > ada.refBytes, `nothing of the recording was kept: ${sent}`)
  })

  await t.test('a deleted voice, a withdrawn statement and a voice that has to stay here end the tasks that speak with it', async () => {
    await target(box.workerId)
    const created = ok(await world.post('/profiles', form({ name: 'Gone', ref_audio: hum(600, 4), ref_text: 'soon gone' })))
    const path = `/profiles/${created.json().id}`
    ok(await world.post(`${path}/consent`, form({ consent_text: 'My voice may be used.', consent_audio: hum(600, 2) })))
    const ends = [() => world.delete(`${path}/consent`), () => world.put(path, { stays_here: 1 }), () => world.delete(path)]
    for (const end of ends) {
      ok(await world.put(path, { stays_here: 0 }))
      network.pace(1_000_000)
      const speaking = generate({ profile_id: created.json().id, text: LONG })
      const { task_id } = await eventually(async () => {
        const { tasks } = (await world.get('/workers/tasks?limit=5')).json() // recognition may run beside it
        type Row = Awaited<ReturnType<typeof newestTask>>
        return tasks.find(
          (task: Row) => task.operation === 'tts' && !ENDED.includes(task.state) && task.attempts.at(-1)?.worker_id === box.workerId,
        )
      })
      ok(await end())
      network.pace(Number.POSITIVE_INFINITY)
      assert.notEqual((await speaking).status, 200)
      const { tasks } = (await world.get('/workers/tasks?limit=20')).json()
      assert.equal(tasks.find((task: { task_id: string }) => task.task_id === task_id).state, 'cancelled')
    }
  })

  await t.test('every task had the recording of its voice, and a voice adds no rows to those of a request', async () => {
    await target('local')
    const ids: string[] = []
    for (const voice of [ada.id, 'default']) {
      ok(await world.post('/v1/audio/speech', { input: TEXT, model: 'tone', voice, response_format: 'wav' }))
      ids.push((await newestTask()).task_id)
    }
    await eventually(async () => (await newestTask()).state === 'completed')
    await world.studio.end('SIGTERM')
    const db = new Database(join(dataDir, 'studio.db'), { readonly: true })
    t.after(() => db.close())
    const inputs = db.prepare<[string], string>('select inputs from task where id = ?').pluck()
    for (const [id, { sha256, isPrivate }] of expected) {
      const [input] = JSON.parse(inputs.get(id)!)
      assert.deepEqual([input.name, input.sha256, input.private], ['reference', sha256, isPrivate])
    }
    const rows = (id: string) =>
      ['task_event', 'attempt'].map((table) => db.prepare(`select count(*) from ${table} where task_id = ?`).pluck().get(id))
    assert.deepEqual(rows(ids[0]!), rows(ids[1]!))
  })
})
