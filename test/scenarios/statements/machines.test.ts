// Work runs where the studio says that it runs: every operation, with another machine chosen, in every state of that machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS } from '#shared/operations/table.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { speechWav } from '#test/support/archive/bundle.ts'
import { recording, spoken } from '#test/support/audio/round-trip.ts'
import { form } from '#test/support/world/http.ts'
import { slowly, startOn } from '#test/support/world/tasks.ts'
import { eventually, type Machine, sharedWorld, type World } from '#test/support/world/world.ts'
import { connect, embeddedSpeech } from '../dictation/live-client.ts'
import { eventsOfTask, preparedDub } from '../dubbing/dub-client.ts'
import { render } from '../longform/book-client.ts'

const open = sharedWorld({ remote: true })
const absent = ['pocketsphinx_continuous', 'apertium'].find((name) => findProgram(name, process.env['PATH']) === null)
const withTools = { skip: withPrograms.skip || (absent ? `${absent} is not on this machine; ./studio setup installs it` : false) }

type Work = (world: World) => Promise<unknown>
const ok = <R extends { status: number; body: Buffer }>(reply: R): R => {
  assert.equal(reply.status, 200, reply.body.toString())
  return reply
}
const morning = async () => recording((await spoken('Good morning.')).pcm).get('audio')! as Buffer<ArrayBuffer>
/** Makes each request unlike earlier ones: an equal one would not be made again. */
let made = 0

/** Requests of a client for each kind of work, by the name that it asks for. */
const WORK: Readonly<Record<string, Work>> = {
  tts: (world) => world.post('/v1/audio/speech', { model: 'tone', input: 'A sentence.', response_format: 'wav' }).then(ok),
  async clone(world) {
    const fields = { name: `Ada ${++made}`, ref_audio: Buffer.from(speechWav(4, 24_000, 3)), ref_text: 'Hello.' }
    const { id } = ok(await world.post('/profiles', form(fields))).json()
    ok(await world.post('/v1/audio/speech', { model: 'tone', input: 'A sentence.', voice: id, response_format: 'wav' }))
  },
  audiobook: (world) => rendered(world, '/audiobook', { text: `# One\nSentence ${++made}.`, engine: 'tone', format: 'mp3' }),
  longform: (world) =>
    rendered(world, '/longform/render', {
      chapters: [{ title: 'One', spans: [{ voice_id: null, text: `Sentence ${++made}.`, pause_ms_after: 0, speed: null }] }],
      engine: 'tone',
      format: 'mp3',
    }),
  async dub(world) {
    const { id } = await preparedDub(world, await corpus('sound.mp3'), 'talk.mp3', { input_type: 'audio', job_id: `place${++made}` })
    const segments = [{ id: 0, start: 0, end: 4, text: `Line ${++made}.` }]
    const body = { segments, language: 'English', language_code: 'en', num_step: 16 }
    const events = await eventsOfTask(world, ok(await world.post(`/dub/generate/${id}`, body)).json().task_id)
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
  },
  async dictation(world) {
    const client = await connect(world, 'pcm=1&sr=24000&model=tone')
    await client.speak(await embeddedSpeech(world, 'We will meet again.'), 8)
    await client.send('EOF')
    await client.closed
  },
  verify: (world) => world.post('/models/verify', { repo_id: 'rnnoise' }).then(ok),
  async asr(world) {
    ok(await world.post('/transcribe', form({ audio: await morning() })))
  },
  translate: (world) =>
    world
      .post('/dub/translate', { segments: [{ id: '0', text: 'The house.' }], source_lang: 'en', target_lang: 'es', provider: 'local' })
      .then(ok),
  async denoise(world) {
    ok(await world.post('/clean-audio', form({ audio: await morning() })))
  },
}
/** They need the weights of a model, so they are not made here. Another name for the work of a dub is among them. */
const NOT_MADE = ['design', 'diarize', 'identify', 'separate', 'align', 'dub_segments']
/** Not an operation that a client asks for by itself. */
const INNER = ['probe', 'vad']

async function rendered(world: World, path: string, body: object): Promise<void> {
  const done = (await render(world, path, body)).at(-1)!
  assert.equal(done.type, 'done', JSON.stringify(done))
}

type Row = { readonly task_id: string; readonly operation: string; readonly attempts: readonly { readonly worker_id: string }[] }
/** Also while remote machines are off. */
const allTasks = async (world: World): Promise<Row[]> => (await world.get('/workers/tasks?limit=200&always=true')).json().tasks

/** The machines of the tasks that the work makes, which are of this operation. */
async function machinesOf(world: World, work: Work, operation: string): Promise<string[]> {
  const before = new Set((await allTasks(world)).map(({ task_id }) => task_id))
  await work(world)
  const own = (await allTasks(world)).filter(({ task_id, operation: each }) => !before.has(task_id) && each === operation)
  return [...new Set(own.flatMap(({ attempts }) => attempts.map(({ worker_id }) => worker_id)))]
}
const TASKS: Readonly<Record<string, string>> = { dictation: 'asr' }
const taskOf = (op: string) => TASKS[op] ?? (Object.hasOwn(OPERATIONS, op) ? op : 'tts')

const activeFor = async (world: World, op: string) => (await world.get(`/workers/target?op=${op}`)).json().active

test('every operation runs where the studio says, with another machine chosen', withTools, async (t) => {
  const world = await open()
  await world.post('/engines/select', { family: 'tts', backend_id: 'tone' })
  t.after(() => world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' }))
  const box = await world.machine('box')
  t.after(() => world.remove(box))
  await world.approve(box)
  const { remote_operations: named } = (await world.get('/workers/target')).json()
  const known = [...Object.keys(WORK), ...NOT_MADE, ...INNER]
  assert.deepEqual(
    [...named, ...Object.keys(OPERATIONS)].filter((op) => !known.includes(op)),
    [],
    'every operation is in this table',
  )
  ok(await world.post('/workers/target', { target: box.workerId }))
  for (const [op, work] of Object.entries(WORK)) {
    const { remote, worker_id, reason } = await activeFor(world, op)
    assert.deepEqual([remote, worker_id !== null], [named.includes(op), remote], op)
    assert.deepEqual(await machinesOf(world, work, taskOf(op)), [worker_id ?? 'local'], `${op}: ${reason}`)
  }
  for (const op of ['no-such-work', 'probe']) {
    const { remote, reason } = await activeFor(world, op)
    assert.deepEqual([remote, reason], [false, `this studio has no operation ${op} — running locally`])
  }
})

test('in every state of the chosen machine, speech and dictation run where the studio says, and a notice gives the same reason', async (t) => {
  const world = await open()
  await world.post('/engines/select', { family: 'tts', backend_id: 'tone' })
  t.after(() => world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' }))
  let box = await world.machine('shed')
  t.after(() => world.remove(box))
  t.after(() => world.post('/workers/enabled', { enabled: true }))
  ok(await world.post('/workers/target', { target: box.workerId }))
  const path = `/workers/${box.workerId}`
  const isConnected = (wanted: boolean) => async () => {
    const { targets } = (await world.get('/workers/target')).json()
    return targets.find(({ id }: { id: string }) => id === box.workerId)?.connected === wanted
  }

  const states: readonly (readonly [reason: string | null, enter: () => Promise<unknown>])[] = [
    ['shed is not approved', async () => {}],
    [null, () => world.approve(box)],
    ['shed is disabled', () => world.patch(path, { enabled: false })],
    [null, () => world.patch(path, { enabled: true })],
    ['shed is drained', () => world.post(`${path}/drain`, { drain: true })],
    // The machine keeps the drain, and reports who asked for it.
    ['shed is drained', () => world.restart().then(() => eventually(isConnected(true)))],
    [null, () => world.post(`${path}/drain`, { drain: false })],
    ['shed is offline', () => box.program.end('SIGKILL').then(() => eventually(isConnected(false)))],
    [
      null,
      async () => {
        box = await box.restart()
      },
    ],
    ['remote workers are turned off', () => world.post('/workers/enabled', { enabled: false })],
    [
      null,
      async () => {
        await world.post('/workers/enabled', { enabled: true })
        await eventually(isConnected(true))
      },
    ],
    ['shed is shutting down', () => finishing(world, box)],
  ]
  for (const [reason, enter] of states) {
    await enter()
    for (const op of ['tts', 'dictation']) {
      const active = await activeFor(world, op)
      assert.deepEqual([active.remote, active.reason.replace(' — running locally', '')], [reason === null, reason ?? 'chosen'], op)
      assert.deepEqual(await machinesOf(world, WORK[op]!, taskOf(op)), [active.worker_id ?? 'local'], `${op}: ${reason}`)
    }
    const said = (await world.post('/v1/audio/speech', { model: 'tone', input: 'A sentence.' })).headers.get('x-svc-routing-reason')
    const notice = decodeURIComponent(said ?? '')
    if (reason === null) assert.doesNotMatch(notice, /this machine was used/)
    else
      assert.ok(notice.includes(`${reason.replace('workers', 'machines').replace('remote', 'Remote')}, so this machine was used.`), notice)
  }
})

/** Its owner ends it while it has a task, so that it stays for a while. */
async function finishing(world: World, { workerId, program }: Machine): Promise<void> {
  const long = await startOn(world, workerId, { params: slowly(120_000) })
  assert.equal(long.workerId, workerId)
  program.signal('SIGTERM')
  await eventually(async () => {
    const { targets } = (await world.get('/workers/target')).json()
    return targets.find(({ id }: { id: string }) => id === workerId)?.detail === 'shutting down'
  })
}
