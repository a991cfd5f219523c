// Speaking, fitting and assembling the lines of a film, against the facts of the specification.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { medianPitch } from '#shared/audio/voice/pitch.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { speechWav } from '#test/support/archive/bundle.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld, type World } from '#test/support/world/world.ts'
import { type DubEvent, eventsOfTask, preparedDub, typesOf } from './dub-client.ts'

const world_ = sharedWorld()
const hasEspeak = findProgram('espeak-ng', process.env['PATH']) !== null
const LINES = [
  { start: 0.5, end: 2.5, text: 'Good morning, everybody.', profile_id: '' },
  { start: 3, end: 4.6, text: 'The ships are late today.', speed: 1.1, gain: 0.5, effect_preset: 'raw' },
  { start: 4.7, end: 4.72, text: 'Too short.' },
  { start: 4.8, end: 5.5, text: ' … ' },
]
const LONG = 'The committee met in the old town hall, and everybody who had come was asked to say what they thought of the plan. '.repeat(2)
const IDS = ['a', 'b', 'c', 'd']
const ASKED = { segments: LINES, segment_ids: IDS, language: 'English', language_code: 'en', num_step: 8 }

async function dubbed(world: World, id: string, body: unknown) {
  const reply = await world.post(`/dub/generate/${id}`, body)
  assert.equal(reply.status, 200, reply.body.toString())
  const { task_id: task } = reply.json()
  assert.match(task, new RegExp(`^dub_${id}_\\d+$`))
  const events = await eventsOfTask(world, task)
  return { task, events, last: events.at(-1)! }
}
function isFileOf(path: string, bytes: Buffer): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === bytes.length && readFileSync(path).equals(bytes)
}
/** Without what is said about the voice that answers. */
const steps = (events: readonly DubEvent[]) => typesOf(events).filter((type) => type !== 'routing_notice')
const trackOf = async (world: World, id: string, language = 'en') => (await world.get(`/dub/tracks/${id}`)).json().tracks[language]

/** Seconds at which the track becomes audible after `from`. */
async function onsetAfter(path: string, from: number): Promise<number> {
  const sound = await openBlocks(path)
  const bytes = await sound.read(Math.round(from * sound.sampleRate), sound.sampleRate)
  for (let at = 0; at < bytes.length; at += 4) if (Math.abs(bytes.readFloatLE(at)) > 0.005) return from + at / 4 / sound.sampleRate
  return Number.POSITIVE_INFINITY
}

/** Hz; the sound is a recording of the studio. */
function pitchOf(wav: Buffer): number {
  const { samples, sampleRate } = parseWav(wav)
  return medianPitch(samples, sampleRate) ?? 0
}

test('two built-in voices sound as a man and a woman in a dub and in a book', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('plain.mp4'), 'Two voices.mp4')
  const text = 'The ships are late today, and the lamp in the tower is on.'
  const inDub = async (voice: string) => {
    const reply = await world.post(`/dub/preview-segment/${id}`, { text, language: 'English', profile_id: voice })
    assert.equal(reply.status, 200, reply.body.toString())
    return pitchOf(reply.body)
  }
  const inBook = async (request: object) => {
    const reply = await world.post('/audiobook/preview', request)
    assert.equal(reply.status, 200, reply.body.toString())
    const { output, notices } = reply.json()
    assert.ok(!notices.join().includes('no voice'), notices.join())
    return pitchOf((await world.get(`/audio/${output}`)).body)
  }
  const film = [await inDub('slt'), await inDub('rms')]
  const book = [
    await inBook({ text, default_voice: 'slt' }),
    await inBook({ text: `[voice:Cole] ${text}`, default_voice: 'slt', voice_map: { Cole: 'rms' } }),
  ]
  for (const [woman, man] of [film, book]) assert.ok(woman! > 1.3 * man! && man! > 60, `${film} ${book} Hz`)

  // The same voice when another engine is selected: by its name alone, and with its engine.
  await world.post('/engines/select', { family: 'tts', backend_id: 'heart' })
  try {
    for (const voice of ['rms', 'flite:rms']) {
      const pitches = [await inDub(voice), await inBook({ text, default_voice: voice })]
      for (const hz of pitches) assert.ok(film[0]! > 1.3 * hz && hz > 60, `${voice}: ${pitches} Hz`)
    }
    const unknown = await world.post('/audiobook/preview', { text, default_voice: 'flite:gull' })
    assert.match(unknown.json().notices.join(), /There is no voice gull\./)
    const spoken = await world.send('POST', '/generate', form({ text, voice: 'flite:rms' }))
    assert.equal(spoken.headers.get('x-svc-voice'), 'rms')
  } finally {
    await world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' })
  }
})

test('lines are spoken, fitted and assembled; unchanged ones are not spoken again', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('plain.mp4'), 'Film.mp4')
  const first = await dubbed(world, id, ASKED)
  assert.equal(first.last.type, 'done', JSON.stringify(first.events))
  assert.ok(typesOf(first.events).includes('assembling'))
  const progress = first.events.filter(({ type }) => type === 'progress')
  assert.ok(progress.length > 0 && progress.every((event) => event['total'] === 4))
  const counted = progress.map((event) => event['current'])
  assert.deepEqual([counted.at(-1), counted.every((line, at) => line >= 0 && line > (counted[at - 1] ?? -1))], [3, true], `${counted}`)
  const { events: kept } = (await world.get(`/jobs/${first.task}/events`)).json()
  assert.deepEqual(
    kept.map(({ payload }: { payload: string }) => JSON.parse(payload.replace('data: ', ''))),
    first.events,
    'the stored events are those of the live stream',
  )
  const { seg_hashes, ...done } = first.last
  assert.deepEqual(
    [done['segments_processed'], done['language_code'], done['tracks'], done['timing_strategy'], done['seg_num_step']],
    [4, 'en', ['en'], 'concise', { a: 8, b: 8, c: 8, d: 8 }],
  )
  assert.deepEqual(done['sync_scores'].slice(2), [1, 1])
  assert.equal(done['fit_status'].length, 4)
  const stored = { segments: LINES.map((line, index) => ({ ...line, id: IDS[index] })), stored_hashes: seg_hashes, lang: 'en' }
  const plan = (await world.post('/tools/incremental', stored)).json()
  assert.deepEqual([plan.stale, plan.fresh], [[], IDS])

  const track = await trackOf(world, id)
  assert.deepEqual([track.language, track.language_code, track.timing_strategy], ['English', 'en', 'concise'])
  assert.match(track.fit_fp, /^[0-9a-f]{16}$/)
  for (const { start } of LINES.slice(0, 2)) {
    const onset = await onsetAfter(track.path, start - 0.3)
    assert.ok(Math.abs(onset - start) < 0.03, `${onset} for ${start}`)
  }
  const { texts } = (await world.get(`/dub/segments-text/${id}?lang=en`)).json()
  assert.deepEqual(texts, Object.fromEntries(IDS.map((one, index) => [one, LINES[index]!.text])))

  const heard = await world.get(`/dub/preview/${id}/1`)
  assert.equal(heard.headers.get('content-type'), 'audio/wav')
  assert.ok(parseWav(heard.body).samples.length > 8_000)
  for (const path of [`${id}/2`, `${id}/9`, `${id}/-1`, `${id}/1?lang=fr`, 'unknown/0'])
    assert.equal((await world.get(`/dub/preview/${path}`)).status, 404, path)
  for (const index of ['x', '1.5'])
    assert.deepEqual((await world.get(`/dub/preview/${id}/${index}`)).json().detail[0].loc, ['path', 'segment_index'], index)

  const second = await dubbed(world, id, ASKED)
  assert.deepEqual(steps(second.events), ['assembling', 'done'])
  assert.equal((await trackOf(world, id)).path, track.path)

  // Another time line and other effects speak nothing again.
  const fitted = await dubbed(world, id, { ...ASKED, timing_strategy: 'smart_fit', segments: LINES.map((line) => ({ ...line, gain: 1 })) })
  assert.deepEqual(steps(fitted.events), ['assembling', 'done'])
  assert.notEqual((await trackOf(world, id)).path, track.path)

  const again = await dubbed(world, id, { ...ASKED, regen_only: ['a'] })
  assert.equal(again.events.filter(({ type }) => type === 'progress').length, 1)
  assert.equal(again.events.find(({ type }) => type === 'progress')!['text'], LINES[0]!.text)
  const renewed = await trackOf(world, id)
  assert.deepEqual(steps((await dubbed(world, id, ASKED)).events), ['assembling', 'done'])
  assert.equal((await trackOf(world, id)).path, renewed.path, 'the latest take counts')
})

test('a line that is too long for its slot is spoken again in the length that it has', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('sound.mp3'), 'talk.mp3', { input_type: 'audio' })
  const segments = [{ id: 'a', start: 0, end: 1.6, text: 'Good morning to everybody in the old town hall.' }]
  const asked = { ...ASKED, segments, segment_ids: ['a'], timing_strategy: 'strict_slot' }
  const tasks = () => world.studio.lines().filter(({ msg, operation }) => msg === 'attempt started' && operation === 'tts').length
  const before = tasks()
  const { last } = await dubbed(world, id, asked)
  assert.equal(last.type, 'done', JSON.stringify(last))
  const [fit] = last['fit_status']
  assert.equal(fit.compression_applied, true, JSON.stringify(fit))
  assert.equal(tasks(), before + 2, 'the natural take, and the second one')
  const { path } = await trackOf(world, id)
  await dubbed(world, id, asked)
  assert.equal(tasks(), before + 2)
  assert.equal((await trackOf(world, id)).path, path)
})

test('a line under a picture that is longer than the sound of the film is heard', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('credits.mp4'), 'Credits.mp4')
  const file = Buffer.from('00:00:04,500 --> 00:00:05,800\nThe end.\n')
  const { segments, stats } = (await world.post(`/dub/import-srt/${id}`, form({ file }))).json()
  assert.deepEqual([segments[0].end, stats], [5.8, { imported: 1, skipped_malformed: 0, dropped_overlap: 0, clamped_to_duration: 0 }])
  const { last } = await dubbed(world, id, { segments, language_code: 'en', num_step: 4 })
  assert.deepEqual([last.type, last['fit_status'][0].status], ['done', 'fits'])
  const { path, duration } = await trackOf(world, id)
  assert.ok(Math.abs(duration - 6) < 0.05, `${duration}`)
  const onset = await onsetAfter(path, 4.2)
  assert.ok(Math.abs(onset - 4.5) < 0.03, `${onset}`)
})

test('one line is spoken at once', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('sound.mp3'), 'talk.mp3', { input_type: 'audio' })
  const reply = await world.post(`/dub/preview-segment/${id}`, { text: LONG, language: 'en' })
  assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'audio/wav'])
  const { samples, sampleRate } = parseWav(reply.body)
  assert.ok(Math.abs(samples.length / sampleRate - Number(reply.headers.get('x-audio-duration'))) < 0.01)
  const file = new FormData()
  file.set('file', new Blob([new Uint8Array(reply.body)]), 'line.wav')
  assert.equal((await world.post('/watermark/detect', file)).json().is_watermarked, true)
  // The engine that answers in the place of the selected one is named, in a generation as well.
  if (hasEspeak) {
    const named = /eSpeak NG, because no model of Voice Studio engine for Spanish/
    const spanish = await world.post(`/dub/preview-segment/${id}`, { text: 'Buenos días.', language: 'es' })
    assert.match(spanish.headers.get('x-svc-routing-reason') ?? '', named)
    const segments = [{ start: 0, end: 2, text: 'Buenos días.' }]
    const { events } = await dubbed(world, id, { segments, language: 'Spanish', language_code: 'es', num_step: 4 })
    const notices = events.filter(({ type }) => type === 'routing_notice')
    assert.equal(notices.filter(({ status, reason }) => status === 'notice' && named.test(reason)).length, 1, JSON.stringify(events))
  }
  const other = await world.post(`/dub/preview-segment/${id}`, { text: 'Hello.', language: 'en', profile_id: 'no-such-voice' })
  assert.match(other.headers.get('x-svc-routing-reason') ?? '', /There is no voice no-such-voice\. The default voice heart was used\./)
  assert.equal((await world.post('/dub/preview-segment/unknown', { text: 'Hello.' })).status, 404)
  const unknown = await world.post(`/dub/preview-segment/${id}`, { text: 'Hello.', profile_id: 'auto:Speaker 1' })
  assert.equal(unknown.status, 400, unknown.body.toString())
})

test(
  'segments as the specification has them, without ids, are the lines of the dub; subtitles have what was said',
  withPrograms,
  async () => {
    const world = await world_()
    const { id } = await preparedDub(world, await corpus('plain.mp4'), 'Film.mp4')
    const srt = ['Guten Morgen.', 'Wie geht es dir?', 'Gut.'].map(
      (text, at) => `00:00:0${2 * at},000 --> 00:00:0${2 * at + 1},500\n${text}\n`,
    )
    assert.equal((await world.post(`/dub/import-srt/${id}`, form({ file: Buffer.from(srt.join('\n')) }))).status, 200)
    const spoken = async (segments: readonly object[]) => {
      const { last } = await dubbed(world, id, { segments, language_code: 'en', timing_strategy: 'strict_slot', num_step: 4 })
      return Object.keys(last['seg_hashes'])
    }
    const subtitles = async () => {
      const text = (await world.get(`/dub/srt/${id}?lang=en&dual=true`)).body.toString()
      return text.split('\n').filter((line) => line !== '' && !/^\d+$|-->/.test(line))
    }
    const [second, third] = [
      { start: 2, end: 3.5, text: 'How are you?' },
      { start: 4, end: 5.5, text: 'Fine.' },
    ]
    // Those at the same times, and a new line.
    assert.deepEqual(await spoken([third, second]), ['1', '2'])
    assert.deepEqual(await subtitles(), ['Guten Morgen.', 'How are you?', '<i>Wie geht es dir?</i>', 'Fine.', '<i>Gut.</i>'])
    assert.deepEqual(await spoken([third, second, { start: 0, end: 1.5, text: 'Good morning.' }]), ['0', '1', '2'], 'as many as there are')
    // A client may divide the film in its own way.
    assert.deepEqual(await spoken([second, { start: 4, end: 4.7, text: 'Fine,' }, { start: 4.7, end: 5.5, text: 'thanks.' }, third]), [
      '1',
      '2',
      'new-1',
      'new-2',
    ])
    assert.deepEqual(await spoken([{ id: 'x', start: 0, end: 3.5, text: 'Morning, how are you?' }]), ['x'])
    assert.deepEqual(await subtitles(), ['Morning, how are you?', '<i>Guten Morgen. Wie geht es dir?</i>'])
  },
)

test('what has the voice of a person goes with that voice', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('sound.mp3'), 'talk.mp3', { input_type: 'audio' })
  const [line] = LINES
  const fields = { name: 'Ada', ref_audio: Buffer.from(speechWav(5, 24_000, 3)), ref_text: 'Hi.' }
  const profile = (await world.post('/profiles', form(fields))).json()
  const asked = { ...ASKED, segments: [{ ...line, profile_id: profile.id }], segment_ids: ['a'] }
  const refused = await world.post(`/dub/generate/${id}`, { ...asked, num_step: 4 })
  assert.equal(refused.status, 400, 'the selected engine does not clone')

  assert.equal((await world.post('/engines/select', { family: 'tts', backend_id: 'tone' })).status, 200)
  try {
    const { last } = await dubbed(world, id, asked)
    assert.equal(last.type, 'done', JSON.stringify(last))
    const { path } = await trackOf(world, id)
    assert.equal(existsSync(path), true)
    assert.equal((await world.get(`/dub/preview/${id}/0`)).status, 200)
    const exported = (await world.get(`/dub/download-audio/${id}`)).body
    const store = join(world.dataDir, 'dub_store', 'files')
    const isKept = () => readdirSync(store).some((name) => isFileOf(join(store, name), exported))
    assert.equal(isKept(), true)
    assert.equal((await world.delete(`/profiles/${profile.id}`)).status, 200)
    assert.equal(isKept(), false, 'the export has the voice, too')
    assert.equal(await trackOf(world, id), undefined)
    assert.equal(existsSync(path), false)
    assert.equal((await world.get(`/dub/preview/${id}/0`)).status, 404)
  } finally {
    await world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' })
  }
})

test('wrong requests are refused', withPrograms, async () => {
  const world = await world_()
  const { id } = await preparedDub(world, await corpus('sound.mp3'), 'talk.mp3', { input_type: 'audio', job_id: 'refusals' })
  const [line] = LINES
  for (const [status, body] of [
    [422, {}],
    [422, { segments: [] }],
    [422, { segments: [line], timing_strategy: 'fast' }],
    [422, { segments: [line], slot_fit: 'cut' }],
    [422, { segments: [{ ...line, effect_preset: 'loud' }] }],
    [422, { segments: [{ ...line, gain: 3 }] }],
    [422, { segments: [line], language_code: 'e/s' }],
    [400, { segments: [line, line], segment_ids: ['a', 'a'] }],
    [400, { segments: [line], segment_ids: ['a', 'b'] }],
    [400, { segments: [{ ...line, profile_id: 'auto:Speaker 1' }] }],
  ] as const) {
    const reply = await world.post(`/dub/generate/${id}`, body)
    assert.equal(reply.status, status, `${JSON.stringify(body)}: ${reply.body}`)
  }
  assert.equal((await world.post('/dub/generate/unknown', { segments: [line] })).status, 404)
})
