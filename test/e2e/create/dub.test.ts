// The Dub page in a real browser: a film is sent, transcribed, translated, spoken, checked and saved; what a person changed survives a reload.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { findProgram } from '#shared/runtime/program.ts'
import { ffmpeg, folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const absent = ['pocketsphinx_continuous', 'espeak-ng', 'apertium'].find((name) => findProgram(name, process.env['PATH']) === null)
const skip = NO_BROWSER || withPrograms.skip || (absent ? `${absent} is not on this machine; ./studio setup installs it` : false)
const open = sharedWorld()
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
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/dub`)
  await page.getByText('No dubs yet.').waitFor()
  await shot('dub-empty')
  await page.locator('input[type=file]').setInputFiles(await film('Harbour talk.mp4'))
  await button(page, 'Transcribe').waitFor()
  assert.match(page.url(), /#\/dub\/\w+/)
  await shot('dub-prepared')
  assert.deepEqual(await axeComplaints(page), [])

  await button(page, 'Transcribe').click()
  const target = page.getByRole('textbox', { name: /^Translation of line/ })
  await target.first().waitFor()
  assert.match((await page.locator('.dub-rows .source').first().textContent())!.toLowerCase(), /house/)
  const count = await target.count()
  await page.getByLabel('Into').selectOption('es')
  await button(page, /^Translate \d+ lines?$/).click()
  await button(page, /^Speak \d+ lines?$/).waitFor()
  assert.match((await target.first().inputValue()).toLowerCase(), /casa/)
  assert.match(page.url(), /lang=es/)

  await target.first().fill('El hombre fue a la casa.')
  await page.reload()
  await button(page, /^Speak \d+ lines?$/).waitFor()
  assert.equal(await target.first().inputValue(), 'El hombre fue a la casa.', 'the change is kept in the browser')
  await shot('dub-translated')
  const release = slowHosts(t, world.studio)
  await button(page, /^Speak \d+ lines?$/).click()
  // The work belongs to the studio, not to the page.
  await button(page, 'Stop').waitFor()
  await page.goto(`${world.url}/#/`)
  await page.goBack()
  release()
  await page.getByText('Every line is spoken.').waitFor()
  assert.equal(await page.locator('.dub-rows .what.good, .dub-rows .what.warn').count(), count)

  await target.first().click()
  await page.getByRole('region', { name: 'Line 1' }).waitFor()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`dub-done-${theme}`)
    assert.deepEqual(await axeComplaints(page), [], theme)
  }
  await button(page, 'Play line 1').click()
  await button(page, 'Play line 1').waitFor()
  await button(page, 'Check').click()
  await page
    .locator('.callout')
    .getByText(/lines? (?:were checked|have faults)/)
    .waitFor()
  await shot('dub-checked')

  // One changed line is the only one that is spoken again.
  await button(page, 'Close this note').click()
  await target.first().fill('El hombre entró en la casa.')
  await button(page, 'Speak 1 line').click()
  await page.getByText('Every line is spoken.').waitFor()

  await page.getByRole('button', { name: 'Export', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('link', { name: 'Save Video (MP4)' }).waitFor()
  await shot('dub-export')
  assert.deepEqual(await axeComplaints(page), [])
  const [subtitles] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Save Subtitles (SRT)' }).click()])
  assert.match(readFileSync((await subtitles.path())!, 'utf8'), /El hombre entró en la casa\./)
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Save Video (MP4)' }).click()])
  assert.equal(readFileSync((await saved.path())!).toString('latin1', 4, 8), 'ftyp')
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 380, height: 800 })
  await shot('dub-phone')
  assert.deepEqual(await axeComplaints(page), [])
  assert.ok(await isNarrow(page))
  await page.getByRole('link', { name: 'All dubs' }).click()
  await page.getByText('Spoken in Spanish').waitFor()
  await shot('dub-list')
  assert.deepEqual(await axeComplaints(page), [])
  assert.deepEqual(complaints, [])
})

test('two thousand lines are scrolled, found and edited by keyboard; hostile names stay text', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const hostile = `<img src=x onerror="document.title='owned'">${'long'.repeat(50)}`
  const segments = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ id: `l${at}`, start: at * 2, end: at * 2 + 1.5, text: `Line number ${at}.`, text_original: `Line number ${at}.` },
    speaker_id: at % 2 === 0 ? 'Speaker 1' : hostile,
  }))
  const job = { audio_path: '/x', input_type: 'video', duration: 4_000, segments, source_lang: 'en', has_bg: false }
  const row = {
    ...{
      id: 'many',
      filename: hostile,
      duration: 4_000,
      segments_count: 2_000,
      language: '',
      language_code: '',
      tracks: '[]',
      content_hash: '',
      created_at: 0,
    },
    job_data: JSON.stringify({ ...job, dubbed_tracks: {}, segments_i18n: {}, fit_plans: {} }),
  }
  const { page, complaints, shot } = await openPage(t, `${world.url}/`)
  await page.route('**/dub/history', (route) => route.fulfill({ json: [row] }))
  await page.goto(`${world.url}/#/dub/many?lang=fr&line=l1500`)
  const line = (number: number) => page.getByRole('textbox', { name: `Translation of line ${number}`, exact: true })
  await line(1501).waitFor()
  assert.ok((await page.locator('.dub-rows > [role=row]').count()) < 60, 'only what is near the view is drawn')
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '2001')
  await line(1501).focus()
  for (const letter of 'Bonjour') await page.keyboard.press(letter)
  // The row with the focus stays while others come into view.
  await page.evaluate('void document.querySelector(".dub-rows").scrollTo(0, 0)')
  await line(1).waitFor()
  assert.equal(await line(1501).inputValue(), 'Bonjour')
  await page.getByRole('searchbox', { name: 'Find' }).fill('number 77.')
  await line(78).waitFor()
  assert.equal(await page.locator('.dub-rows > [role=row]').count(), 1)
  for (const width of [1280, 380]) {
    await page.setViewportSize({ width, height: 800 })
    await shot(`dub-many-${width}`)
    assert.deepEqual(await axeComplaints(page), [], String(width))
    assert.ok(await isNarrow(page), `wider than ${width}`)
  }
  await page.goto(`${world.url}/#/dub`)
  await page.getByText(hostile).waitFor()
  assert.match(await page.title(), /^Dub/)
  assert.ok(await isNarrow(page))
  // The film itself does not exist here.
  assert.deepEqual(
    complaints.filter((text) => !/404|ERR_/.test(text)),
    [],
  )
})
