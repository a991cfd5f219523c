// Transcribing a film of real speech with a real recogniser, and lines from subtitles, against the facts of the specification.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { encoded } from '#test/shared/text/encodings/encode.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { sharedWorld, type World } from '#test/support/world/world.ts'
import { type DubEvent, eventsOfTask, preparedDub } from './dub-client.ts'

const open = sharedWorld()
const sphinx = findProgram('pocketsphinx_continuous', process.env['PATH']) !== null
const withRecogniser = { skip: withPrograms.skip || (sphinx ? false : 'pocketsphinx is not on this machine; ./studio setup installs it') }
const SAID = SENTENCES.slice(1, 7)
const RATE = 16_000

/** About 16 s: pairs of sentences with pauses between them. `onsets`: of the pairs. */
async function speech(): Promise<{ path: string; onsets: number[]; seconds: number }> {
  const sounds: Buffer[] = []
  const onsets: number[] = []
  let at = 0
  const add = (pcm: Buffer) => {
    sounds.push(pcm)
    at += pcm.length / 2 / RATE
  }
  add(Buffer.alloc(RATE))
  for (const [position, sentence] of SAID.entries()) {
    if (position % 2 === 0) onsets.push(at)
    add((await spoken(sentence)).pcm)
    add(Buffer.alloc(position % 2 === 0 ? RATE / 4 : 3 * RATE))
  }
  const path = join(folder, 'speech.wav')
  writeFileSync(path, recording(Buffer.concat(sounds)).get('audio')!)
  return { path, onsets, seconds: at }
}

type Event = { readonly name: string; readonly data: DubEvent }
const parsed = (body: string): Event[] =>
  body.split('\n\n').flatMap((frame) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
    return name ? [{ name, data: JSON.parse(data!) }] : []
  })
const transcribed = async (world: World, id: string, query = ''): Promise<Event[]> => {
  const { status, headers, body } = await world.get(`/dub/transcribe-stream/${id}${query}`)
  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /text\/event-stream/)
  assert.ok(body.toString().startsWith(': transcribe-stream open\n\n'))
  return parsed(body.toString())
}
const withoutPings = (events: readonly Event[]) => events.filter(({ name }) => name !== 'ping')

test('a film is transcribed, with times, speakers and reference clips', withRecogniser, async (t) => {
  const world = await open()
  const { path, onsets, seconds } = await speech()
  const { id } = await preparedDub(world, path, 'talk.wav', { input_type: 'audio' })
  const events = withoutPings(await transcribed(world, id, '?num_speakers=2'))
  assert.deepEqual(
    events.map(({ name }) => name),
    ['start', 'segments', 'warning', 'final', 'done'],
    JSON.stringify(events),
  )
  const [start, first, warning, final] = events.map(({ data }) => data) as [DubEvent, DubEvent, DubEvent, DubEvent]
  assert.ok(Math.abs(start['duration'] - seconds) < 0.1, `${start['duration']}`)
  assert.deepEqual({ ...start, duration: 0 }, { duration: 0, chunks: 1, chunk_s: 30 })
  const { segments: found, ...chunk } = first
  assert.deepEqual(chunk, { chunk: 0, total_chunks: 1, progress: 1, error: null, error_code: null })
  assert.equal(warning['source'], 'diarization')
  assert.deepEqual(warning['speaker_hint'], { requested: 2, status: 'ignored' })

  const lines = final['segments'] as { id: string; start: number; end: number; text: string; speaker_id: string; profile_id: string }[]
  assert.deepEqual(
    lines.map(({ id: line }) => line),
    found.map((line: { id: string }) => line.id),
  )
  assert.equal(lines[0]!.id, 's00000')
  const said = plainWords(SAID.join(' '))
  const errors = wordErrors(said, plainWords(final['full_transcript']))
  t.diagnostic(`${errors} of ${said.length} words wrong: ${final['full_transcript']}`)
  assert.ok(errors <= 0.3 * said.length, final['full_transcript'])
  assert.equal(final['source_lang'], 'en')
  for (const [at, line] of lines.entries()) {
    assert.ok(line.start < line.end && line.end <= seconds + 0.1, JSON.stringify(line))
    assert.ok(at === 0 || lines[at - 1]!.end <= line.start + 0.2, JSON.stringify(line))
    assert.deepEqual([line.speaker_id, line.profile_id], ['Speaker 1', 'auto:Speaker 1'])
  }
  const near = onsets.filter((onset) => lines.some((line) => Math.abs(line.start - onset) < 0.25)).length
  assert.ok(near >= onsets.length - 1, `${near} of ${onsets.length} pairs begin a line`)

  const clone = final['speaker_clones']['Speaker 1']
  assert.deepEqual(final['cast_sources'], final['speaker_clones'])
  assert.ok(clone.duration >= 3 && clone.duration <= 15 && clone.source_count >= 1, JSON.stringify(clone))
  const row = (await world.get('/dub/history')).json().find((each: { id: string }) => each.id === id)
  const job = JSON.parse(row.job_data)
  assert.deepEqual(job.segments, lines)
  assert.deepEqual([job.source_lang, job.full_transcript, job.per_segment_refs], ['en', final['full_transcript'], true])

  // The parts are not recognised again.
  const again = await world.post(`/dub/transcribe/${id}?num_speakers=99`)
  assert.equal(again.status, 200, again.body.toString())
  assert.deepEqual(again.json(), { job_id: id, segments: lines, full_transcript: final['full_transcript'], source_lang: 'en' })
  const jobs = (await world.get('/jobs?type=dub_transcribe')).json()
  assert.equal(jobs.length, 2)
  assert.ok(jobs.every((each: { id: string; status: string }) => each.id.startsWith(`asr_${id}_`) && each.status === 'done'))

  // The selected engine cannot clone: a voice of its own stands in for automatic ones.
  const [line] = lines
  const asked = { language_code: 'en', num_step: 4 }
  const generated = await world.post(`/dub/generate/${id}`, { ...asked, segments: [line] })
  assert.equal(generated.status, 200, generated.body.toString())
  assert.match(generated.json().substitute, /^Voice Studio engine cannot clone, so one of its voices speaks for Speaker 1\./)
  const made = await eventsOfTask(world, generated.json().task_id)
  assert.equal(made.at(-1)!.type, 'done', JSON.stringify(made))
  assert.ok(made.some(({ type, segment, message }) => type === 'warning' && segment === null && /cannot clone/.test(message)))
  for (const refused of [
    { ...line, id: 'x', speaker_id: 'Speaker 2' },
    { ...line, id: 'y', profile_id: 'auto:constructor', speaker_id: 'constructor' },
  ]) {
    const reply = await world.post(`/dub/generate/${id}`, { ...asked, segments: [refused] })
    assert.equal(reply.status, 400, reply.body.toString())
  }
  const named = { ...line, id: 'constructor', speaker_id: 'constructor', profile_id: '' }
  const odd = await world.post(`/dub/generate/${id}`, {
    ...asked,
    segments: [named, { ...named, id: '__proto__', speaker_id: '__proto__' }],
  })
  assert.equal(odd.status, 200, odd.body.toString())
  const oddEvents = await eventsOfTask(world, odd.json().task_id)
  assert.deepEqual([oddEvents.at(-1)!.type, oddEvents.filter(({ type }) => type === 'error')], ['done', []], JSON.stringify(oddEvents))
  assert.equal((await world.delete(`/dub/history/${id}`)).status, 200)
})

test('what cannot be transcribed is an error event before the last one', withPrograms, async () => {
  const world = await open()
  const events = await transcribed(world, 'unknown')
  assert.deepEqual(
    events.map(({ name }) => name),
    ['error', 'done'],
  )
  assert.equal(events[0]!.data['retryable'], false)
  assert.match(events[0]!.data['detail'], /no dub with this id/)
  for (const path of ['/dub/transcribe/unknown', '/dub/cleanup-segments/unknown']) assert.equal((await world.post(path)).status, 404, path)
})

const file = (content: string | Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.set('file', new Blob([content]), 'a.srt')
  return form
}

test('lines are read from subtitles, imported and cleaned', withPrograms, async () => {
  const world = await open()
  const text =
    '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:02,000 --> 00:00:03,000\nyou there.\n\n3\nx\n\n4\n00:00:05,000 --> 00:00:04,000\nno'
  const reply = await world.post('/dub/parse-subtitle-text', { text })
  assert.deepEqual(reply.json(), {
    segments: [
      { start: 1, end: 2.5, text: 'Hello' },
      { start: 2.5, end: 3, text: 'you there.\n3\nx' },
    ],
    skipped_cues: 1,
    dropped_overlaps: 0,
    ...{ format: 'srt', encoding: null, notices: [] },
  })
  for (const [body, status] of [
    [{ text: 'nothing' }, 400],
    [{ text: '' }, 400],
    [{ text: 'x'.repeat(2_000_001) }, 413],
    [{}, 422],
  ] as const)
    assert.equal((await world.post('/dub/parse-subtitle-text', body)).status, status)

  const { path } = await speech()
  const { id, events } = await preparedDub(world, path, 'talk.wav', { input_type: 'audio' })
  const { duration } = events.find(({ type }) => type === 'ready')!
  const imported = await world.post(
    `/dub/import-srt/${id}`,
    file(
      new Uint8Array(
        Buffer.from(
          `${text.slice(0, 37)}\n\n00:00:02,700 --> 00:00:03,000\nJ\xfcrgen.\n\n00:00:10,000 --> 00:04:00,000\nlong\n\n00:05:00,000 --> 00:05:01,000\nlate`,
          'latin1',
        ),
      ),
    ),
  )
  assert.equal(imported.status, 200, imported.body.toString())
  const { segments, stats, format, encoding, notices } = imported.json()
  assert.deepEqual(
    [format, encoding, notices],
    ['srt', 'windows-1252', ['The file does not state its encoding; windows-1252 was assumed.']],
  )
  assert.deepEqual(stats, { imported: 3, skipped_malformed: 0, dropped_overlap: 0, clamped_to_duration: 2 })
  assert.deepEqual(
    segments.map((line: DubEvent) => [line['id'], line['start'], line['end'], line['text'], line['speaker_id']]),
    [
      [0, 1, 2.5, 'Hello', 'Speaker 1'],
      [1, 2.7, 3, 'Jürgen.', 'Speaker 1'],
      [2, 10, duration, 'long', 'Speaker 1'],
    ],
  )
  const cleaned = (await world.post(`/dub/cleanup-segments/${id}`)).json()
  assert.deepEqual([cleaned.before, cleaned.after, cleaned.segments[0].text, cleaned.segments[0].end], [3, 2, 'Hello Jürgen.', 3])
  const kept = cleaned.segments.map(({ id, start, end, text, speaker_id }: DubEvent) => ({ id, start, end, text, speaker_id }))
  const split = [{ ...kept[0], end: 1.5, text: 'Hello' }, { ...kept[0], id: 'n1', start: 1.5, text: 'Jürgen.', profile_id: 'p' }, kept[1]]
  const lines = (body: unknown) => world.put(`/dub/segments/${id}`, { segments: body })
  assert.equal((await lines(split)).status, 200)
  const row = (await world.get('/dub/history')).json().find((one: { id: string }) => one.id === id)
  assert.deepEqual(
    JSON.parse(row.job_data).segments.map((line: DubEvent) => [line['id'], line['start'], line['end'], line['text'], line['profile_id']]),
    [
      [0, 1, 1.5, 'Hello', undefined],
      ['n1', 1.5, 3, 'Jürgen.', 'p'],
      [2, 10, duration, 'long', undefined],
    ],
  )
  for (const [body, status] of [
    [[], 422],
    [[kept[0], kept[0]], 400],
    [[{ ...kept[0], end: 1 }], 400],
    [[{ ...kept[0], text: '\0' }], 422],
    [[{ ...kept[0], id: 'x'.repeat(65) }], 422],
  ] as const)
    assert.equal((await lines(body)).status, status, JSON.stringify(body))
  assert.equal((await world.put('/dub/segments/unknown', { segments: kept })).status, 404)
  assert.equal((await lines(kept)).status, 200)
  for (const [content, status] of [
    ['', 400],
    ['no cues', 400],
    ['00:05:00,000 --> 00:05:01,000\nlate', 400],
  ] as const)
    assert.equal((await world.post(`/dub/import-srt/${id}`, file(content))).status, status)
  assert.equal((await world.post('/dub/import-srt/unknown', file('x'))).status, 404)
  assert.equal((await world.get('/dub/history')).json().find((row: { id: string }) => row.id === id).segments_count, 2)
})

test('the encoding of a file is found, named and can be chosen, by both routes that take a file', withPrograms, async () => {
  const world = await open()
  const { path } = await speech()
  const { id } = await preparedDub(world, path, 'talk.wav', { input_type: 'audio' })
  const cue = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`
  const russian = encoded(cue('Я больше не могу ждать.'), 'windows-1251')
  for (const route of ['/dub/parse-subtitle-file', `/dub/import-srt/${id}`]) {
    const sent = async (bytes: Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}) => {
      const body = file(bytes)
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      return world.post(route, body)
    }
    const found = (await sent(russian)).json()
    assert.deepEqual(
      [found.segments[0].text, found.encoding, found.notices],
      ['Я больше не могу ждать.', 'windows-1251', ['The file does not state its encoding; windows-1251 was assumed.']],
    )
    const chosen = (await sent(russian, { encoding: 'koi8-r', language: 'ru' })).json()
    assert.deepEqual([chosen.segments[0].text.slice(0, 1), chosen.encoding, chosen.notices], ['ъ', 'koi8-r', []])
    assert.deepEqual((await sent(encoded(cue('Čekaj'), 'windows-1250'), { language: 'hr' })).json().segments[0].text, 'Čekaj')
    const utf16 = (await sent(encoded(cue('Καλημέρα'), 'utf-16be'))).json()
    assert.deepEqual([utf16.segments[0].text, utf16.encoding, utf16.notices], ['Καλημέρα', 'utf-16be', []])
    assert.equal((await sent(russian, { encoding: 'klingon' })).status, 422)
    for (const [content, why] of [
      ['', /The file is empty/],
      ['no cues', /There are no subtitles/],
      ['<!DOCTYPE tt [<!ENTITY a "b">]><tt><body><p begin="1s" end="2s">&a;</p></body></tt>', /declares a document type/],
    ] as const) {
      const refused = await sent(new Uint8Array(Buffer.from(content)))
      assert.equal(refused.status, 400)
      assert.match(refused.json().detail, why)
    }
  }
})

test('lines are imported from every format, with their speakers', withPrograms, async () => {
  const world = await open()
  const { path } = await speech()
  const { id } = await preparedDub(world, path, 'talk.wav', { input_type: 'audio' })
  const head = '<head><metadata><agent xml:id="a"><name>Ann</name></agent></metadata></head>'
  for (const [format, text, speaker] of [
    ['vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello.\n', 'Ann'],
    ['ass', 'Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,Hello.\n', 'Ann'],
    ['ssa', 'ScriptType: v4.00\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,Hello.\n', 'Ann'],
    ['ttml', `<tt>${head}<body><div><p agent="a" begin="1s" end="2s">Hello.</p></div></body></tt>`, 'Ann'],
    ['sbv', '0:00:01.000,0:00:02.000\nHello.\n', 'Speaker 1'],
    ['microdvd', '{1}{1}25\n{25}{50}Hello.\n', 'Speaker 1'],
    ['lrc', '[00:01.00]Hello.\n[00:02.00]\n', 'Speaker 1'],
  ] as const) {
    const reply = (await world.post(`/dub/import-srt/${id}`, file(text))).json()
    assert.deepEqual([reply.format, reply.encoding], [format, 'utf-8'])
    const [line] = reply.segments
    assert.deepEqual([line.start, line.end, line.text, line.speaker_id], [1, 2, 'Hello.', speaker], format)
    const parsed = (await world.post('/dub/parse-subtitle-text', { text })).json()
    assert.deepEqual([parsed.format, parsed.segments[0].speaker ?? 'Speaker 1'], [format, speaker])
  }
})
