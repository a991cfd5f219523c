// The files of rendered books through the real route, as other programs read them: ffprobe, music-metadata, the meter of ffmpeg, epubcheck.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parseFile } from 'music-metadata'
import { findProgram } from '#shared/runtime/program.ts'
import { memberReader } from '#test/support/archive/bundle.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { render } from './book-client.ts'

const program = (name: string) => findProgram(name, process.env['PATH'])
const skip = program('ffmpeg') && program('ffprobe') ? false : 'ffmpeg or ffprobe is not on PATH'
const epubcheck = epubcheckCommand()
const skipEpub = skip || (epubcheck ? false : 'no epubcheck and Java on this machine; apt-get install epubcheck default-jre-headless')
const open = sharedWorld()
const run = promisify(execFile)

const SCRIPT =
  '# The *lamp* & <more>\nThe first chapter is short, but it has two sentences. Here is the second one, with a word that is said [[otherwise|in another way]].\n\n' +
  '[voice:slt]A paragraph of another voice follows the first one, and it is long enough to stand for itself. [pause 700ms] Then it ends.\n\n' +
  '# Two\nAnother chapter follows the first one, and it is the last chapter of this book. There is no other after it.'
/** One book for the tests of this file. */
let book: ReturnType<typeof rendered> | undefined
const bookOf = () => (book ??= rendered())
async function rendered() {
  const world = await open()
  const picture = execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=red:s=600x800', '-frames:v', '1', '-f', 'mjpeg', '-'])
  const form = new FormData()
  form.set('cover', new Blob([new Uint8Array(picture)]), 'cover.jpg')
  const cover_path = (await world.post('/audiobook/cover', form)).json().path
  const address = `/audiobook/covers/${cover_path.split('/').at(-1)}`
  assert.deepEqual([(await world.get(address)).status, (await world.get('/audiobook/covers/..%2Fstudio.db')).status], [200, 404])
  const metadata = { title: 'A book & its sound', author: 'A. Writer', narrator: 'A voice', language: 'en' }
  const request = { text: SCRIPT, loudness: 'acx', speak_titles: true, readalong: true, cover_path, metadata }
  const events = await render(world, '/audiobook', request)
  const done = events.at(-1)!
  assert.equal(done.type, 'done', JSON.stringify(done))
  return { world, done, pathOf: (name: string) => join(world.dataDir, 'outputs', name) }
}

/** LUFS and dBTP by the meter of ffmpeg. */
async function measured(path: string) {
  const args = ['-hide_banner', '-nostats', '-i', path, '-map', '0:a', '-af', 'ebur128=peak=true', '-f', 'null', '-']
  const summary = (await run('ffmpeg', args)).stderr.split('Summary:').at(-1)!
  const figure = (name: string) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(summary)![1])
  return { loudness: figure('I'), peak: figure('Peak') }
}

test('an M4B has chapters, tags and cover, and the loudness of ACX', { skip }, async (t) => {
  const { done, pathOf } = await bookOf()
  const path = pathOf(done['output'])
  const probe = ['-v', 'error', '-show_chapters', '-show_streams', '-show_format', '-of', 'json', path]
  const { chapters, streams, format } = JSON.parse((await run('ffprobe', probe)).stdout)
  assert.deepEqual(
    chapters.map(({ tags }: { tags: { title: string } }) => tags.title),
    ['The *lamp* & <more>', 'Two'],
  )
  const codecs = streams.map(({ codec_name }: { codec_name: string }) => codec_name)
  assert.ok(codecs[0] === 'aac' && codecs.includes('mjpeg'), codecs.join(', '))
  assert.ok(Math.abs(Number(chapters[1].end_time) - done['duration_s']) < 0.1)
  assert.ok(Math.abs(Number(format.duration) - done['duration_s']) < 0.1)
  const { common, format: parsed } = await parseFile(path, { duration: true, includeChapters: true })
  assert.deepEqual([common.title, common.artist, common.album], ['A book & its sound', 'A. Writer', 'A book & its sound'])
  assert.equal(common.picture?.[0]?.format, 'image/jpeg')
  assert.equal(parsed.chapters?.length, 2)
  const { loudness, peak } = await measured(path)
  t.diagnostic(`${loudness} LUFS, ${peak} dBTP`)
  assert.ok(Math.abs(loudness + 19) <= 0.5, `${loudness} LUFS`)
  assert.ok(peak <= -3, `${peak} dBTP`)
})

test('an MP3 has the loudness of podcasts', { skip }, async (t) => {
  const { world, pathOf } = await bookOf()
  const done = (await render(world, '/audiobook', { text: SCRIPT, format: 'mp3', loudness: 'podcast' })).at(-1)!
  const { loudness, peak } = await measured(pathOf(done['output']))
  t.diagnostic(`${loudness} LUFS, ${peak} dBTP`)
  assert.ok(Math.abs(loudness + 16) <= 0.5, `${loudness} LUFS`)
  assert.ok(peak <= -1.5, `${peak} dBTP`)
})

test('the EPUB of a book says where each of its sentences sounds, and is read back', { skip }, async (t) => {
  const { world, done } = await bookOf()
  const { body } = await world.get(`/audio/${done['readalong']}`)
  // The type of the file is at a fixed place, without compression.
  assert.equal(body.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip')
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(body)]), 'book.epub')
  const imported = (await world.post('/audiobook/import', form)).json()
  assert.deepEqual([imported.title, imported.author, imported.chapters], ['A book & its sound', 'A. Writer', 2])
  assert.match(imported.text, /^# The \*lamp\* & <more>\n/)
  assert.match(imported.text, /a word that is said otherwise\./)
  assert.equal(imported.text.match(/\*lamp\*/g)?.length, 1, 'a spoken title is the heading only')

  const smil = (await memberReader(t)(body))['epub/chapter-1.smil']!.toString()
  const clips = [...smil.matchAll(/clipBegin="([\d.]+)s" clipEnd="([\d.]+)s"/g)].map(([, from, to]) => [Number(from), Number(to)])
  assert.equal(clips.length, smil.match(/<par /g)!.length)
  assert.ok(clips[0]![0]! >= 0.5 && clips[0]![0]! < 0.6, `the first clip begins at ${clips[0]![0]} s`)
  for (const [at, [from, to]] of clips.entries()) assert.ok(from! < to! && from! >= (clips[at - 1]?.[1] ?? 0), smil)
  // After the pause of 700 ms, and after the title of 900 ms.
  const gaps = clips.slice(1).map(([from], at) => Math.round(1000 * (from! - clips[at]![1]!)))
  assert.deepEqual(gaps, [900, 600, 700])
})

test('the EPUB of a book has no errors', { skip: skipEpub }, async () => {
  const { done, pathOf } = await bookOf()
  const [file, ...args] = epubcheck!
  const { stdout, stderr } = await run(file!, [...args, pathOf(done['readalong'])]).catch((error) => error)
  assert.match(`${stdout}${stderr}`, /No errors or warnings detected/)
})

/** Debian installs an archive of Java under this name, which Linux starts only with binfmt_misc; others install a script. */
function epubcheckCommand(): string[] | null {
  const [path, java] = [program('epubcheck'), program('java')]
  if (!path || !java) return null
  const isArchive = readFileSync(path).subarray(0, 2).toString() === 'PK'
  return isArchive ? [java, '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', path] : [path]
}

test('each chapter can be heard by itself, and a deleted book comes back with its files, cover and project', { skip }, async () => {
  const { world, done, pathOf } = await bookOf()
  const manuscript = await world.post('/projects', { name: 'Lamp', state: { text: SCRIPT }, kind: 'book' })
  const project = manuscript.json().id
  const events = await render(world, '/audiobook', { text: SCRIPT, format: 'mp3', project })
  const started = events.find(({ type }) => type === 'started')!
  const job = started['job_id']
  const chapters = events.filter(({ type }) => type === 'chapter')
  for (const { index, duration_s } of chapters) {
    const { status, headers, body } = await world.get(`/longform/jobs/${job}/chapters/${index}`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'audio/mpeg'])
    assert.ok(Math.abs(body.length / 16_000 - duration_s) < 0.2, `${body.length} bytes for ${duration_s} s`)
  }
  const part = await fetch(`${world.url}/longform/jobs/${job}/chapters/0`, { headers: { range: 'bytes=100-199' } })
  assert.deepEqual([part.status, (await part.bytes()).length], [206, 100])
  for (const path of [`${job}/chapters/2`, `${job}/chapters/x`, 'no/chapters/0'])
    assert.ok([404, 422].includes((await world.get(`/longform/jobs/${path}`)).status), path)
  const listed = async () => (await world.get('/longform/jobs')).json().jobs
  const [row] = await listed()
  assert.deepEqual([row.job_id, row.project], [job, project])
  const covered = (await listed()).find(({ output }: { output: string }) => output === done['output'])
  assert.equal(covered.has_cover, true)
  assert.equal((await world.get(`/longform/jobs/${covered.job_id}/cover`)).headers.get('content-type'), 'image/jpeg')
  assert.equal((await world.get(`/longform/jobs/${job}/cover`)).status, 404)
  const size = readFileSync(pathOf(row.output)).length
  for (let times = 0; times < 2; times++) {
    assert.deepEqual((await world.delete(`/longform/jobs/${job}`)).json(), { deleted: true })
    assert.equal((await world.get(`/audio/${row.output}`)).status, 404)
    for (let sent = 0; sent < 2; sent++)
      assert.deepEqual((await world.post(`/longform/jobs/${job}/undelete`, {})).json(), { restored: true })
    assert.equal(readFileSync(pathOf(row.output)).length, size)
    assert.deepEqual((await listed())[0], row)
    assert.equal((await world.get(`/longform/jobs/${job}/chapters/1`)).status, 200)
  }
  assert.equal((await world.post('/longform/jobs/no/undelete', {})).status, 404)
  await world.delete(`/projects/${project}`)
  assert.equal((await world.post(`/projects/${project}/undelete`, {})).json().restored, true)
  assert.equal((await world.get(`/projects/${project}`)).json().state.text, SCRIPT)
})

test('a finished book is converted with its chapters, once, and its files are deleted with it', { skip }, async (t) => {
  const { world, done, pathOf } = await bookOf()
  const job = /_([0-9a-f]{16})\./.exec(done['output'])![1]!
  const convert = (format: string) => world.post(`/longform/jobs/${job}/convert`, { format })
  assert.deepEqual((await convert('m4b')).json(), { output: done['output'], job_id: null })
  const [asked, again] = (await Promise.all([convert('mp3'), convert('mp3')])).map((reply) => reply.json())
  assert.deepEqual(asked, again, 'equal requests share a job')
  const zipped = (await convert('wav')).json()
  assert.equal(zipped.output, `audiobook_${job}.zip`)
  const statusOf = async (id: string) => (await world.get(`/jobs/${id}`)).json().status
  for (const { job_id: id } of [asked, zipped]) {
    await eventually(async () => !['pending', 'running'].includes(await statusOf(id)))
    assert.equal(await statusOf(id), 'done', (await world.get(`/jobs/${id}`)).json().error)
  }
  assert.equal((await convert('mp3')).json().job_id, null)
  const mp3 = await parseFile(pathOf(asked.output), { duration: true, includeChapters: true })
  assert.equal(mp3.common.title, 'A book & its sound')
  assert.equal(mp3.common.picture?.length, 1)
  const probe = ['-v', 'error', '-show_chapters', '-of', 'json', pathOf(asked.output)]
  assert.equal(JSON.parse((await run('ffprobe', probe)).stdout).chapters.length, 2)
  assert.ok(Math.abs(mp3.format.duration! - done['duration_s']) < 0.2, `${mp3.format.duration} s`)
  const members = await memberReader(t)(readFileSync(pathOf(zipped.output)))
  assert.deepEqual(Object.keys(members), ['01 the _lamp_ & _more_.wav', '02 two.wav'], 'in lower case, as members are compared')
  const sounds = Object.values(members)
  assert.ok(sounds.every((sound) => sound.subarray(0, 4).toString() === 'RIFF'))
  assert.ok(sounds.reduce((sum, { length }) => sum + length, 0) > done['duration_s'] * 30_000)
  assert.equal((await world.get(`/audio/${zipped.output}`)).status, 200)
  assert.equal((await convert('flac')).status, 422)
  assert.equal((await world.post('/longform/jobs/0000000000000000/convert', { format: 'mp3' })).status, 404)
  assert.equal((await world.delete(`/longform/jobs/${job}`)).status, 200)
  for (const name of [asked.output, zipped.output]) assert.equal((await world.get(`/audio/${name}`)).status, 404)
})
