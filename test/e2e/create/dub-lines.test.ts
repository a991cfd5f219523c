// The lines of the Dub page in a real browser: thousands of them, subtitles that become lines, and their speakers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { preparedDub } from '#test/scenarios/dubbing/dub-client.ts'
import { encoded } from '#test/shared/text/encodings/encode.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const isNarrow = async (page: Page) => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0

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
  // The table by arrow keys: they move the selection, Enter edits, Escape leaves, and each line is one stop of the Tab key.
  await line(1501).press('Escape')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await eventually(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Translation of line 1502')
  await page.keyboard.press('Tab')
  await eventually(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Translation of line 1503')
  await line(1501).focus()
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
  const cues = ['1\n00:00:00,500 --> 00:00:01,200\nЯ больше не могу ждать.\n', '2\n00:00:01,300 --> 00:00:02,000\nКОЛЯ: Иди сюда.\n']
  const srt = encoded(cues.join('\n'), 'windows-1251')
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

  // A name that a line begins with becomes its speaker when a person says so, and an undo makes it words again.
  const names = page.getByRole('group', { name: 'Speakers found in the lines' })
  await names.getByText('КОЛЯ').waitFor()
  await button(page, 'Use them').click()
  const who = (row: number) => page.locator('.dub-rows .speaker').nth(row)
  const second = page.locator('.dub-rows .source').nth(1)
  await eventually(async () => (await second.textContent()) === 'Иди сюда.' && (await who(1).textContent()) === 'КОЛЯ')
  await button(page, 'Undo').click()
  await names.waitFor()
  await button(page, 'Keep as words').click()
  await names.waitFor({ state: 'detached' })
  await button(page, 'Undo').click()
  await button(page, 'Use them').click()
  const colour = await who(1).getAttribute('class')

  // A new speaker is made where a line has its speaker, and keys give lines to speakers.
  await source.click()
  await page.getByRole('region', { name: 'Line 1' }).getByLabel('Speaker').selectOption({ label: 'New speaker…' })
  await page.getByLabel('Name of the new speaker').fill('Мара')
  await page.getByLabel('Name of the new speaker').press('Enter')
  await eventually(async () => (await who(0).textContent()) === 'Мара')
  assert.equal(await who(1).getAttribute('class'), colour, 'each speaker keeps its colour')
  await page.locator('.dub-rows').focus()
  await page.keyboard.press('1')
  await eventually(async () => (await who(0).textContent()) === 'КОЛЯ')
  await page.keyboard.press('2')
  await eventually(async () => (await who(0).textContent()) === 'Мара')
  await button(page, 'Voices').click()
  await button(page, 'New speaker…').click()
  await page.getByLabel('Name of the new speaker').fill('Radio')
  await button(page, 'Add').click()
  const radio = page.locator('.speakers > li').filter({ hasText: '0 lines' })
  await radio.getByLabel('Name', { exact: true }).fill('Harbour radio')
  await shot('dub-speakers')
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Done').click()
  await page.reload()
  await eventually(async () => (await who(0).textContent()) === 'Мара')
  await page.locator('.dub-rows').focus()
  await source.click()
  await page.getByRole('region', { name: 'Line 1' }).getByLabel('Speaker').selectOption({ label: 'Harbour radio' })
  await eventually(async () => (await who(0).textContent()) === 'Harbour radio')
  assert.deepEqual(complaints, [])
})
