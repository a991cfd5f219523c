import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createBookProgress } from '#cli/lib/book-progress.ts'
import { openFakeStudio, refusal } from '#test/support/doubles/fake-studio.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const IMPORTED = {
  text: '# One\nHello.',
  chapters: 1,
  title: 'A \u001b[2Jbook',
  author: null,
  language: 'en',
  cover: '/data/covers/0123456789ab.png',
  skipped: [{ title: 'Index', why: 'an index' }],
  notices: ['Two words have no letters.'],
}
const JOB = '0123456789abcdef'
const events = (...all: object[]) => `: \n\n${all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}`
const STARTED = { type: 'started', job_id: JOB, chapters: 2 }
const chapter = (index: number) => ({ type: 'chapter', index, total: 2, title: `T${index}`, duration_s: 2, cached: false })
const DONE = { type: 'done', output: `audiobook_${JOB}.m4b`, chapters: 2, duration_s: 125, cached_chapters: 0, failed_chapters: [1] }

async function opened(t: Parameters<typeof temporaryFolder>[0] & Parameters<typeof openFakeStudio>[0], answers: object) {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'novel.epub'), 'the bytes of a book')
  return { folder, file: join(folder, 'novel.epub'), to: join(folder, 'novel.m4b'), ...(await openFakeStudio(t, { ...answers })) }
}

test('renders a book with what its file says, shows the chapters and copies the sound', async (t) => {
  const stream = events(STARTED, chapter(0), { ...chapter(1), type: 'chapter_error' }, { type: 'assembling' }, DONE)
  const answers = { 'POST /audiobook/import': IMPORTED, 'POST /audiobook': stream, [`GET /audio/audiobook_${JOB}.m4b`]: 'the sound' }
  const { file, to, folder, run, requests } = await opened(t, answers)
  const { code, output, errors } = await run(
    'book',
    'render',
    file,
    '-o',
    to,
    '--voice',
    'Ann',
    '--loudness',
    'acx',
    '--author',
    'A. Writer',
  )
  assert.deepEqual([code, readFileSync(to, 'utf8')], [0, 'the sound'], errors)
  assert.match(output, /novel\.m4b, 2 chapters, /)
  for (const line of [
    /Left out: Index \(an index\)/,
    /Two words/,
    /Chapter 1 of 2 \(T0\) is ready/,
    /Chapter 2 of 2 .*could not be/,
    /Chapter 2 is missing/,
  ])
    assert.match(errors, line)
  const sent = JSON.parse(requests.find((line) => line.startsWith('POST /audiobook {'))!.slice('POST /audiobook '.length))
  assert.deepEqual(sent, {
    text: IMPORTED.text,
    format: 'm4b',
    metadata: { title: IMPORTED.title, author: 'A. Writer' },
    cover_path: IMPORTED.cover,
    default_voice: 'Ann',
    language: 'en',
    loudness: 'acx',
  })
  assert.deepEqual(readdirSync(folder).sort(), ['novel.epub', 'novel.m4b'])
})

test('a terminal shows a bar with the time that is left, and no bar without a terminal', () => {
  for (const isTTY of [true, false]) {
    let now = 0
    const errors = new PassThrough()
    const output = Object.assign(new PassThrough(), { isTTY, columns: 80 })
    const progress = createBookProgress({ output, errors }, () => now)
    progress.at({ progress: null, seconds_left: null })
    progress.event({ type: 'started', job_id: JOB, chapters: 3 })
    progress.at({ progress: 0.25, seconds_left: 300 })
    now = 60_000
    progress.event({ type: 'chapter', index: 0, total: 3, title: 'One', cached: false })
    progress.at({ progress: 0.5, seconds_left: 90 })
    progress.event({ type: 'routing_notice', reason: 'A notice.' })
    const said = String(errors.read())
    assert.equal(progress.job(), JOB)
    assert.match(said, /Chapter 1 of 3 \(One\) is ready, about 2 min left/)
    assert.equal(/ 25 %, about 5 min left/.test(said), isTTY)
    assert.equal(/█{15}░{15} {2}50 %, 1 of 3 chapters, about 1 min left\r\u001b\[Kstudio: A notice\.\n$/.test(said), isTTY, said)
    assert.equal(said.includes('\r'), isTTY)
  }
})

test('a book that became MP3 is not saved as M4B', async (t) => {
  const made = { ...DONE, output: `audiobook_${JOB}.mp3`, chapters: 1, failed_chapters: [] }
  const answers = {
    'POST /audiobook/import': IMPORTED,
    'POST /audiobook': events(STARTED, chapter(0), made),
    [`GET /audio/audiobook_${JOB}.mp3`]: 'the sound',
  }
  const { file, to, folder, run } = await opened(t, answers)
  const { code, output } = await run('book', 'render', file, '-o', to)
  assert.equal(code, 0)
  assert.match(output, /^novel\.mp3, 1 chapter, /)
  assert.deepEqual(readdirSync(folder).sort(), ['novel.epub', 'novel.mp3'])
})

test('a book is saved as EPUB with its sound', async (t) => {
  const made = { ...DONE, output: `audiobook_${JOB}.mp3`, readalong: `audiobook_${JOB}.epub`, failed_chapters: [] }
  const answers = {
    'POST /audiobook/import': IMPORTED,
    'POST /audiobook': events(STARTED, made),
    [`GET /audio/audiobook_${JOB}.epub`]: 'text and sound',
  }
  const { file, folder, run, requests } = await opened(t, answers)
  const { code, errors } = await run('book', 'render', file, '-o', join(folder, 'spoken.epub'), '--titles')
  assert.deepEqual([code, readFileSync(join(folder, 'spoken.epub'), 'utf8')], [0, 'text and sound'], errors)
  const sent = JSON.parse(requests.find((line) => line.startsWith('POST /audiobook {'))!.slice('POST /audiobook '.length))
  assert.deepEqual([sent.format, sent.readalong, sent.speak_titles], ['mp3', true, true])
  assert.match((await run('book', 'render', file, '-o', join(folder, 'spoken.ogg'))).errors, /end with \.m4b, \.mp3, \.epub/)
})

test('a book that fails or ends early leaves no file', async (t) => {
  const failed = events(STARTED, { type: 'error', error: 'QUEUE_FULL', reason: 'The queue is \u001b[2Jfull.' })
  const answers = {
    'POST /audiobook/import': IMPORTED,
    'POST /audiobook': failed,
    [`POST /audiobook/resume/${JOB}`]: events(STARTED, chapter(0)),
    'POST /audiobook/resume/none': refusal(404, { detail: 'Book not found' }),
  }
  const { file, to, folder, run } = await opened(t, answers)
  const one = await run('book', 'render', file, '-o', to)
  assert.equal(one.code, 1)
  assert.match(one.errors, /The queue is +\[2Jfull\./)
  const cut = await run('book', 'resume', JOB, '-o', to)
  assert.deepEqual([cut.code, /closed the connection before the book was complete/.test(cut.errors)], [1, true], cut.errors)
  assert.match((await run('book', 'resume', 'none', '-o', to)).errors, /Book not found/)
  assert.deepEqual(readdirSync(folder), ['novel.epub'])
})

test('plans and lists are tables, without control characters', async (t) => {
  const span = { voice_id: null, text: 'Hello.', pause_ms_after: 0, speed: null }
  const answers = {
    'POST /audiobook/import': IMPORTED,
    'POST /audiobook/plan': { chapters: [{ title: 'O\u001bne', char_count: 6, spans: [span] }], chapter_count: 1, char_count: 6 },
    'GET /audiobook/jobs': {
      jobs: [{ job_id: JOB, type: 'audiobook', status: 'interrupted', title: 'N', total_chapters: 3, chapters_done: 1, created_at: 1 }],
    },
    'GET /longform/jobs': {
      jobs: [
        {
          job_id: 'fedcba9876543210',
          type: 'audiobook',
          output: 'x.m4b',
          duration_s: 61,
          chapters: 2,
          created_at: 1,
          title: '',
          size_bytes: 9,
        },
      ],
    },
  }
  const { file, run } = await opened(t, answers)
  const plan = await run('book', 'plan', file)
  assert.match(plan.output, /CHAPTER +LETTERS +VOICES +TITLE\n1 +6 +default +O ?ne/)
  assert.match((await run('book', 'list')).output, /0123456789abcdef +interrupted +1 of 3[\s\S]*fedcba9876543210 .* 2 /)
  assert.equal(JSON.parse((await run('book', 'list', '--json')).output).finished.length, 1)
})

test('misuse names the right form and sends nothing', async (t) => {
  const { file, run, requests } = await opened(t, {})
  for (const [args, code, message] of [
    [['render', file], 2, /-o BOOK\.m4b/],
    [['render', file, '-o', 'x.wav'], 2, /\.m4b, \.mp3, \.epub/],
    [['render', file, '-o', 'x.m4b', '--loudness', 'loud'], 2, /acx, podcast/],
    [['resume'], 2, /book resume ID -o FILE/],
    [['renders', file], 2, /Did you mean 'render'/],
    [[], 2, /plan, render, resume, list/],
    [['plan', '/nowhere/novel.epub'], 1, /There is no file/],
  ] as const) {
    const { code: status, errors } = await run('book', ...args)
    assert.equal(status, code, args.join(' '))
    assert.match(errors, message)
  }
  assert.deepEqual(requests, [])
})
