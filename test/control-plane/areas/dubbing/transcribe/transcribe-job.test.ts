// The transcription of a film: killed at every write, cancelled, with parts that fail, and as a stream that clients leave and attach to.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DubCore } from '#control-plane/areas/dubbing/core.ts'
import { createDubFiles } from '#control-plane/areas/dubbing/files/dub-files.ts'
import { createFileRows } from '#control-plane/areas/dubbing/files/file.store.ts'
import { createAbort } from '#control-plane/areas/dubbing/history/abort.service.ts'
import type { SpeechSpans } from '#control-plane/areas/dubbing/reading/speech-spans.ts'
import { createDubStore } from '#control-plane/areas/dubbing/store/dub-store.ts'
import { createTranscribeJobs } from '#control-plane/areas/dubbing/transcribe/transcribe-job.ts'
import { createTranscribeSteps } from '#control-plane/areas/dubbing/transcribe/transcribe-steps.ts'
import { createTranscribeStream, type TranscribeQuery } from '#control-plane/areas/dubbing/transcribe/transcribe-stream.ts'
import { withSpeakers } from '#control-plane/areas/recognition/transcript/speakers.ts'
import { writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { ended, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const SECONDS = 60
const RATE = 8_000
const [SOUND, SPEECH] = ['b'.repeat(64), 'c'.repeat(64)]
const never = new AbortController().signal
const hang = new Promise<never>(() => {})
/** Two lines of six seconds in each part. */
const recognised = (): AsrResult => ({
  text: '',
  language: 'en',
  segments: [
    { start: 1, end: 7, text: 'one two' },
    { start: 12, end: 18, text: 'three.' },
  ],
  duration: 30,
  notices: [],
})
type RecognisePart = (part: number) => Promise<AsrResult>
type Change = {
  recognisePart?: RecognisePart
  turns?: SpeakerTurn[] | null
  require?: () => void
  spans?: SpeechSpans
  diarised?: (wav: Buffer) => void
  /** The result of a diarisation instead of `turns`. */
  diarise?: (request: unknown) => unknown
  seconds?: number
  rate?: number
}

async function open(t: TestContext, folder: string, { killAt = null, change = {} }: { killAt?: KillPoint | null; change?: Change } = {}) {
  const { recognisePart = async () => recognised(), turns = null, require = () => {}, spans = async () => [], diarised = () => {} } = change
  const { diarise = () => ({ segments: turns, voices: [] }), seconds: length = SECONDS, rate = RATE } = change
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  t.after(world.close)
  const calls: string[] = []
  const alive = <R>(name: string, run: () => Promise<R>): Promise<R> => {
    if (world.isDead()) return hang
    calls.push(name)
    return run()
  }
  const rows = createFileRows({ db: world.db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows, clock: systemClock })
  const store = createDubStore({ db: world.db })
  if (!store.dubs.find('one')) {
    for (const [name, channels] of [
      [SOUND, 2],
      [SPEECH, 1],
    ] as const) {
      const blocks = await writeBlocks(files.pathOf(name), { sampleRate: rate, channels, encoding: 's16' })
      await blocks.writeSilence(length * rate)
      await blocks.seal()
    }
    store.dubs.create({ id: 'one', filename: 'f.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
    store.dubs.change('one', { sound: { durationUs: length * 1e6, sound: SOUND, speech: SPEECH } })
  }
  const core = {
    store,
    files,
    rows,
    saved: () => {},
    dub(id: string) {
      const dub = store.dubs.find(id)
      if (!dub) throw new Failure('NOT_FOUND', 'There is no dub with this id.')
      return dub
    },
  } as unknown as DubCore
  const partwise = {
    require,
    choose: () => alive('choose', async () => ({ engine: 'e', model: 'm', language: '', notices: [] })),
    recognisePart: (_: unknown, { seconds }: { seconds: number }) => {
      const part = calls.filter((name) => name.startsWith('recognisePart')).length
      return alive(`recognisePart ${seconds.toFixed(1)}`, () => recognisePart(part))
    },
  }
  const { jobs } = world
  const abort = createAbort({ stopExports: () => false, jobs })
  const recognition = { partwise, withSpeakers } as never
  const inference = {
    keepInput: async (_: string, wav: Buffer) => diarised(wav),
    run: (request: unknown) => alive('diarize', async () => diarise(request)),
  } as never
  const offered = () => (turns ? [offer({ engine: 'd', operation: 'diarize' })] : [])
  const steps = createTranscribeSteps({
    core,
    recognition,
    inference,
    offered,
    speechSpans: spans,
    requireSound: async () => {},
    clock: systemClock,
  })
  const transcriptions = createTranscribeJobs({ core, jobs, steps, abort, recognition, clock: systemClock })
  const stream = createTranscribeStream({ core, jobs, transcriptions, clock: systemClock })
  const query: TranscribeQuery = { num_speakers: null, per_segment_refs: true }
  const events = (id = 'one', signal = never, more: Partial<TranscribeQuery> = {}) => stream.events(id, { ...query, ...more }, signal)
  return { world, calls, store, files, rows, abort, transcriptions, stream, steps, events }
}
type Event = readonly [name: string, data: { readonly [field: string]: unknown }]
/** Nothing for a ping: how many there are depends on the machine. */
const eventOf = (frame: string): Event[] => {
  const found = /^event: (\w+)\ndata: (.*)\n\n$/.exec(frame)
  return found && found[1] !== 'ping' ? [[found[1]!, JSON.parse(found[2]!)]] : []
}
async function all(frames: AsyncIterable<string>): Promise<Event[]> {
  const events: Event[] = []
  for await (const frame of frames) events.push(...eventOf(frame))
  return events
}
const names = (events: readonly Event[]) => events.map(([name]) => name)
const WHOLE = ['start', 'segments', 'segments', 'warning', 'final', 'done']

test('lines begin where speech is heard to begin', async (t) => {
  // Both parts of 30 s have speech at 1.1 s and 12.4 s.
  const spans: SpeechSpans = async () => [
    { start: 1.1, end: 7 },
    { start: 12.4, end: 18 },
  ]
  const { store, events } = await open(t, temporaryFolder(t), { change: { spans } })
  await all(events())
  assert.deepEqual(
    store.segments.list('one').map(({ startUs }) => startUs / 1e6),
    [1.1, 12, 31.1, 42],
  )
})

test('without a detector the lines stay, and a warning says so', async (t) => {
  const { store, events } = await open(t, temporaryFolder(t), { change: { spans: async () => null } })
  const warned = (await all(events())).filter(([name, { source }]) => name === 'warning' && source === 'transcript')
  assert.deepEqual(
    warned.map(([, { error_class: code }]) => code),
    ['MODEL_NOT_DOWNLOADED', 'MODEL_NOT_DOWNLOADED'],
  )
  assert.equal(store.segments.list('one')[0]!.startUs, 1e6)
})

test('the warning of a failed identification of speakers has its reason', async (t) => {
  const diarised = () => {
    throw new Failure('STORAGE_FULL', 'The sound could not be written: the disk is full.')
  }
  const { events } = await open(t, temporaryFolder(t), { change: { turns: [], diarised } })
  const [warning] = (await all(events())).flatMap(([name, data]) => (name === 'warning' && data['source'] === 'diarization' ? [data] : []))
  assert.equal(warning?.['error_class'], 'STORAGE_FULL')
  assert.match(String(warning?.['detail']), /all lines have one speaker\. d failed: The sound could not be written/)
})

test('a film whose sound does not fit into a task is identified in parts, and its speakers are joined by their voices', async (t) => {
  const seconds = 2_400
  const voices = [0, 1].map((speaker) => ({ speaker, seconds: 9, vector: speaker === 0 ? [1, 0] : [0, 1] }))
  const parts: unknown[] = []
  const diarise = (request: unknown) => {
    parts.push(request)
    const isFirst = parts.length === 1
    // The second part hears the other speaker first.
    return {
      segments: [
        { start: 0, end: 10, speaker: 0 },
        { start: 10, end: 30, speaker: 1 },
      ],
      voices: isFirst ? voices : voices.map(({ speaker, ...rest }) => ({ ...rest, speaker: 1 - speaker })),
    }
  }
  const recognisePart = async (part: number) => (part === 0 || part === 40 ? recognised() : { ...recognised(), segments: [] })
  const change = { turns: [], recognisePart, diarise, seconds, rate: 1_000 }
  const folder = temporaryFolder(t)
  const { store, events, calls } = await open(t, folder, { change })
  const found = await all(events())
  assert.deepEqual(names(found).filter((name) => name === 'warning').length, 1, JSON.stringify(found.slice(-4)))
  assert.deepEqual(
    parts.map((request) => (request as { params: unknown }).params),
    [
      { num_speakers: null, voices: true },
      { num_speakers: null, voices: true },
    ],
  )
  assert.ok(parts.every((request) => (request as { seconds: number }).seconds <= 2_097))
  assert.equal(calls.filter((name) => name === 'diarize').length, 2)
  const speakers = store.segments.list('one').map(({ startUs, speakerId }) => [Math.round(startUs / 60e6), speakerId])
  assert.deepEqual(speakers, [
    [0, 'Speaker 1'],
    [0, 'Speaker 2'],
    [20, 'Speaker 2'],
    [20, 'Speaker 1'],
  ])
})

test('lines are given to speakers, with a clip of each and of each line', async (t) => {
  const turns = [
    { start: 0, end: 10, speaker: 0 },
    { start: 10, end: 40, speaker: 1 },
    { start: 40, end: 60, speaker: 0 },
  ]
  const { store, files, rows, events } = await open(t, temporaryFolder(t), { change: { turns } })
  const old = 'd'.repeat(64)
  rows.add({ digest: old, kind: 'clip', bytes: 0, detail: '{}', maker: 'earlier', used_at: 1 })
  rows.use('one', old)
  store.dubs.changeOptions('one', { segment_clones: { earlier: old } })
  const found = await all(events('one', never, { num_speakers: 3 }))
  assert.deepEqual(names(found), WHOLE)
  assert.deepEqual(found[3]![1], {
    detail: '2 of the 3 speakers were identified.',
    source: 'diarization',
    speaker_hint: { requested: 3, status: 'approximate' },
  })
  const lines = store.segments.list('one')
  assert.deepEqual(
    lines.map(({ id, speakerId, profileId }) => [id, speakerId, profileId]),
    [
      ['s00000', 'Speaker 1', 'auto:Speaker 1'],
      ['s00001', 'Speaker 2', 'auto:Speaker 2'],
      ['s00100', 'Speaker 2', 'auto:Speaker 2'],
      ['s00101', 'Speaker 1', 'auto:Speaker 1'],
    ],
  )
  const { options, sourceLang, fullTranscript } = store.dubs.find('one')!
  assert.deepEqual([sourceLang, fullTranscript], ['en', 'One two. three. One two. three.'])
  assert.deepEqual(
    Object.keys(options.segment_clones),
    lines.map(({ id }) => id),
  )
  assert.deepEqual(options.speaker_clones['Speaker 1'], { duration: 6, source_count: 1, kind: 'segment' })
  const clip = await files.find(options.clone_files['Speaker 1']!)
  assert.equal(clip?.kind, 'clip')
  assert.deepEqual(Object.keys(JSON.parse(clip!.detail)), ['text', 'durationUs'])
  assert.deepEqual(rows.usedBy('one'), [clip!.digest], 'the clip of an earlier transcription has no use any more')
})

test('a transcript that repeats itself is warned of before its end', async (t) => {
  const said = (start: number) => ({ start, end: start + 1, text: 'Thank you for watching.' })
  const recognisePart = async () => ({ ...recognised(), segments: [1, 8, 15, 22].map(said) })
  const { events } = await open(t, temporaryFolder(t), { change: { recognisePart } })
  const found = await all(events())
  const warnings = found.flatMap(([name, { source, detail }]) => (name === 'warning' && source === 'transcript' ? [detail] : []))
  assert.equal(warnings.length, 1, JSON.stringify(found))
  assert.match(String(warnings[0]), /^One phrase is 100 % of the transcript/)
  assert.ok(names(found).indexOf('warning') < names(found).indexOf('final'))
})

test('a transcription that is killed at any write continues, and repeats one part at most', async (t) => {
  // Too short for reference clips, which would take most of the time of this test.
  const recognisePart = async () => ({ ...recognised(), segments: [{ start: 1, end: 2, text: 'one two' }] })
  const change = { recognisePart }
  const plain = await open(t, temporaryFolder(t), { change })
  assert.deepEqual(names(await all(plain.events())), ['start', 'segments', 'segments', 'warning', 'warning', 'final', 'done'])
  const lines = plain.store.segments.list('one')
  for (let write = 2; write <= plain.world.writes(); write++) {
    const folder = temporaryFolder(t)
    const first = await open(t, folder, { killAt: { write, isWritten: write % 2 === 0 }, change })
    const id = await first.transcriptions.start('one', null, true)
    await Promise.race([first.world.killed, ended(first.world, id)])
    first.world.kill()
    first.world.close()
    const second = await open(t, folder, { change })
    second.world.jobs.start()
    assert.equal((await ended(second.world, id)).record.job.status, 'done', `write ${write}`)
    assert.ok(first.calls.length + second.calls.length <= plain.calls.length + 1, `write ${write}: ${first.calls} and then ${second.calls}`)
    assert.deepEqual(second.store.segments.list('one'), lines, `write ${write}`)
    await second.world.jobs.stop()
  }
})

test('a part that fails twice has its error in its event, and is tried again by the next transcription', async (t) => {
  let isBroken = true
  const { store, calls, events } = await open(t, temporaryFolder(t), {
    change: {
      recognisePart: async (part) => {
        if (isBroken && part < 2) throw new Failure('ENGINE_CRASHED', 'The engine died.')
        return recognised()
      },
    },
  })
  const found = await all(events())
  assert.deepEqual(names(found), WHOLE)
  const [, [, failed], [, whole]] = found as [Event, Event, Event]
  assert.deepEqual(
    [failed['chunk'], failed['segments'], failed['error'], failed['error_code']],
    [1, [], 'The engine died.', 'ENGINE_CRASHED'],
  )
  assert.deepEqual([whole['chunk'], whole['error']], [2, null])
  assert.deepEqual(
    store.segments.list('one').map(({ id }) => id),
    ['s00100', 's00101'],
  )
  isBroken = false
  await all(events())
  assert.equal(store.segments.list('one').length, 4)
  assert.equal(calls.filter((name) => name.startsWith('recognisePart')).length, 4, 'the part that was recognised is not recognised again')
})

test('a film without speech ends with an error, and one that cannot begin, too', async (t) => {
  const silent = await open(t, temporaryFolder(t), { change: { recognisePart: async () => ({ ...recognised(), segments: [] }) } })
  const found = await all(silent.events())
  assert.deepEqual(names(found).slice(-2), ['error', 'done'])
  assert.deepEqual(found.at(-2)![1]['detail'], 'No speech was found in the film.')
  await assert.rejects(silent.stream.result('one', null, never), { code: 'RECOGNITION_FAILED' })
  assert.deepEqual(names(await all(silent.events('unknown'))), ['error', 'done'])

  const detail = { error: 'asr_model_missing', message: 'Install one.', recommended: {} }
  const missing = await open(t, temporaryFolder(t), {
    change: {
      require: () => {
        throw new Failure('MODEL_NOT_INSTALLED', 'Install one.', { detail })
      },
    },
  })
  const [error] = await all(missing.events())
  assert.deepEqual(error, ['error', { detail: 'Install one.', retryable: true, code: 'MODEL_NOT_INSTALLED', ...detail }])
  assert.equal((await missing.world.jobs.page({ status: null, type: null, projectId: null, text: null, before: null, limit: 9 })).length, 0)
})

test('a second client follows the same transcription, one that leaves does not stop it, and a cancel is the last event', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { world, calls, abort, stream, events } = await open(t, temporaryFolder(t), {
    change: {
      recognisePart: async (part) => {
        if (part > 0) await gate.promise
        return recognised()
      },
    },
  })
  const twoOf = async (frames: AsyncGenerator<string>) => {
    const seen: Event[] = []
    while (seen.length < 2) seen.push(...eventOf((await frames.next()).value))
    return names(seen)
  }
  const leaving = new AbortController()
  const first = events('one', leaving.signal)
  assert.deepEqual(await twoOf(first), ['start', 'segments'])
  leaving.abort()
  await first.return(undefined)
  const second = events()
  assert.deepEqual(await twoOf(second), ['start', 'segments'])
  // As in a film of so many parts that its first events are not kept.
  world.db.exec('delete from job_event where seq = 1')
  const late = all(events())
  const third = stream.result('one', null, never)
  assert.equal(await abort.abort('one'), true)
  gate.resolve()
  assert.deepEqual(names(await all(second)), ['aborted'])
  const [missed, ...others] = await late
  assert.match(String(missed?.[1]['detail']), /^One earlier event of this transcription is not kept any more\./)
  assert.deepEqual(names(others), ['segments', 'aborted'])
  assert.equal(await third, null)
  assert.deepEqual(names(await all(events())), WHOLE)
  assert.equal(calls.filter((name) => name === 'choose').length, 2)
})
