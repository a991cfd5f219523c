// The transcription of a film: killed at every write, cancelled, with parts that fail, and as a stream that clients leave and attach to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ended } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { all, type Event, eventOf, names, never, open, recognised } from './world.ts'

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

test('speech without words is named with its times in the film, and stored with the dub', async (t) => {
  const recognisePart = async (part: number) => ({
    ...recognised(),
    ...(part === 1 && { speech_without_words: [{ start: 20, end: 25.5 }] }),
  })
  const { events, store } = await open(t, temporaryFolder(t), { change: { recognisePart } })
  const details = (await all(events())).flatMap(([name, { detail }]) => (name === 'warning' ? [String(detail)] : []))
  const named = details.filter((detail) => detail.startsWith('Speech without words'))
  assert.deepEqual(named, ['Speech without words was found at 0:50 to 0:55. There are no lines for it.'])
  assert.deepEqual(store.dubs.find('one')!.options.speech_without_words, [{ start_us: 50e6, end_us: 55.5e6 }])
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
    [0, [], 'The engine died.', 'ENGINE_CRASHED'],
  )
  assert.deepEqual([whole['chunk'], whole['error']], [1, null])
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
  assert.equal(
    (await missing.world.jobs.page({ viewer: null, status: null, type: null, projectId: null, text: null, before: null, limit: 9 })).length,
    0,
  )
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
