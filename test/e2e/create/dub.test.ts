// The Dub page in a real browser: a film is sent, transcribed, translated, spoken, checked and saved; what a person changed survives a reload.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { secondsOfClock } from '#control-plane/web/lib/typed-clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { ffmpeg, ffprobe, folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage, withoutConnection } from '#test/support/web/browser.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const absent = ['pocketsphinx_continuous', 'espeak-ng', 'apertium'].find((name) => findProgram(name, process.env['PATH']) === null)
const skip = NO_BROWSER || withPrograms.skip || (absent ? `${absent} is not on this machine; ./studio setup installs it` : false)
const open = sharedWorld({ remote: true, fixedPort: true, env: { STUDIO_BASE_PATH: '/voice' } })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const isNarrow = async (page: Page) => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0

/** Two sentences in 8 s, with a picture. */
async function film(name: string): Promise<string> {
  const sound = join(folder, 'talk.wav')
  const pieces: Buffer[] = []
  for (const sentence of [SENTENCES[0]!, SENTENCES[2]!]) {
    const { pcm } = await spoken(sentence)
    pieces.push(pcm, Buffer.alloc(Math.max(0, 4 * 32_000 - pcm.length)))
  }
  writeFileSync(sound, recording(Buffer.concat(pieces)).get('audio')!)
  const path = join(folder, name)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=8']
  await promisify(execFile)(ffmpeg!, [
    '-v',
    'error',
    '-y',
    ...picture,
    '-i',
    sound,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    path,
  ])
  return path
}

test('a film is dubbed from the upload to the export, and the work survives reloads', { skip }, async (t) => {
  const world = await open()
  const network = await openNetwork(t, new URL(world.url).host)
  const { page, complaints, shot } = await openPage(t, `http://${network.address}/voice/#/dub`)
  // The recogniser and the exports are programs that share the machine with other tests.
  page.setDefaultTimeout(240_000)
  await page.getByText('No dubs yet.').waitFor()
  await shot('dub-empty')
  await page.locator('input[type=file]').setInputFiles(await film('Harbour talk.mp4'))
  await button(page, 'Import subtitles').waitFor()
  assert.match(page.url(), /#\/dub\/\w+/)
  await shot('dub-prepared')
  assert.deepEqual(await axeComplaints(page), [])

  // One press transcribes and translates. The choices survive a reload, and the work a kill of the studio.
  await page.getByLabel('Language of the film').selectOption('en')
  await page.getByLabel('Speakers').selectOption('1')
  await page.getByLabel('Dub into').selectOption('es')
  await page.getByLabel('Dub into').selectOption('fr')
  await page.reload()
  await button(page, 'Remove French').click()
  await button(page, 'Remove Spanish').waitFor()
  assert.equal(await page.getByLabel('Language of the film').inputValue(), 'en')
  for (const [theme, width] of [
    ['dark', 1440],
    ['light', 1440],
    ['light', 390],
  ] as const) {
    await chooseTheme(page, theme)
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await shot(`dub-begin-${theme}-${width}`)
    assert.deepEqual(await axeComplaints(page), [])
    assert.ok(await isNarrow(page))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page, 'Start').click()
  await page.getByText('Transcribing and translating').waitFor()
  await shot('dub-begun')
  await world.restart('SIGKILL')
  await page.reload()
  const target = page.getByRole('textbox', { name: /^Translation of line/ })
  await target.first().waitFor()
  assert.match((await page.locator('.dub-rows .source').first().textContent())!.toLowerCase(), /house/)
  const count = await target.count()
  await button(page, /^Speak \d+ lines?$/).waitFor()
  assert.match((await target.first().inputValue()).toLowerCase(), /casa/)
  assert.match((await page.locator('.dub-rows').textContent())!, /≈ /, 'the fit is estimated')
  assert.match(page.url(), /lang=es/)

  await target.first().fill('El hombre fue a la casa.')
  const reads: string[] = []
  page.on('request', (request) => {
    if (/\/dub\/history\/\w/.test(request.url())) reads.push(request.url())
  })
  await page.reload()
  await button(page, /^Speak \d+ lines?$/).waitFor()
  assert.equal(await target.first().inputValue(), 'El hombre fue a la casa.', 'the change is kept in the browser')
  assert.equal(reads.length, 1, 'the lines are read once, also when the dub has a job')
  await shot('dub-translated')
  // The work belongs to the studio, not to the page.
  await Promise.all([page.waitForResponse(/\/dub\/generate\//), button(page, /^Speak \d+ lines?$/).click()])
  await withoutConnection(page, network)
  await page.goto(`http://${network.address}/voice/#/`)
  // A kill in the middle: the job goes on by itself.
  await world.restart('SIGKILL')
  // A page that missed a part of its scripts loads itself again first.
  await isLive(page)
  await page.goBack()
  await page.getByText('Every line is spoken.').waitFor()
  assert.equal(await page.locator('.dub-rows .what.good, .dub-rows .what.warn').count(), count)

  await target.first().click()
  await page.getByRole('region', { name: 'Line 1' }).waitFor()
  // The timeline: a press seeks, and borders are moved by dragging and by keys.
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const moments = timeline.getByRole('slider', { name: 'Position in the film' })
  const { peaks } = (await world.get(`/dub/peaks/${/#\/dub\/(\w+)/.exec(page.url())![1]}?peaks=80`)).json()
  assert.deepEqual([peaks.length, Math.max(...peaks) > 30, Math.max(...peaks.slice(-3)) < 10], [80, true, true])
  // The timeline moves when the picture gets its height.
  await eventually(async () => {
    const place = (await moments.boundingBox())!
    await page.mouse.click(place.x + place.width / 2, place.y + 40)
    return await page.evaluate<boolean>(`Math.abs(document.querySelector('video').currentTime - 4) < 0.2`)
  })
  assert.equal(await page.locator('.crumbs').textContent(), 'Dub/Harbour talk.mp4')
  await shot('dub-line')
  // The film by its keys: play, pause, back.
  await page.keyboard.press('l')
  await eventually(() => page.evaluate(`!document.querySelector('video').paused`))
  await page.keyboard.press('k')
  await eventually(() => page.evaluate(`document.querySelector('video').paused`))
  const moment = Number(await page.evaluate(`document.querySelector('video').currentTime`))
  await page.keyboard.press('j')
  await eventually(() => page.evaluate(`Math.abs(document.querySelector('video').currentTime - ${moment - 2}) < 0.2`))
  await moments.press('Home')
  await eventually(() => page.evaluate(`document.querySelector('video').currentTime === 0`))
  // The times of a line have the form of those in the table; a text that is no time is kept with the reason, and Escape leaves it.
  const end = page.getByLabel('End', { exact: true })
  const endsAt = async () => secondsOfClock(await end.inputValue()) ?? Number.NaN
  const ended = await endsAt()
  assert.match(await end.inputValue(), /^0:0\d\.\d\d?$/)
  await end.fill('later')
  assert.equal(await end.inputValue(), 'later')
  await end.press('Enter')
  assert.equal(await end.inputValue(), 'later', 'it stays as it was typed')
  await page.getByRole('alert').getByText('Enter a time, such as 1:02.5 or 62.5.').waitFor()
  await end.fill('1:00')
  await end.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/^The film ends at 0:0[78]\.\d/)
    .waitFor()
  await shot('dub-time-refused')
  await end.press('Escape')
  await eventually(async () => (await endsAt()) === ended)
  await end.press('ArrowDown')
  await eventually(async () => Math.abs((await endsAt()) - ended + 0.1) < 0.006)
  await end.press('Control+z')
  await eventually(async () => (await endsAt()) === ended)
  // The fields beside the table may have scrolled the page.
  const box = (await moments.boundingBox())!
  const edge = box.x + (ended / 8) * box.width
  await page.mouse.move(edge - 1, box.y + 22 + 34 + 15)
  await page.mouse.down()
  await page.mouse.move(edge + box.width / 16, box.y + 22 + 34 + 15, { steps: 3 })
  await page.mouse.up()
  const dragged = await eventually(async () => (await endsAt()) > ended + 0.3 && endsAt())
  assert.ok(dragged < ended + 0.7, `${ended} to ${dragged}`)
  await moments.press('Alt+ArrowUp')
  await eventually(async () => (await endsAt()) > dragged)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await eventually(async () => (await endsAt()) === ended)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`dub-done-${theme}`)
    assert.deepEqual(await axeComplaints(page), [], theme)
  }
  await button(page, 'Play line 1').click()
  await button(page, 'Play line 1').waitFor()
  await button(page, 'Check').click()
  const check = page.getByRole('region', { name: 'Check' })
  await check.getByText(/No faults were found in what was checked|lines? have faults/).waitFor()
  // No recogniser of this machine knows Spanish, and no engine compares voices: it says so, in a neutral colour, and names what would help.
  await check.getByText('Not checked: words').waitFor()
  await check.getByRole('group', { name: /^Recognising words needs / }).waitFor()
  assert.equal(await page.locator('.check .good, .callout.good').count(), 0)
  assert.doesNotMatch((await check.textContent())!, /studio |models install|mdx|onnx-community/)
  await shot('dub-checked')

  // One changed line is the only one that is spoken again.
  await button(page, 'Close the check').click()
  await target.first().fill('El hombre entró en la casa.')
  await button(page, 'Speak 1 line').click()
  await page.getByText('Every line is spoken.').waitFor()

  // A line that was split is two lines of the studio; an undo after speaking joins them again.
  await target.first().press('Control+Home')
  for (let times = 0; times < 'El hombre'.length; times++) await target.first().press('ArrowRight')
  await button(page, 'Split').click()
  await target.nth(count).waitFor()
  assert.deepEqual([await target.nth(0).inputValue(), await target.nth(1).inputValue()], ['El hombre', 'entró en la casa.'])
  await shot('dub-split')
  await button(page, 'Speak 2 lines').click()
  await page.getByText('Every line is spoken.').waitFor()
  await page.keyboard.press('Control+z')
  await button(page, 'Speak 1 line').waitFor()
  assert.equal(await target.count(), count)
  assert.equal(await target.first().inputValue(), 'El hombre entró en la casa.')
  await button(page, 'Speak 1 line').click()
  await page.getByText('Every line is spoken.').waitFor()

  await button(page, 'Voices').click()
  await button(page, /^Play the voice of /)
    .first()
    .click()
  await button(page, /^Play the voice of /)
    .first()
    .waitFor()
  await shot('dub-voices')
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Done').click()

  await page.getByRole('button', { name: 'Export', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('button', { name: 'Save Video (MP4)' }).waitFor()
  await shot('dub-export')
  assert.deepEqual(await axeComplaints(page), [])
  const [subtitles] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Save Subtitles (SRT)' }).click()])
  assert.match(readFileSync((await subtitles.path())!, 'utf8'), /El hombre entró en la casa\./)
  // The film is made by a job, and saved under its name and the language when it is made.
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save Video (MP4)' }).click()])
  assert.equal(saved.suggestedFilename(), 'Harbour talk (Spanish).mp4')
  await dialog.getByRole('region', { name: 'Made before' }).getByText('Harbour talk (Spanish).mp4').waitFor()
  await shot('dub-exported')
  await dialog.getByText('The dub, the original sound, and subtitles that are off.').waitFor()
  const shown = ['-v', 'error', '-show_entries', 'stream=codec_type:stream_tags=language', '-of', 'csv=p=0', (await saved.path())!]
  const { stdout: streams } = await promisify(execFile)(ffprobe!, shown)
  assert.deepEqual(
    streams.split('\n').filter((line) => /audio|subtitle/.test(line)),
    ['audio,spa', 'audio,eng', 'subtitle,spa', 'subtitle,eng'],
  )
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 380, height: 800 })
  await shot('dub-phone')
  assert.deepEqual(await axeComplaints(page), [])
  assert.ok(await isNarrow(page))
  assert.match(await page.title(), /^Harbour talk\.mp4 · Dub/)
  await page.getByRole('link', { name: 'All dubs' }).click()
  await page.getByText('Spoken in Spanish').waitFor()
  await shot('dub-list')
  assert.deepEqual(await axeComplaints(page), [])
  // Its sound plays in Files.
  await page.evaluate(`location.hash = '#/files?kind=dub'`)
  await button(page, 'Play Harbour talk.mp4').click()
  await button(page, 'Pause Harbour talk.mp4').first().waitFor()
  assert.deepEqual(
    complaints.filter((line) => !/ERR_|status of 503/.test(line)),
    [],
    'nothing but the time without a studio',
  )
})
