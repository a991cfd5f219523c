// The Dub page in a real browser: a film is sent, transcribed, translated, spoken, checked and saved; what a person changed survives a reload.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { findProgram } from '#shared/runtime/program.ts'
import { corpus, ffmpeg, ffprobe, folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { preparedDub } from '#test/scenarios/dubbing/dub-client.ts'
import { encoded } from '#test/shared/text/encodings/encode.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, NO_BROWSER, openPage, withoutConnection } from '#test/support/web/browser.ts'
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
  const box = await eventually(async () => {
    const place = (await moments.boundingBox())!
    await page.mouse.click(place.x + place.width / 2, place.y + 40)
    return (await page.evaluate<boolean>(`Math.abs(document.querySelector('video').currentTime - 4) < 0.2`)) && place
  })
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
  const end = page.getByLabel('End (s)')
  const ended = Number(await end.inputValue())
  const edge = box.x + (ended / 8) * box.width
  await page.mouse.move(edge - 1, box.y + 22 + 34 + 15)
  await page.mouse.down()
  await page.mouse.move(edge + box.width / 16, box.y + 22 + 34 + 15, { steps: 3 })
  await page.mouse.up()
  const dragged = await eventually(async () => Number(await end.inputValue()) > ended + 0.3 && Number(await end.inputValue()))
  assert.ok(dragged < ended + 0.7, `${ended} to ${dragged}`)
  await moments.press('Alt+ArrowUp')
  await eventually(async () => Number(await end.inputValue()) > dragged)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await eventually(async () => Number(await end.inputValue()) === ended)
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
    .getByText(/checked, without faults|lines? have faults/)
    .waitFor()
  // No recogniser of this machine knows Spanish, and no engine compares voices: the note says so, and is not green.
  await page.locator('.callout').getByText('Not checked: words').waitFor()
  assert.equal(await page.locator('.callout.good').count(), 0)
  await shot('dub-checked')

  // One changed line is the only one that is spoken again.
  await button(page, 'Close this note').click()
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
  await dialog.getByRole('link', { name: 'Save Video (MP4)' }).waitFor()
  await shot('dub-export')
  assert.deepEqual(await axeComplaints(page), [])
  const [subtitles] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Save Subtitles (SRT)' }).click()])
  assert.match(readFileSync((await subtitles.path())!, 'utf8'), /El hombre entró en la casa\./)
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Save Video (MP4)' }).click()])
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
  const { page, complaints, shot } = await openPage(t, `${world.page}/`)
  await page.route('**/dub/history/many', (route) => route.fulfill({ json: row }))
  await page.route('**/dub/summaries', (route) => route.fulfill({ json: [row] }))
  await page.goto(`${world.page}/#/dub/many?lang=fr&line=l1500`)
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
  await page.getByRole('searchbox', { name: 'Find' }).fill('')
  // Undo, redo, split and join by keyboard.
  const reads = (value: string) => eventually(async () => (await line(1501).inputValue()) === value)
  const rows = (count: number) => page.locator(`[role=table][aria-rowcount="${count + 1}"]`).waitFor()
  await page.getByRole('searchbox', { name: 'Find' }).press('Control+z')
  await page.getByRole('searchbox', { name: 'Find' }).fill('')
  await line(1501).focus()
  await page.keyboard.press('Control+z')
  await reads('')
  await page.keyboard.press('Control+y')
  await reads('Bonjour')
  await page
    .locator('.dub-rows > [aria-current="true"]')
    .getByRole('button', { name: /^Play the film/ })
    .focus()
  await page.keyboard.press('s')
  await rows(2_001)
  await page.reload()
  await rows(2_001)
  await line(1502).waitFor()
  await line(1501).focus()
  await button(page, 'Join').press('Enter')
  await rows(2_000)
  await page.locator('[role=status]').getByText('The lines are joined.').waitFor({ state: 'attached' })
  await button(page, 'Undo').click()
  await rows(2_001)
  await button(page, 'Redo').click()
  await rows(2_000)
  await reads('Bonjour')
  // A line is inserted after the selected one, and gets another speaker.
  await page
    .locator('.dub-rows > [aria-current="true"]')
    .getByRole('button', { name: /^Play the film/ })
    .focus()
  await page.keyboard.press('+')
  await rows(2_001)
  const details = page.getByRole('region', { name: 'Line 1502' })
  await details.getByLabel('Original text').fill('One more line.')
  await page
    .locator('.dub-rows > [aria-current="true"]')
    .getByRole('button', { name: /^Play the film/ })
    .focus()
  await page.keyboard.press('2')
  await page.locator('[role=status]').getByText(' speaks line 1502.').waitFor({ state: 'attached' })
  await page.reload()
  await rows(2_001)
  await page.locator('.dub-rows').getByText('One more line.').waitFor()
  await line(1501).focus()
  await button(page, 'Join').press('Enter')
  await rows(2_000)

  await button(page, 'Glossary').click()
  const glossary = page.getByRole('dialog', { name: 'Glossary' })
  await glossary.getByText('No terms yet.').waitFor()
  await glossary.getByLabel('Original').fill(hostile.slice(0, 60))
  await glossary.getByLabel('Translation').fill('Ligne')
  await glossary.getByLabel('Note').press('Enter')
  await glossary.getByText(hostile.slice(0, 60)).waitFor()
  await glossary.getByRole('button', { name: /^Edit / }).click()
  await glossary.getByLabel('Original').first().fill('Number')
  await button(page, 'Save').click()
  await glossary.locator('b').getByText('Number', { exact: true }).waitFor()
  await page.route('**/auto-extract', (route) => route.fulfill({ json: { project_id: 'many', proposed: 2, inserted: 0, terms: [] } }))
  await button(page, 'Find terms').click()
  await glossary.getByText('No new terms were found.').waitFor()
  await shot('dub-glossary')
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Translate 1 line again').waitFor()
  await button(page, 'Remove Number').click()
  await glossary.getByText('No terms yet.').waitFor()
  await button(page, 'Done').click()

  await page.route('**/dub/translate', (route) => {
    const { segments } = route.request().postDataJSON()
    return route.fulfill({
      json: {
        translated: segments.map(({ id }: { id: string }) => ({ id, text: `Ligne ${id}.` })),
        target_lang: 'fr',
        source_lang: 'en',
        quality_used: 'fast',
      },
    })
  })
  await button(page, 'Translate 1,999 lines').click()
  await button(page, 'Speak 2,000 lines').waitFor()
  assert.equal(await line(1501).inputValue(), 'Bonjour', 'what a person wrote stays')
  for (const width of [1440, 380]) {
    await page.setViewportSize({ width, height: 900 })
    await shot(`dub-many-${width}`)
    assert.deepEqual(await axeComplaints(page), [], String(width))
    assert.ok(await isNarrow(page), `wider than ${width}`)
  }
  await page.goto(`${world.page}/#/dub`)
  await page.getByText(hostile).waitFor()
  assert.match(await page.title(), /^Dub/)
  assert.ok(await isNarrow(page))
  // The film itself does not exist here.
  assert.deepEqual(
    complaints.filter((text) => !/404|ERR_/.test(text)),
    [],
  )
})

test('subtitles become lines, and are read again in another encoding', { skip: NO_BROWSER || withPrograms.skip }, async (t) => {
  const world = await open()
  const { id } = await preparedDub(world, await corpus('plain.mp4'), 'Film.mp4')
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/dub/${id}`)
  page.setDefaultTimeout(120_000)
  await button(page, 'Transcribe').waitFor()
  const srt = encoded('1\n00:00:01,000 --> 00:00:02,000\nЯ больше не могу ждать.\n', 'windows-1251')
  await page
    .getByLabel('Import subtitles')
    .and(page.locator('input[type=file]'))
    .setInputFiles({ name: 'film.srt', mimeType: 'text/plain', buffer: srt })
  const source = page.locator('.dub-rows .source').first()
  await page.getByText('Lines from film.srt').waitFor()
  await page.getByText('windows-1251 was assumed').waitFor()
  assert.match((await source.textContent())!, /Я больше не могу ждать\./)
  await shot('dub-imported')
  assert.deepEqual(await axeComplaints(page), [])
  const encoding = page.getByLabel('Encoding')
  await encoding.selectOption('koi8-r')
  await eventually(async () => /^ъ/.test((await source.textContent())!.trim()))
  await encoding.selectOption('windows-1251')
  await eventually(async () => /Я больше/.test((await source.textContent())!))
  await button(page, 'Close this note').click()
  await page.getByText('Lines from film.srt').waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})
