// Rendering books over HTTP, with the embedded voice and the embedded MP3 encoder.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHistogramMeter, integratedLoudness } from '#shared/audio/master/histogram.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { sharedWorld } from '#test/support/world/world.ts'
import { namesOf, render, script } from './book-client.ts'

const open = sharedWorld()
const NO_ESPEAK = !findProgram('espeak-ng', process.env['PATH']) && 'espeak-ng is not installed'
const SCRIPT =
  '# One\n[voice:Ann]The first chapter is short, but it has two sentences. Here is the second one. [pause 1s]\n\n# Two\nAnother chapter follows the first one, and it is the last chapter of this book.'
const audio = async (world: Awaited<ReturnType<typeof open>>, name: string) => (await world.get(`/audio/${name}`)).body

test('a book is rendered in order, and a second rendering uses what is there', async () => {
  const world = await open()
  const request = { text: SCRIPT, format: 'mp3', loudness: 'podcast', metadata: { author: 'A. Writer' } }
  const events = await render(world, '/audiobook', request)
  assert.deepEqual(
    namesOf(events).filter((type) => type !== 'routing_notice'),
    ['started', 'chapter', 'chapter', 'assembling', 'mastering', 'done'],
  )
  const started = events[0]!
  assert.match(started['job_id'], /^[0-9a-f]{16}$/)
  assert.equal(started['chapters'], 2)
  assert.ok(events.some(({ type, reason }) => type === 'routing_notice' && /no voice Ann/.test(reason)))
  const chapters = events.filter(({ type }) => type === 'chapter')
  assert.deepEqual(
    chapters.map(({ index, total, title, cached, cached_segments }) => ({ index, total, title, cached, cached_segments })),
    [
      { index: 0, total: 2, title: 'One', cached: false, cached_segments: 0 },
      { index: 1, total: 2, title: 'Two', cached: false, cached_segments: 0 },
    ],
  )
  const done = events.at(-1)!
  assert.equal(done['output'], `audiobook_${started['job_id']}.mp3`)
  assert.deepEqual([done['chapters'], done['cached_chapters'], done['failed_chapters']], [2, 0, []])
  assert.ok(Math.abs(done['duration_s'] - chapters[0]!['duration_s'] - chapters[1]!['duration_s']) < 0.01)
  assert.equal(done['loudness'].preset, 'podcast')
  assert.ok(Math.abs(done['loudness'].measured_i + 16) < 1, `${done['loudness'].measured_i} LUFS`)

  const again = await render(world, '/audiobook', request)
  assert.deepEqual(
    again.filter(({ type }) => type === 'chapter').map(({ cached }) => cached),
    [true, true],
  )
  assert.equal(again.at(-1)!['cached_chapters'], 2)
  const [first, second] = [await audio(world, done['output']), await audio(world, again.at(-1)!['output'])]
  assert.equal(first.subarray(0, 3).toString(), 'ID3')
  assert.ok(first.equals(second), 'the same book has the same bytes')

  const { jobs } = (await world.get('/longform/jobs')).json()
  const made = [again[0]!['job_id'], started['job_id']]
  const idsOf = (list: { job_id: string }[]) => list.map(({ job_id }) => job_id)
  assert.deepEqual(idsOf(jobs).slice(0, made.length), made)
  const stopped = idsOf((await world.get('/audiobook/jobs')).json().jobs)
  assert.ok(!made.some((id) => stopped.includes(id)), 'a finished book is not offered for resuming')
  const stored = (await world.get(`/jobs/${started['job_id']}/events`)).json()
  assert.deepEqual(
    stored.events.map(({ payload }: { payload: string }) => JSON.parse(payload)),
    events,
  )

  const remove = () => world.delete(`/longform/jobs/${started['job_id']}`)
  const removed = await remove()
  assert.deepEqual([removed.status, removed.json()], [200, { deleted: true }])
  assert.equal((await world.get(`/audio/${done['output']}`)).status, 404)
  assert.ok(!idsOf((await world.get('/longform/jobs')).json().jobs).includes(started['job_id']))
  assert.deepEqual([(await remove()).status, (await world.delete('/longform/jobs/unknown')).status], [404, 404])
  assert.ok((await audio(world, again.at(-1)!['output'])).equals(second), 'the other book stays')
})

test('a changed sentence renders the segments of its paragraph only', async () => {
  const world = await open()
  const before = script(2, 3)
  await render(world, '/audiobook', { text: before, format: 'mp3' })
  const events = await render(world, '/audiobook', { text: before.replace('part 2 of chapter 2', 'part two of chapter 2'), format: 'mp3' })
  const chapters = events.filter(({ type }) => type === 'chapter')
  assert.deepEqual(
    chapters.map(({ cached, segments, cached_segments }) => [cached, segments - cached_segments]),
    [
      [true, 0],
      [false, 1],
    ],
  )
})

test('a preview is one chapter as WAV, and warms the cache', async () => {
  const world = await open()
  const text = '# A\nThe preview of this chapter is heard before the book is made.\n# B\nThis one is not heard before.'
  const preview = await world.post('/audiobook/preview', { text, chapter_index: 0 })
  assert.equal(preview.status, 200, preview.body.toString())
  const { output, duration_s, cached, title } = preview.json()
  assert.deepEqual([cached, title], [false, 'A'])
  const wav = await audio(world, output)
  assert.equal(wav.subarray(0, 4).toString(), 'RIFF')
  assert.ok(duration_s > 2 && duration_s < 15, `${duration_s} s`)
  assert.equal((await world.post('/audiobook/preview', { text })).json().cached, true)
  const events = await render(world, '/audiobook', { text, format: 'mp3' })
  assert.deepEqual(
    events.filter(({ type }) => type === 'chapter').map((event) => event['cached']),
    [true, false],
  )
  await world.post('/pronunciation', { term: 'chapter', type: 'ipa', replacement: 'tʃæptə' })
  const unspoken = (await world.post('/audiobook/preview', { text, engine: 'flite' })).json().notices.join()
  assert.match(unspoken, /does not take .* phonetic alphabet: chapter\./)
  assert.equal((await world.post('/audiobook/preview', { text, chapter_index: 2 })).status, 400)
  assert.equal((await world.post('/audiobook/preview', { text: '' })).status, 400)
})

test('books and stories in SSML are rendered, and say what they do not follow', async () => {
  const world = await open()
  const ssml =
    '<speak><p>The first words of a book.</p><break time="2s"/><prosody rate="slow" volume="loud">The last ones.</prosody></speak>'
  const request = { text: ssml, engine: 'tone' }
  const preview = await world.post('/audiobook/preview', request)
  assert.equal(preview.status, 200, preview.body.toString())
  assert.match(preview.json().notices.join(), /volume of <prosody>/)
  const plain = await world.post('/audiobook/preview', {
    text: 'The first words of a book.\n\n[pause 2s]\n[slow]The last ones.[/slow]',
    engine: 'tone',
  })
  assert.equal(preview.json().duration_s, plain.json().duration_s)
  for (const [path, body] of [
    ['/audiobook', request],
    ['/longform/render', { chapters: [{ title: 'One', spans: [{ text: ssml }] }], engine: 'tone' }],
  ] as const) {
    const events = await render(world, path, { ...body, format: 'mp3' })
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
    assert.match(JSON.stringify(events), /volume of <prosody>/)
  }
})

test('voices of one book have equal loudness before mastering', async () => {
  const world = await open()
  const words =
    'The two of them read the same lines, one after the other, and no listener needs to turn the volume. Then it is quiet again.'
  const loudness: number[] = []
  for (const voice of ['slt', 'rms']) {
    const { output } = (await world.post('/audiobook/preview', { text: words, default_voice: voice })).json()
    const { samples, sampleRate } = parseWav(await audio(world, output))
    const meter = createHistogramMeter(sampleRate)
    meter.push(samples)
    loudness.push(integratedLoudness(meter.finish())!)
  }
  for (const measured of loudness) assert.ok(Math.abs(measured + 20) < 1.5, loudness.map((each) => `${each.toFixed(1)} LUFS`).join(', '))
})

test('a plan is rendered as a story; empty spans are dropped', async () => {
  const world = await open()
  const chapters = [
    { title: 'Tale', spans: [{ text: ' ' }, { text: 'Once there was a lamp that never went out.', speed: 1.2, pause_ms_after: 100 }] },
  ]
  const events = await render(world, '/longform/render', { chapters, format: 'mp3', seed: 7, emo_text: 'glad' })
  assert.match(events.at(-1)!['output'], /^story_[0-9a-f]{16}\.mp3$/)
  assert.ok(events.some(({ type, reason }) => type === 'routing_notice' && /emo_text/.test(reason)))
})

test('a book without words is not offered for resuming', async () => {
  const world = await open()
  const events = await render(world, '/longform/render', { chapters: [{ title: 'Silence', spans: [{ text: ' ' }] }] })
  assert.deepEqual([events.length, events[0]!.type, events[0]!['error']], [1, 'error', 'The book has no words to speak.'])
  const { jobs } = (await world.get('/audiobook/jobs')).json()
  assert.ok(!jobs.some(({ title }: { title: string }) => title === 'Silence'), JSON.stringify(jobs))
})

test('a book in a language of another engine says which engine speaks', { skip: NO_ESPEAK }, async () => {
  const world = await open()
  const text = '# Cuento\nHabía una vez una lámpara que no se apagaba nunca, y nadie sabía por qué.'
  const events = await render(world, '/audiobook', { text, format: 'mp3' })
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
  const said = events.filter(({ type }) => type === 'routing_notice').map(({ reason }) => reason)
  assert.ok(said.includes('Using eSpeak NG, because no model of Voice Studio engine for Spanish is installed.'), JSON.stringify(said))
})

test('a damaged segment is rendered again', async () => {
  const world = await open()
  const text = '# Damage\nThis sentence is on the disk, and then it is not what it was.'
  const first = await world.post('/audiobook/preview', { text })
  const sound = await audio(world, first.json().output)
  const folder = join(world.dataDir, 'longform_cache')
  for (const shelf of readdirSync(folder).filter((name) => name.length === 2))
    for (const name of readdirSync(join(folder, shelf))) writeFileSync(join(folder, shelf, name), 'damaged')
  const second = await world.post('/audiobook/preview', { text })
  assert.equal(second.status, 200, second.body.toString())
  assert.ok((await audio(world, second.json().output)).equals(sound))
})

test('too many chapters are refused before the stream, and a book without words ends with one error', async () => {
  const world = await open()
  const many = await world.post('/audiobook', { text: '# a\n'.repeat(10_001) })
  assert.equal(many.status, 422)
  assert.match(many.json().detail, /more than 10000 chapters/)
  const planned = await world.post('/longform/render', { chapters: Array(10_001).fill({ spans: [] }) })
  assert.equal(planned.status, 422)
  const events = await render(world, '/audiobook', { text: '# Title\n\n…' })
  assert.deepEqual(namesOf(events), ['error'])
  const [job] = (await world.get('/jobs?type=audiobook&limit=1')).json()
  assert.equal(job.status, 'failed')
  assert.equal((await world.post('/audiobook/resume/0123456789abcdef')).status, 404)
})

test('silence at the edges of a chapter is in the book, whether it is written in a script or planned', async () => {
  const world = await open()
  const lengthOf = async (path: string, body: object): Promise<number> => {
    const events = await render(world, path, { ...body, format: 'mp3', engine: 'tone' })
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
    return events.at(-1)!['duration_s']
  }
  const script = (before: string, after: string) => ({ text: `# A\n${before}\nHello there.\n${after}\n# B\nWelcome.` })
  const plain = await lengthOf('/audiobook', script('', ''))
  for (const [before, after, seconds] of [
    ['[pause 3s]', '', 3],
    ['', '[pause 4s]', 4],
    ['[pause 1.5s]', '[pause 2s]', 3.5],
  ] as const) {
    const longer = (await lengthOf('/audiobook', script(before, after))) - plain
    assert.ok(Math.abs(longer - seconds) < 0.06, `${before} ${after}: ${longer} s more`) // frames of MP3
  }
  const story = (...spans: object[]) => ({ chapters: [{ title: 'A', spans }] })
  const words = { text: 'Hello there.' }
  const alone = await lengthOf('/longform/render', story(words))
  for (const [spans, more, seconds] of [
    [[{ ...words, pause_ms_after: 5_000 }], {}, 5],
    [[{ text: ' ', pause_ms_after: 1_200 }, words], {}, 1.2],
    [[words], { pause_ms_before: 2_200 }, 2.2],
  ] as const) {
    const body = { chapters: [{ title: 'A', spans, ...more }] }
    const longer = (await lengthOf('/longform/render', body)) - alone
    assert.ok(Math.abs(longer - seconds) < 0.06, `${JSON.stringify(body)}: ${longer} s more`)
  }
})

test('a heading without text is named and is no chapter of the events, the book and the count', async () => {
  const world = await open()
  const text = 'Before the first.\n# Part One\n# The mill\nIt is sold.\n# Dedication\n***\n# The river\nIt was one thing.'
  const events = await render(world, '/audiobook', { text, format: 'mp3', engine: 'tone' })
  const notice = events.find(({ type, reason }) => type === 'routing_notice' && /Headings without text/.test(reason))
  assert.equal(notice?.['reason'], 'Headings without text are no chapters: Part One, Dedication.')
  const titles = events.filter(({ type }) => type === 'chapter').map(({ index, total, title }) => [index, total, title])
  assert.deepEqual(titles, [
    [0, 3, 'Chapter 1'],
    [1, 3, 'The mill'],
    [2, 3, 'The river'],
  ])
  const done = events.at(-1)!
  assert.deepEqual([events[0]!['chapters'], done['chapters']], [3, 3])
  const file = (await audio(world, done['output'])).toString('latin1')
  assert.equal(file.split('CHAP\0\0').length - 1, 3, 'the file has as many marks')
  const spoken = await render(world, '/audiobook', { text, format: 'mp3', engine: 'tone', speak_titles: true })
  assert.equal(spoken.at(-1)!['chapters'], 5, 'a title that is spoken is a chapter')
})

test('a book and its preview say how many words the voice leaves out, also when they are cached', async () => {
  const world = await open()
  const text = '# Travels\nThey said хорошо and then 再见 at the border of the old town.\n# Home\nNothing foreign is in this chapter.'
  for (const isAgain of [false, true]) {
    const events = await render(world, '/audiobook', { text, format: 'mp3' })
    const reasons = events.filter(({ type }) => type === 'routing_notice').map(({ reason }) => reason as string)
    assert.ok(
      reasons.some((reason) => /^2 words in another script were left out/.test(reason)),
      `${isAgain}: ${reasons.join(' ')}`,
    )
  }
  const { notices } = (await world.post('/audiobook/preview', { text, chapter_index: 0 })).json()
  assert.match(notices.join(' '), /2 words in another script/)
  assert.doesNotMatch((await world.post('/audiobook/preview', { text, chapter_index: 1 })).json().notices.join(' '), /another script/)
})

test('chapters that are switched off are not spoken, and a request chooses others', async () => {
  const world = await open()
  const text = '# [skip] Contents\nOne, two.\n# One\nThe first one.\n# Two\nThe second one.'
  const titles = async (path: string, body: object) => {
    const events = await render(world, path, { ...body, format: 'mp3', engine: 'tone' })
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
    return events.filter(({ type }) => type === 'chapter').map(({ index, title }) => [index, title])
  }
  const both = [
    [0, 'One'],
    [1, 'Two'],
  ]
  assert.deepEqual(await titles('/audiobook', { text }), both)
  assert.deepEqual(await titles('/audiobook', { text, chapters: [2, 0] }), [
    [0, 'Contents'],
    [1, 'Two'],
  ])
  // A plan that comes back is the same book.
  const { chapters } = (await world.post('/audiobook/plan', { text })).json()
  assert.deepEqual(await titles('/longform/render', { chapters }), both)
  const preview = await world.post('/audiobook/preview', { text, chapter_index: 0, engine: 'tone' })
  assert.deepEqual([preview.status, preview.json().title], [200, 'Contents'])
  for (const [places, why] of [
    [[3], 'There is no chapter 3: the text has 3, counted from 0.'],
    [[], 'Every chapter is switched off. Include at least one.'],
    [[-1], null],
    [[0.5], null],
    ['1', null],
  ] as const) {
    const refused = await world.post('/audiobook', { text, chapters: places })
    assert.equal(refused.status, 422, JSON.stringify(places))
    if (why !== null) assert.match(refused.body.toString(), new RegExp(why.replaceAll('.', '\\.')))
  }
})

test('a book has the silence of its layout, other silences speak no sentence again, and a plan that comes back sounds the same', async () => {
  const world = await open()
  const text =
    '# A\n## Hello\nWelcome there.\n\n- one\n- two\n\nRoses red\nViolets blue\n\n“Hello.”\n\n> Welcome.\n\n| a | b |\n| c | d |\n\n* * *\n\nThe end.'
  const names = ['heading', 'paragraph', 'list_item', 'paragraph', 'verse_line', 'paragraph', 'dialogue', 'quotation']
  const rows = ['table_cell', 'table_row', 'table_cell', 'scene_break']
  const usual = {
    heading: 900,
    paragraph: 600,
    list_item: 350,
    verse_line: 300,
    dialogue: 450,
    quotation: 600,
    table_row: 400,
    table_cell: 250,
    scene_break: 1_800,
  }
  const silences = async (path: string, body: object) => {
    const { output } = (await world.post(path, { ...body, engine: 'tone' })).json()
    const { samples, sampleRate } = parseWav(await audio(world, output))
    return silencesIn(samples, sampleRate)
  }
  const expected = (pauses: Readonly<Record<string, number>>) => [...names, ...rows].map((name) => pauses[name]!)
  for (const layout_pauses of [undefined, { ...usual, heading: 1_500, list_item: 500, scene_break: 3_000 }]) {
    const heard = await silences('/audiobook/preview', { text, ...(layout_pauses && { layout_pauses }) })
    const wanted = expected(layout_pauses ?? usual)
    assert.equal(heard.length, wanted.length, heard.join(' '))
    // Around the audible part of a segment 60 ms are kept on both sides; the mark of the studio may reach into a silence.
    for (const [at, ms] of wanted.entries())
      assert.ok(heard[at]! >= ms - 30 && heard[at]! <= ms + 140, `${heard[at]} ms for ${ms}: ${heard.join(' ')}`)
  }
  const lastOf = async (body: object, path = '/audiobook') => {
    const events = await render(world, path, { ...body, engine: 'tone', format: 'mp3' })
    return { done: events.at(-1)!, chapter: events.find(({ type }) => type === 'chapter')! }
  }
  const first = await lastOf({ text })
  const longer = await lastOf({ text, layout_pauses: { scene_break: 4_800 } })
  assert.equal(longer.chapter['cached_segments'], longer.chapter['segments'])
  assert.ok(Math.abs(longer.done['duration_s'] - first.done['duration_s'] - 3) < 0.06)
  const { chapters } = (await world.post('/audiobook/plan', { text })).json()
  assert.equal((await lastOf({ chapters }, '/longform/render')).done['duration_s'], first.done['duration_s'])
  for (const layout_pauses of [{ heading: -1 }, { heading: 10_001 }, { heading: 1.5 }, { heading: null }, 5])
    assert.equal((await world.post('/audiobook', { text, layout_pauses })).status, 422, JSON.stringify(layout_pauses))
})

/** Milliseconds of each silence between sounds. */
function silencesIn(samples: Float32Array, sampleRate: number): number[] {
  const silences: number[] = []
  let last = -1
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) < 10 ** (-50 / 20)) continue
    const ms = (1000 * (at - last)) / sampleRate
    if (last >= 0 && ms > 200) silences.push(Math.round(ms))
    last = at
  }
  return silences
}
