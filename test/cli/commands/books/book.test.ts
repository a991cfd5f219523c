import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { createBookProgress } from '#cli/lib/books/progress.ts'
import { addressOf, commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

/** Without ffmpeg. */
const open = sharedWorld({ fixedPort: true, env: { STUDIO_TTS_BACKEND: 'tone', PATH: '/nowhere' } })
const JOB = '0123456789abcdef'
const TEXT = '# O\u202ene\n\nHello there, all of you.\n\n# Two\n\nGood morning.\n'

async function opened(t: TestContext) {
  const world = await open()
  const folder = temporaryFolder(t)
  const file = join(folder, 'novel.md')
  writeFileSync(file, TEXT)
  return { world, folder, file, run: commandsOf(world), idOf: async () => (await world.get('/longform/jobs')).json().jobs[0].job_id }
}

test('a book is planned, rendered with its chapters shown, and copied as what was made', async (t) => {
  const { world, file, folder, run, idOf } = await opened(t)
  const plan = await run('book', 'plan', file)
  assert.match(
    plan.output,
    /^CHAPTER +SPOKEN +WORDS +LENGTH +VOICES +TITLE\n1 +yes +5 +\d s +default +O ?ne\n2 +yes +2 +\d s +default +Two\n2 of 2 chapters, 7 words, about \d s\.\n$/,
  )
  const to = join(folder, 'novel.m4b')
  const { code, output, errors } = await run('book', 'render', file, '-o', to, '--author', 'A. Writer', '--loudness', 'acx')
  assert.equal(code, 0, errors)
  assert.match(output, /^novel\.mp3, 2 chapters, \d+ s, [\d.]+ kB\n$/)
  assert.match(errors, /Chapter 1 of 2 \(O ?ne\) is ready[\s\S]*Chapter 2 of 2 \(Two\) is ready/)
  assert.deepEqual(readdirSync(folder).sort(), ['novel.md', 'novel.mp3'])
  const made = readFileSync(join(folder, 'novel.mp3'))
  assert.ok(made.equals((await world.get(`/audio/audiobook_${await idOf()}.mp3`)).body))
  assert.match(made.subarray(0, 500).toString('latin1'), /A\. Writer|A\0\.\0 \0W/)

  const list = await run('book', 'list')
  assert.match(list.output, new RegExp(`^${await idOf()} +\\d+ s +2 `, 'm'))
  assert.equal(jsonIn((await run('book', 'list', '--json')).output).finished[0].job_id, await idOf())
  const again = await run('book', 'resume', await idOf(), '-o', join(folder, 'again.mp3'))
  assert.deepEqual([again.code, readFileSync(join(folder, 'again.mp3')).equals(made)], [0, true], again.errors)
  // The second names a file that would become the first.
  for (const name of ['again.mp3', 'again.m4b']) {
    const taken = await run('book', 'resume', await idOf(), '-o', join(folder, name))
    assert.equal(taken.code, 1)
    assert.match(taken.errors, /again\.mp3 exists already\. Name another file, or add --force to replace it\.\n$/)
  }
  assert.equal((await run('book', 'resume', await idOf(), '-o', join(folder, 'again.m4b'), '--force')).code, 0)
})

test('chapters are listed with what is spoken, and chosen by their numbers', async (t) => {
  const { file, folder, run } = await opened(t)
  const [only, all] = [join(folder, 'only.mp3'), join(folder, 'all.mp3')]
  writeFileSync(file, `# [skip] Contents\n\n[pause 1s]One and two.\n\n${TEXT}`)
  const plan = await run('book', 'plan', file)
  assert.match(plan.output, /^1 +no +3 +\d s +default +Contents\n2 +yes .*\n3 +yes .*\n2 of 3 chapters/m, plan.errors)
  const chosen = await run('book', 'plan', file, '--chapters', '1, 3')
  assert.match(chosen.output, /^1 +yes .*\n2 +no .*\n3 +yes .*\n2 of 3 chapters/m, chosen.errors)
  const made = await run('book', 'render', file, '-o', only, '--chapters', '1,3-3', '--pause', 'paragraph=2000', '--pause', 'list-item=0')
  assert.equal(made.code, 0, made.errors)
  assert.match(made.errors, /Chapter 1 of 2 \(Contents\)[\s\S]*Chapter 2 of 2 \(Two\)/)
  const usual = await run('book', 'render', file, '-o', all)
  assert.match(usual.errors, /Chapter 1 of 2 \(O ?ne\)[\s\S]*Chapter 2 of 2 \(Two\)/)
  for (const [args, why] of [
    [['--chapters', '4'], /There is no chapter 4: the book has 3\./],
    [['--chapters', '3-1'], /--chapters 1-3,5/],
    [['--chapters', '0'], /--chapters 1-3,5/],
    [['--chapters', '1-'], /--chapters 1-3,5/],
    [['--pause', 'page=3'], /The names are: .*list_item/],
    [['--pause', 'paragraph=10001'], /up to 10000/],
    [['--pause', 'paragraph'], /NAME=MILLISECONDS/],
  ] as const) {
    const refused = await run('book', 'render', file, '-o', join(folder, 'no.mp3'), ...args)
    assert.deepEqual([refused.code, refused.output], [2, ''], args.join(' '))
    assert.match(refused.errors, why)
  }
})

test('a book is saved as EPUB with its sound', async (t) => {
  const { file, folder, run } = await opened(t)
  const { code, errors } = await run('book', 'render', file, '-o', join(folder, 'spoken.epub'), '--titles')
  assert.equal(code, 0, errors)
  const bytes = readFileSync(join(folder, 'spoken.epub'))
  assert.deepEqual([bytes.subarray(0, 2).toString(), bytes.includes('application/epub+zip'), bytes.includes('.smil')], ['PK', true, true])
  assert.match((await run('book', 'render', file, '-o', join(folder, 'spoken.ogg'))).errors, /end with \.m4b, \.mp3, \.epub/)
})

test('a book that fails leaves no file, and says why', async (t) => {
  const { file, folder, run } = await opened(t)
  const to = join(folder, 'novel.mp3')
  const refused = await run('book', 'render', file, '-o', to, '--engine', 'kokoro')
  assert.deepEqual([refused.code, refused.output], [1, ''], refused.errors)
  assert.match(refused.errors, /kokoro/i)
  const unknown = await run('book', 'resume', 'none', '-o', to)
  assert.deepEqual([unknown.code, unknown.errors], [5, 'studio: There is no such book. List them with ./studio book list.\n'])
  assert.deepEqual(readdirSync(folder), ['novel.md'])
})

test('a book goes on when the studio that renders it is killed and started again', async (t) => {
  const { world, file, folder } = await opened(t)
  writeFileSync(
    file,
    Array.from({ length: 12 }, (_, at) => `# Chapter ${at}\n\n${`In part ${at} the travellers walk on. `.repeat(40)}\n`).join('\n'),
  )
  const to = join(folder, 'long.mp3')
  const rendering = startProgram(t, ['cli/main.ts', 'book', 'render', file, '-o', to], addressOf(world))
  await rendering.says(/Chapter 2 of 12/)
  await world.restart('SIGKILL')
  assert.equal(await rendering.ended, 0, rendering.output())
  assert.match(rendering.output(), /The studio closed the connection\. Waiting for it to come back\.[\s\S]*long\.mp3, 12 chapters/)
  assert.ok(readFileSync(to).length > 100_000)
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

test('misuse names the right form', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'novel.md')
  writeFileSync(file, TEXT)
  for (const [args, code, message] of [
    [['render', file], 2, /-o BOOK\.m4b/],
    [['render', file, '-o', 'x.wav'], 2, /\.m4b, \.mp3, \.epub/],
    [['render', file, '-o', 'x.m4b', '--loudness', 'loud'], 2, /acx, podcast/],
    [['resume'], 2, /book resume ID -o FILE/],
    [['renders', file], 2, /Did you mean 'render'/],
    [[], 2, /plan, render, resume, save, list/],
    [['plan', '/nowhere/novel.epub'], 1, /There is no file/],
  ] as const) {
    const { code: status, errors } = await studio(['book', ...args], { env: { STUDIO_PORT: '1' }, cwd: folder })
    assert.equal(status, code, args.join(' '))
    assert.match(errors, message)
  }
})
