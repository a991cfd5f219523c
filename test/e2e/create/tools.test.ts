// The Tools page in a real browser: a mark is found, sound is converted, subtitles are repaired, and the batch refuses what is no film.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { encoded } from '#test/shared/text/encodings/encode.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { STUDIO_BASE_PATH: '/voice' } })
const pick = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'audio/wav', buffer })
const goTo = async (page: Page, tool: string) => {
  await page.getByRole('link', { name: 'All tools' }).click()
  await page.getByRole('link', { name: tool }).click()
  await page.getByRole('heading', { level: 1, name: tool }).waitFor()
}

test('each tool does its work, by keyboard too, in both themes and on a phone', { skip: NO_BROWSER || withPrograms.skip }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/tools/detect-mark`)
  page.setDefaultTimeout(240_000) // engines share the machine with other tests
  const made = await world.post('/v1/audio/speech', { input: SENTENCES.slice(0, 6).join(' '), voice: 'alloy', response_format: 'wav' })
  assert.equal(made.status, 200)
  await pick(page, 'made.wav', made.body)
  await page.getByText('This recording has the mark of this studio.').waitFor()
  await shot('tools-mark')
  assert.deepEqual(await axeComplaints(page), [])
  const plain = Buffer.from(recording((await spoken(SENTENCES[0]!)).pcm).get('audio')!)
  await pick(page, 'plain.wav', plain)
  await page.getByText('No mark was found.').waitFor()

  await goTo(page, 'Convert audio')
  await pick(page, 'Harbour talk.wav', plain)
  const save = page.getByRole('link', { name: 'Save' })
  await save.waitFor()
  const [sound] = await Promise.all([page.waitForEvent('download'), save.click()])
  assert.equal(sound.suggestedFilename(), 'Harbour talk.mp3')
  assert.ok(readFileSync((await sound.path())!).length > 5_000)
  // A take of the studio in place of a file.
  await world.send('POST', '/generate', form({ text: 'The harbour: quiet at five.', engine: 'tone' }))
  await page.getByRole('button', { name: 'Choose one of your takes' }).click()
  const take = page.getByRole('button', { name: /^The harbour: quiet at five\./ })
  await take.waitFor()
  await page.getByRole('searchbox', { name: 'Find in takes' }).fill('no such take')
  await page.getByText('No take matches.').waitFor()
  await page.getByRole('searchbox', { name: 'Find in takes' }).fill('harbour')
  await take.waitFor()
  await shot('tools-convert-takes')
  assert.deepEqual(await axeComplaints(page), [])
  await take.click()
  await page.getByText('The harbour quiet at five.mp3').waitFor()
  await shot('tools-convert')
  await pick(page, 'notes.wav', Buffer.from('no sound at all'))
  await page.getByRole('alert').waitFor()

  await goTo(page, 'Subtitles')
  const hostile = '<img src=x onerror="document.title=1">'
  await pick(
    page,
    'talk.srt',
    Buffer.from(`1\n00:00:01,000 --> 00:00:02,500\n${hostile}\n\n2\nbroken\nNo times.\n\n3\n00:00:03,000 --> 00:00:04,000\nGoodbye.\n`),
  )
  await page.getByText('2 cues').waitFor()
  await shot('tools-subtitles')
  assert.deepEqual(await axeComplaints(page), [])
  const [vtt] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save VTT' }).press('Enter')])
  assert.match(readFileSync((await vtt.path())!, 'utf8'), /^WEBVTT[\s\S]*Goodbye\./)

  // A file that does not state its encoding, in a format of another program.
  const line = 'Dialogue: 0,0:00:01.00,0:00:02.00,Default,Anna,0,0,0,,{\\i1}Я больше не могу ждать.'
  await pick(page, 'film.ass', encoded(line, 'windows-1251'))
  await page.getByText('Anna: Я больше не могу ждать.').waitFor()
  await page.getByText('windows-1251 was assumed').waitFor()
  const encoding = page.getByLabel('Encoding')
  assert.equal(await encoding.inputValue(), 'windows-1251')
  await shot('tools-encoding')
  assert.deepEqual(await axeComplaints(page), [])
  await encoding.selectOption({ label: 'Russian (KOI8-R)' })
  await page.getByText('Anna: ъ').waitFor()
  await encoding.selectOption({ label: 'Cyrillic (Windows)' })
  await page.getByText('Anna: Я больше не могу ждать.').waitFor()

  await goTo(page, 'Batch dubbing')
  await page.getByText('Nothing in the batch yet.').waitFor()
  await page.getByLabel('Add a language').selectOption('fr')
  await page.getByRole('button', { name: 'Remove French' }).waitFor()
  // Three films at once: they are uploaded, and nothing begins.
  const films = ['01 Harbour.mp4', '02 Tide.mp4', '03 Cranes.mp4'].map((name) => ({
    name,
    mimeType: 'video/mp4',
    buffer: Buffer.from(`film ${name}`),
  }))
  await page.locator('input[type=file]').setInputFiles(films)
  await page.locator('[data-state=held]').nth(2).waitFor()
  assert.equal((await world.get('/jobs?type=batch')).json().length, 0)
  await page.getByRole('button', { name: 'Remove French from 02 Tide.mp4' }).click()
  await page.getByRole('button', { name: 'Remove French from 02 Tide.mp4' }).waitFor({ state: 'detached' })
  // Those without languages of their own follow the choice for every film.
  await page.getByRole('button', { name: 'Remove French', exact: true }).click()
  await page.getByLabel('Add a language', { exact: true }).selectOption('de')
  await page.getByRole('button', { name: 'Remove German from 03 Cranes.mp4' }).waitFor()
  assert.deepEqual(
    (await world.get('/batch/jobs')).json().map(({ langs }: { langs: string[] }) => langs),
    [['es', 'de'], ['es'], ['es', 'de']],
  )
  // A choice begins with what the one before it left, also before its answer.
  const held = Promise.withResolvers<void>()
  await page.route('**/batch/jobs/*', async (route) => {
    await held.promise
    await route.continue()
  })
  const added = page.getByLabel('Add a language to 02 Tide.mp4')
  await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), added.selectOption('it')])
  await added.selectOption('pl')
  held.resolve()
  await page.getByRole('button', { name: 'Remove Polish from 02 Tide.mp4' }).waitFor()
  await page.unroute('**/batch/jobs/*')
  assert.deepEqual((await world.get('/batch/jobs')).json()[1].langs, ['es', 'it', 'pl'])
  await page.reload()
  await page.getByRole('button', { name: 'Start 3 films' }).waitFor()
  await shot('tools-batch-held')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('button', { name: 'Delete 01 Harbour.mp4' }).click()
  await page.getByText('01 Harbour.mp4').waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 380, height: 800 })
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`tools-batch-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  assert.equal(await page.title(), 'Batch dubbing · Tools · Voice Studio')

  const film = {
    id: 'film',
    status: 'done',
    filename: 'harbour.mp4',
    langs: ['es'],
    progress: null,
    error: null,
    outputs: {},
    warnings: [],
  }
  const tide = {
    ...{ id: 'tide', status: 'done', filename: 'tide.mp4', langs: ['es', 'fr', 'de'], progress: null, error: null, duration: 754 },
    ...{ outputs: { es: '/x', de: '/y' }, warnings: ['fr: No line could be translated.'] },
  }
  const cranes = { ...tide, id: 'cranes', filename: 'cranes.mp4', status: 'running', langs: ['es', 'de'], outputs: {}, warnings: [] }
  const progress = { stage: 'generate', percent: 56, current_lang: 'es' }
  let removals = 0
  await page.route('**/batch/jobs', (route) => route.fulfill({ json: [{ ...cranes, progress }, tide, film] }))
  await page.route('**/batch/jobs/film', (route) => {
    removals++
    return route.fulfill({ json: {} })
  })
  await page.getByText('3 of 6 ready').waitFor()
  await page.getByRole('link', { name: 'Download all 3 films' }).waitFor()
  await page.getByRole('button', { name: "French of tide.mp4 couldn't be finished" }).click()
  await page.getByText('No line could be translated.').waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`tools-batch-states-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('button', { name: 'Delete harbour.mp4' }).click()
  await page.getByRole('dialog', { name: 'Delete harbour.mp4?' }).getByRole('button', { name: 'Keep it' }).click()
  assert.equal(removals, 0, 'a finished dub is deleted after a question only')
  await page.getByRole('button', { name: 'Delete harbour.mp4' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(removals, 1)
  assert.deepEqual(
    complaints.filter((text) => !/status of 4/.test(text)),
    [],
  )
})

test('a page that could not be read ends no work of the tab when the connection is back', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page } = await openPage(t, 'about:blank')
  const lost = ['**/workers/events*', '**/batch/enqueue', '**/pages/transcribe/page.*']
  for (const path of lost) await page.route(path, (route) => route.abort())
  await page.goto(`${world.page}/#/tools/batch`)
  await page.locator('input[type=file]').setInputFiles({ name: 'harbour.mp4', mimeType: 'video/mp4', buffer: Buffer.from('a film') })
  const again = page.getByRole('button', { name: 'Try again' })
  await again.first().waitFor()
  await page.evaluate("location.hash = '#/transcribe'")
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
  await page.evaluate('window.isKept = true')
  for (const path of lost) await page.unroute(path)
  await isLive(page)
  // The page asks for the studio before it loads itself again; this answer comes after that one.
  await page.evaluate(`fetch('${world.page}/').then((answer) => answer.text())`)
  assert.equal(await page.evaluate('window.isKept'), true)
  await page.evaluate("location.hash = '#/tools/batch'")
  await page.getByText('harbour.mp4').first().waitFor()
})
