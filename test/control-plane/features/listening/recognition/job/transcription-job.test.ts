// A transcription that is a job: killed at every write, cancelled, refused, with speakers, and after a change of recognisers.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTranscriptionJobs } from '#control-plane/features/listening/recognition/job/transcription-job.ts'
import { createKeptTranscripts } from '#control-plane/features/listening/recognition/kept/kept-transcripts.service.ts'
import { TranscriptionForm } from '#control-plane/features/listening/recognition/recognition.schema.ts'
import { createRecognition } from '#control-plane/features/listening/recognition/recognition.service.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { ended, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const PARTS = 3
const TEXT = 'part 0 part 1 part 2'
const hang = new Promise<never>(() => {})
const never = new AbortController().signal
const WHISPER = offer({ engine: 'faster-whisper', operation: 'asr', languages: ['*'] })
const DIARISER = offer({ engine: 'pyannote', operation: 'diarize' })

type TestRequest = {
  operation: string
  engine: string
  inputs: { name: string }[]
  onProgress?: (share: number) => void
}
type Change = {
  killAt?: KillPoint
  offers?: (typeof WHISPER)[]
  parts?: number
  recognised?: (part: number, onProgress: (share: number) => void) => Promise<void>
  /** Projects by id, which outlive a kill. */
  projects?: Map<string, object>
  /** The pieces that arrive before the text, of a recogniser that streams. */
  pieces?: (part: number) => AsyncGenerator<string>
}

function open(
  t: TestContext,
  folder: string,
  { killAt, offers = [WHISPER], parts = PARTS, recognised = async () => {}, projects: rows = new Map(), pieces }: Change = {},
) {
  const uploads = join(folder, 'uploads')
  mkdirSync(uploads, { recursive: true })
  const world = openJobs(join(folder, 'studio.db'), [], killAt ?? null)
  t.after(world.close)
  const calls: string[] = []
  const intake = {
    async split(path: string) {
      if (world.isDead()) return hang
      const made = Array.from({ length: parts }, (_, at) => ({ path: `${path}.part${at}`, from: at * 900, seconds: 900 }))
      for (const [at, part] of made.entries()) writeFileSync(part.path, String(at))
      return { parts: made, seconds: parts * 900, remark: null, remove: async () => {} }
    },
  } as unknown as Intake
  async function run({ operation, engine, inputs, onProgress = () => {} }: TestRequest, signal: AbortSignal) {
    if (world.isDead()) return hang
    const part = Number(inputs[0]!.name)
    calls.push(operation === 'asr' ? `${engine} ${part}` : operation)
    if (operation === 'diarize') return { segments: [{ start: 0, end: 900, speaker: 0 }] }
    await untilAbort(recognised(part, onProgress), signal)
    const text = `part ${part}`
    return { text, language: 'en', segments: [{ start: 1, end: 2, text }], duration: 900, notices: [] }
  }
  const inference = {
    keepInput: async (_: string, wav: Buffer) => ({ name: String(wav), size: 1, sha256: '' }),
    async stream(request: TestRequest, signal: AbortSignal) {
      const bytes = async function* () {
        for await (const piece of pieces!(Number(request.inputs[0]!.name))) yield { part: 0, bytes: Buffer.from(piece) }
      }
      return { pieces: bytes(), result: () => run(request, signal), abandon: () => {} }
    },
    run,
  } as unknown as Inference
  const recognition = createRecognition({ inference, intake, offered: () => offers, clock: systemClock })
  const artifacts = createFolderArtifacts(folder)
  const projects = {
    isKnown: (id: string) => rows.has(id),
    freeId: () => 'ab12cd34',
    read: (id: string) => (rows.get(id) ?? assert.fail()) as never,
    // As that of the studio: a project that is there stays as it is.
    keep: (id: string, body: object) => void (rows.has(id) || rows.set(id, body)),
  }
  const keeper = createKeptTranscripts({ projects, dataDir: folder })
  const transcriptions = createTranscriptionJobs({
    makers: { makerOf: () => OWNER_ID },
    projects,
    kept: async () => ({ keep: (job) => (world.isDead() ? hang : keeper.keep(job)) }),
    jobs: world.jobs,
    artifacts,
    recognition,
    uploads,
    clock: systemClock,
  })
  const create = (fields: Record<string, unknown> = {}, file = 'talk') => {
    const path = join(uploads, file)
    writeFileSync(path, 'sound')
    return transcriptions.create(TranscriptionForm.parse(fields), { filename: 'C:\\talk.wav', path, size: 5 }, OWNER_ID, never)
  }
  return { world, calls, transcriptions, create, leftovers: () => readdirSync(uploads) }
}
const artifactsIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => /\b[0-9a-f]{64}$/.test(String(name))).length
const times = (calls: readonly string[], call: string) => calls.filter((one) => one === call).length

test('requests that arrive together do not exceed the limit of unfinished transcriptions', async (t) => {
  const { create, calls } = open(t, temporaryFolder(t), { recognised: () => hang })
  const replies = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => create({}, `talk ${at}`)))
  const refused = replies.flatMap((reply) => (reply.status === 'rejected' ? [(reply.reason as Failure).code] : []))
  assert.deepEqual(
    refused,
    Array.from({ length: 8 }, () => 'QUEUE_FULL'),
  )
  await eventually(() => calls.length === 2) // the jobs that run at once
})

test('a transcription runs in parts, has the name of its file, and leaves no files behind', async (t) => {
  const { world, calls, transcriptions, create, leftovers } = open(t, temporaryFolder(t))
  const { id, status } = await create({ response_format: 'verbose_json' })
  assert.equal(status, 'pending')
  await assert.rejects(transcriptions.transcript(id), { code: 'CONFLICT' })
  const { record } = await ended(world, id)
  assert.equal(record.job.status, 'done', record.job.failure?.message)
  assert.equal(JSON.parse(record.meta).filename, 'talk.wav')
  const { transcript, withWords } = await transcriptions.transcript(id)
  assert.deepEqual(
    [transcript.text, transcript.seconds, transcript.language, transcript.engine, withWords],
    [TEXT, 2_700, 'en', 'faster-whisper', false],
  )
  assert.deepEqual(
    transcript.segments.map(({ start }) => start),
    [1, 901, 1_801],
  )
  assert.deepEqual(calls, ['faster-whisper 0', 'faster-whisper 1', 'faster-whisper 2'])
  assert.deepEqual(leftovers(), [])
})

test('progress is the position in the recording, also within a part, and never decreases', async (t) => {
  const shares: number[] = []
  for (const [parts, expected] of [
    [1, [0, 0.25, 0.5, 0.5, 0.75]],
    [2, [0, 0.125, 0.25, 0.25, 0.375]],
  ] as const) {
    const { promise: id, resolve } = Promise.withResolvers<string>()
    const { world, create } = open(t, temporaryFolder(t), {
      parts,
      async recognised(part, onProgress) {
        if (part > 0) return
        const progressOf = async () => (await world.jobs.get(await id))!.progress!
        shares.push(await progressOf())
        // The third is of a second attempt.
        for (const share of [0.25, 0.5, 0.1, 0.75]) {
          onProgress(share)
          shares.push(await progressOf())
        }
      },
    })
    resolve((await create()).id)
    const view = await ended(world, await id)
    assert.deepEqual([view.record.job.status, view.progress], ['done', 1])
    assert.deepEqual(shares.splice(0), expected, `${parts} parts`)
  }
})

test('events send the text of each part during recognition, and a second attempt replaces text that differs', async (t) => {
  type Delta = { type: string; part: number; at: number; delta: string }
  const replaced = new Failure('UPLOAD_INCOMPLETE', 'A second attempt produced other output.')
  const { world, create } = open(t, temporaryFolder(t), {
    offers: [{ ...WHISPER, streams: true }],
    async *pieces(part) {
      yield part === 1 ? 'pat' : 'part'
      if (part === 1) throw replaced
      yield ` ${part}`
    },
  })
  const { id } = await create()
  assert.equal((await ended(world, id)).record.job.status, 'done')
  const deltas: Delta[] = []
  for await (const { payload } of (await world.jobs.follow(id, 0, never))!) {
    const event: Delta = JSON.parse(payload.slice('data: '.length))
    if (event.type === 'transcript.text.delta') deltas.push(event)
  }
  const row = (part: number, at: number, delta: string) => ({ type: 'transcript.text.delta', part, at, delta })
  assert.deepEqual(deltas, [row(0, 0, 'part'), row(0, 4, ' 0'), row(1, 0, 'pat'), row(1, 0, 'part 1'), row(2, 0, 'part'), row(2, 4, ' 2')])
})

test('a kill at any write repeats only the part that was running, and the project is made once, also between the transcript and it', async (t) => {
  const whole = open(t, temporaryFolder(t))
  await ended(whole.world, (await whole.create({ keep: 'true' })).id)
  const writes = whole.world.writes()
  const killedAfter = { transcript: 0, project: 0 }
  for (let write = 1; write <= writes; write++)
    for (const isWritten of [false, true]) {
      const folder = temporaryFolder(t)
      const projects = new Map<string, object>()
      const first = open(t, folder, { killAt: { write, isWritten }, projects })
      const created = await Promise.race([first.create({ keep: 'true' }), first.world.killed])
      if (created) await Promise.race([ended(first.world, created.id), first.world.killed])
      if (!first.world.isDead()) continue
      first.world.close()
      if (projects.size > 0) killedAfter.project++
      // The recording is the other one.
      else if (artifactsIn(folder) === 2) killedAfter.transcript++
      // A person edits what is there already.
      for (const project of projects.values()) Object.assign(project, { name: 'Edited' })
      const wasMade = projects.size > 0
      const second = open(t, folder, { projects })
      second.world.jobs.start()
      const query = { viewer: null, projectId: null, type: null, text: null, status: null, before: null, limit: 1 }
      const [view] = await second.world.jobs.page(query)
      const job = view?.record.job
      if (!job) {
        assert.equal(created ?? null, null, 'an accepted job is durable')
        continue
      }
      const { record } = await ended(second.world, job.id)
      assert.equal(record.job.status, 'done', `write ${write}: ${record.job.failure?.message}`)
      assert.equal((await second.transcriptions.transcript(job.id)).transcript.text, TEXT)
      assert.deepEqual([...projects.keys()], ['ab12cd34'], `write ${write}: one project`)
      assert.equal((projects.get('ab12cd34') as { name?: string }).name, wasMade ? 'Edited' : 'talk', `write ${write}`)
      const all = [...first.calls, ...second.calls]
      const repeated = [0, 1, 2].map((part) => times(all, `faster-whisper ${part}`) - 1)
      assert.ok(repeated.every((count) => count >= 0) && repeated.reduce((sum, count) => sum + count, 0) <= 1, `write ${write}: ${all}`)
      await second.world.jobs.stop()
    }
  assert.ok(writes > 8, `${writes} writes`)
  assert.ok(killedAfter.transcript > 0 && killedAfter.project > 0, `kills: ${JSON.stringify(killedAfter)}`)
})

test('after a restart the recogniser of the first parts goes on, also where another one would be chosen now', async (t) => {
  const folder = temporaryFolder(t)
  const first = open(t, folder, {
    offers: [offer({ engine: 'moonshine', operation: 'asr' })],
    recognised: async (part) => (part === 1 ? hang : undefined),
  })
  const { id } = await first.create()
  await eventually(() => first.calls.includes('moonshine 1'))
  first.world.kill()
  first.world.close()
  const second = open(t, folder, { offers: [WHISPER, offer({ engine: 'moonshine', operation: 'asr' })] })
  second.world.jobs.start()
  await ended(second.world, id)
  assert.deepEqual(second.calls, ['moonshine 1', 'moonshine 2'])
  await second.world.jobs.stop()
})

test('speakers are found once, and a long recording says why there are none', async (t) => {
  const offers = [WHISPER, DIARISER]
  const fields = { diarize: 'yes', response_format: 'verbose_json' }
  const short = open(t, temporaryFolder(t), { offers, parts: 1 })
  const { id } = await short.create(fields)
  await ended(short.world, id)
  const { transcript } = await short.transcriptions.transcript(id)
  assert.deepEqual([transcript.segments[0]!.speaker, transcript.notice], ['Speaker 1', null])
  assert.equal(times(short.calls, 'diarize'), 1)
  const long = open(t, temporaryFolder(t), { offers })
  const other = await long.create(fields)
  await ended(long.world, other.id)
  assert.match((await long.transcriptions.transcript(other.id)).transcript.notice!.reason, /longer than 15 minutes/)
})

test('a cancel in a part deletes the parts; a failed part fails the job with its reason', async (t) => {
  const held = open(t, temporaryFolder(t), { recognised: async () => hang })
  const { id } = await held.create()
  await eventually(() => held.calls.length > 0)
  await held.world.jobs.cancel(id)
  assert.equal((await ended(held.world, id)).record.job.status, 'cancelled')
  assert.deepEqual(held.leftovers(), [])
  await assert.rejects(held.transcriptions.transcript(id), { code: 'CONFLICT', message: /cancelled/ })
  const failing = open(t, temporaryFolder(t), {
    recognised: async () => {
      throw new Failure('EXECUTION_TIMEOUT', 'too slow')
    },
  })
  const failed = await failing.create()
  assert.equal((await ended(failing.world, failed.id)).record.job.status, 'failed')
  await assert.rejects(failing.transcriptions.transcript(failed.id), { code: 'TASK_DEADLINE_EXCEEDED', message: 'too slow' })
  assert.deepEqual(failing.leftovers(), [])
})

test('a transcription without a recogniser, and one above the limit, are refused at once', async (t) => {
  const none = open(t, temporaryFolder(t), { offers: [offer()] })
  await assert.rejects(none.create(), { code: 'MODEL_NOT_INSTALLED' })
  const many = open(t, temporaryFolder(t), { recognised: async () => hang })
  for (let count = 0; count < 32; count++) await many.create()
  await assert.rejects(many.create(), { code: 'QUEUE_FULL' })
  await assert.rejects(many.transcriptions.transcript('unknown'), { code: 'NOT_FOUND' })
})
