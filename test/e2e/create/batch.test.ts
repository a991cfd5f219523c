// Three films in two languages, from the files to the download, with the programs of this machine: recognised, translated, spoken and mixed.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { unzip } from '#shared/archive/unzip.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { ffprobe, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { talkingFilm } from '#test/support/audio/talking-film.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({})
const path = process.env['PATH']
const apertium = findProgram('apertium', path)
const pairs = apertium === null ? '' : execFileSync(apertium, ['-l'], { encoding: 'utf8' })
const missing = ['eng-spa', 'eng-cat'].find((pair) => !pairs.includes(pair))
const NO_WORDS = findProgram('pocketsphinx_continuous', path) === null && 'pocketsphinx is not installed'
const NO_PAIR = missing !== undefined && `apertium-${missing} is not installed`

test('three films become films in two languages, by the keyboard from the first press to the download', {
  skip: NO_BROWSER || withPrograms.skip || NO_WORDS || NO_PAIR,
}, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/tools/batch`)
  page.setDefaultTimeout(240_000) // engines share the machine with other tests
  const names = ['01 Harbour.mp4', '02 Tide.mp4', '03 Cranes.mp4']
  const sound = Buffer.from(recording((await spoken(SENTENCES[4]!)).pcm).get('audio')!)
  const films = await Promise.all(names.map((_, at) => talkingFilm(sound, at)))
  await page.locator('input[type=file]').setInputFiles(films.map((buffer, at) => ({ name: names[at]!, mimeType: 'video/mp4', buffer })))
  await page.locator('[data-state=held]').nth(2).waitFor()
  await page.getByLabel('Add a language', { exact: true }).selectOption('ca')
  await page.getByRole('button', { name: 'Remove Catalan from 03 Cranes.mp4' }).waitFor()
  const start = page.getByRole('button', { name: 'Start 3 films' })
  await start.press('Enter')
  await page.getByText('6 of 6 ready').waitFor({ timeout: 600_000 })
  await shot('batch-done')
  assert.deepEqual(await axeComplaints(page), [])

  const all = page.getByRole('link', { name: 'Download all 6 films' })
  const [download] = await Promise.all([page.waitForEvent('download'), all.press('Enter')])
  const folder = temporaryFolder(t)
  const limits = { entries: 10, totalBytes: 100e6, bytesOf: () => 50e6, reserve: async () => {} }
  const { members } = await unzip((await download.path())!, folder, limits, AbortSignal.timeout(60_000))
  const expected = names.flatMap((name) => ['es', 'ca'].map((lang) => `${name.slice(0, -'.mp4'.length)}.${lang}.mp4`.toLowerCase()))
  const listed = [...members.keys()]
  assert.deepEqual(listed.toSorted(), expected.toSorted())
  const sounds = new Set<string>()
  for (const [file, { path: made }] of members) {
    const probed = execFileSync(ffprobe!, ['-v', 'error', '-show_entries', 'stream=codec_type:format=duration', '-of', 'json', made])
    const { streams, format } = JSON.parse(probed.toString()) as { streams: { codec_type: string }[]; format: { duration: string } }
    assert.deepEqual(new Set(streams.map(({ codec_type: type }) => type)), new Set(['video', 'audio', 'subtitle']), file)
    assert.ok(Number(format.duration) > 1, file)
    sounds.add(readFileSync(made).toString('base64'))
  }
  assert.ok(sounds.size >= 2, 'the languages differ')
  assert.deepEqual(complaints, [])
})
