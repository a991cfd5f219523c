// The Audiobook page in a real browser: a manuscript is imported, cast, listened to, rendered while the page is left, stopped and resumed, and saved.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { STUDIO_BASE_PATH: '/voice' } })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isNarrow = async (page: Page) => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0
const HOSTILE = `<img src=x onerror="document.title='owned'">`
const BOOK = `# The harbour\n\nThe harbour was quiet at five.\n\n[voice:Mara] Only the gulls. [voice:]\n\n# ${HOSTILE}\n\nBelow, the radio crackled.\n`

test('of a long book only the chapters near the view are drawn', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints } = await openPage(t, `${world.page}/#/tools`)
  const text = Array.from({ length: 300 }, (_, at) => `# Chapter ${at + 1}\n\nThe lamp was lit.\n\n`).join('')
  await page.evaluate(`localStorage.setItem('voice-studio-book', ${JSON.stringify(JSON.stringify({ text, title: 'Long', at: 1 }))})`)
  // The manuscript of an earlier version moves to the studio, once.
  await page.goto(`${world.page}/#/audiobook/draft`)
  await page.locator('.outline li').first().waitFor()
  const [moved] = (await world.get('/projects')).json()
  assert.deepEqual([moved.name, moved.kind], ['Long', 'book'])
  assert.ok(page.url().endsWith(`#/audiobook/${moved.id}`))
  assert.equal(await page.evaluate(`localStorage.getItem('voice-studio-book')`), null)
  const drawn = () => page.locator('.outline li').count()
  const list = page.locator('.outline ol')
  for (const size of [
    { width: 1280, height: 900 },
    { width: 380, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await list.waitFor()
    await page.evaluate(`document.querySelector('.outline ol').scrollTop = 1e6`)
    await list.getByText('Chapter 300', { exact: true }).waitFor()
    assert.ok((await drawn()) <= 60, `${await drawn()} rows`)
    await page.evaluate(`document.querySelector('.outline ol').scrollTop = 0`)
    await list.getByText('Chapter 1', { exact: true }).waitFor()
    assert.ok((await drawn()) <= 60, `${await drawn()} rows`)
  }
  // Deleted with a way back, which leads to the same text.
  await page.getByRole('link', { name: 'All books' }).click()
  await button(page, 'Delete Long').click()
  await page.getByText('No books yet.').waitFor()
  await button(page, 'Undo').click()
  await page.getByRole('link', { name: 'Open Long' }).click()
  await list.getByText('Chapter 1', { exact: true }).waitFor()
  await world.delete(`/projects/${moved.id}`)
  assert.deepEqual(complaints, [])
})

test('two browsers that change a book lose nothing, and a second book does not replace the first', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const one = await openPage(t, `${world.page}/#/audiobook`)
  const two = await openPage(t, `${world.page}/#/audiobook`)
  const field = (page: Page) => page.getByRole('textbox', { name: 'Text of One' })
  const pick = (page: Page, name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await pick(one.page, 'First.txt', '# One\n\nThe lamp was lit.\n')
  await button(one.page, 'Edit as text').click()
  await field(one.page).waitFor()
  await pick(two.page, 'Second.txt', '# One\n\nThe radio spoke.\n')
  await button(two.page, 'Edit as text').click()
  await field(two.page).waitFor()
  const rows = (await world.get('/projects')).json()
  assert.deepEqual(rows.map(({ name }: { name: string }) => name).sort(), ['First', 'Second'])
  const { id } = rows.find(({ name }: { name: string }) => name === 'First')
  const stored = async () => (await world.get(`/projects/${id}`)).json().state.text
  assert.ok(one.page.url().endsWith(`#/audiobook/${id}`))
  // The same book in another browser follows what is saved here.
  await two.page.goto(`${world.page}/#/audiobook/${id}`)
  await eventually(async () => /lamp was lit/.test(await field(two.page).inputValue()))
  await field(one.page).fill('# One\n\nThe lamp came by boat.\n')
  await one.page.getByText('Saved', { exact: true }).waitFor()
  await eventually(async () => /came by boat/.test(await field(two.page).inputValue()))
  // A save that is held back meets another one.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await two.page.route(`**/projects/${id}`, async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.continue()
  })
  const sent = two.page.waitForRequest((request) => request.method() === 'PUT')
  await field(two.page).fill('# One\n\nThe lamp was packed in straw.\n')
  await sent
  await field(one.page).fill('# One\n\nThe lamp cried.\n')
  await eventually(async () => /cried/.test(await stored()))
  release()
  const question = two.page.getByRole('alert').filter({ hasText: 'This book was changed in another browser.' })
  await question.getByText('The lamp cried.').waitFor()
  assert.match(await field(two.page).inputValue(), /packed in straw/, 'nothing is lost before the choice')
  assert.deepEqual(await axeComplaints(two.page), [])
  await question.getByRole('button', { name: 'Keep the text of this page' }).click()
  await eventually(async () => /packed in straw/.test(await stored()))
  await eventually(async () => /packed in straw/.test(await field(one.page).inputValue()))
  // The list has both; what was not saved yet outlives a reload.
  await one.page.goto(`${world.page}/#/audiobook`)
  await one.page.getByRole('link', { name: 'Open Second' }).click()
  await eventually(async () => /radio spoke/.test(await field(one.page).inputValue()))
  await field(one.page).fill('# One\n\nThe radio was off.\n')
  await one.page.reload()
  await eventually(async () => /was off/.test(await field(one.page).inputValue()))
  await one.page.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual(one.complaints, [])
  assert.ok(
    two.complaints.every((text) => /status of 409/.test(text)),
    two.complaints.join(),
  )
  for (const row of rows) await world.delete(`/projects/${row.id}`)
})

test('a manuscript becomes a book: import, cast, preview, render, download', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/audiobook`)
  page.setDefaultTimeout(240_000) // engines share the machine with other tests
  await page.getByText('No books yet.').waitFor()
  await shot('book-empty')
  await page.locator('input[type=file]').setInputFiles({ name: 'Lighthouse.md', mimeType: 'text/markdown', buffer: Buffer.from(BOOK) })
  const text = page.getByRole('textbox', { name: 'Text of The harbour' })
  // The paragraphs are heard, given to a speaker, said in another way and edited one by one.
  const first = page.getByRole('listitem', { name: 'Paragraph 1' })
  await first.getByText(/quiet at five/).waitFor()
  await first.getByRole('button', { name: 'Say this paragraph again, in another way' }).click()
  await first.getByRole('button', { name: 'Take 2: use the one before' }).waitFor()
  await page
    .getByRole('region', { name: 'Player' })
    .getByRole('link', { name: /^Preview of/ })
    .waitFor()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`book-reading-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Edit as text').click()
  assert.match(await text.inputValue(), /\[take 2\].*quiet at five.*\[\/take\]/)
  await button(page, 'Show paragraphs').click()
  await first.getByRole('button', { name: 'Take 2: use the one before' }).click()
  await first.focus()
  await first.press('Enter')
  const edited = page.getByRole('textbox', { name: 'Text of Paragraph 1' })
  await edited.press('End')
  await edited.pressSequentially(' Here.')
  await edited.press('Control+Enter')
  await first.getByText('Here.').waitFor()
  await button(page, 'Edit as text').click()
  assert.doesNotMatch(await text.inputValue(), /\[take/)
  await text.fill((await text.inputValue()).replace(' Here.', ''))
  assert.equal(await page.locator('.outline li').count(), 2)
  await button(page, 'Voice of Mara: As named in the text').waitFor()
  // A chapter is switched off and on; its title says so, and the length of the book follows.
  await page.getByText('2 chapters, 13 words, about ').waitFor()
  await page.getByRole('switch', { name: 'Speak The harbour' }).click()
  await page.getByText('1 chapter, 4 words, about ').waitFor()
  assert.match(await text.inputValue(), /^# \[skip\] The harbour\n/)
  await page.getByText('1 part is left out').click()
  await page.getByText('This chapter is switched off.').waitFor()
  await shot('book-switched-off')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('switch', { name: 'Speak The harbour' }).click()
  await page.getByText('2 chapters, 13 words, about ').waitFor()
  assert.match(await text.inputValue(), /^# The harbour\n/)
  await page.locator('summary', { hasText: 'Pauses' }).click()
  await page.getByLabel('Scene break').fill('2500')
  await page.getByLabel('Scene break').blur()
  await page.locator('summary', { hasText: 'Pauses' }).click()
  const uncast = page.getByText('Not among your saved voices: Mara.')
  await uncast.waitFor()
  await button(page, 'Voice of Mara: As named in the text').click()
  await page.getByRole('combobox', { name: 'Find a voice' }).fill('rms')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Voice of Mara: RMS/ }).waitFor()
  await uncast.waitFor({ state: 'detached' })
  await text.press('Control+End')
  await button(page, 'Pause').click()
  await text.pressSequentially('Storm')
  assert.match(await text.inputValue(), /\[pause 0\.5 s\]Storm$/)
  // A title that is finished begins a chapter, with the cursor in it.
  await text.pressSequentially('\n# New\nIt')
  const added = page.getByRole('textbox', { name: 'Text of New' })
  assert.equal(await added.inputValue(), '# New\nIt')
  await added.fill('')
  await page.locator('.outline button').nth(0).click()
  // The address names the chapter after it is drawn.
  await eventually(async () => !page.url().includes('chapter='))
  await page.reload()
  await text.waitFor()
  assert.equal(await page.locator('.outline li').count(), 2)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`book-draft-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Play chapter').click()
  await page.getByRole('region', { name: 'Player' }).getByRole('link', { name: /./ }).first().waitFor()

  await page.locator('summary', { hasText: 'Say as' }).click()
  await button(page, 'Add a word').click()
  await page.getByLabel('Word 1', { exact: true }).fill('gulls')
  await page.getByLabel('Said as 1').fill('golls')
  await page.reload()
  await text.waitFor()
  assert.match(await text.inputValue(), /\[pause 0\.5 s\]/, 'the manuscript survives a reload')
  await page.locator('summary', { hasText: 'Say as' }).click()
  assert.equal(await page.getByLabel('Said as 1').inputValue(), 'golls')
  await page.locator('summary', { hasText: 'Output' }).click()
  await page.getByLabel('Format').selectOption('mp3')
  await page.locator('.outline button').nth(1).click()
  await page.getByRole('textbox', { name: `Text of ${HOSTILE}` }).waitFor()
  assert.match(page.url(), /chapter=2/)
  await page.setViewportSize({ width: 380, height: 800 })
  await shot('book-draft-phone')
  assert.deepEqual(await axeComplaints(page), [])
  assert.ok(await isNarrow(page))
  await page.setViewportSize({ width: 1280, height: 900 })

  await button(page, 'Create audiobook').click()
  // The book belongs to the studio, not to the page.
  await page.goto(`${world.page}/#/audiobook`)
  await page.getByRole('button', { name: 'Download Lighthouse' }).waitFor()
  await page.locator('summary', { hasText: 'Chapters' }).first().click()
  await page.locator('.made li').nth(1).waitFor()
  // A chapter is heard by itself, and the player goes on to the next one.
  await button(page, 'Play The harbour').click()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('link', { name: 'The harbour' }).waitFor()
  await eventually(async () => Number(await player.getByRole('slider', { name: /^Position/ }).getAttribute('max')) > 1)
  await player.getByRole('slider', { name: /^Position/ }).press('End')
  await player.getByRole('link', { name: HOSTILE }).waitFor()
  await button(page, 'Previous sound').click()
  await player.getByRole('link', { name: 'The harbour' }).waitFor()
  await button(page, 'Next sound').click()
  await player.getByRole('link', { name: HOSTILE }).waitFor()
  assert.ok(await button(page, 'Next sound').isDisabled())
  await button(page, 'Stop and close the player').click()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`book-list-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  // In its own format, and in others that a job makes.
  for (const [format, file] of [
    ['MP3', 'Lighthouse.mp3'],
    ['WAV', 'Lighthouse.zip'],
  ] as const) {
    await button(page, 'Download Lighthouse').click()
    const item = page.getByRole('button', { name: new RegExp(`^${format}`) })
    await item.waitFor()
    await shot(`book-formats-${format}`)
    assert.deepEqual(await axeComplaints(page), [])
    const [saved] = await Promise.all([page.waitForEvent('download'), item.click()])
    assert.equal(saved.suggestedFilename(), file)
    assert.ok(readFileSync((await saved.path())!).length > 20_000)
  }
  assert.match(await page.title(), /^Audiobook/)
  // Home goes on with it, and Files plays it.
  await page.goto(`${world.page}/#/`)
  const recent = page.getByRole('region', { name: 'Continue' }).getByRole('listitem').filter({ hasText: 'Lighthouse' })
  await recent.getByText('Done', { exact: true }).waitFor()
  assert.match((await recent.getByRole('link').getAttribute('href')) ?? '', /^#\/audiobook\/[0-9a-f]{8}$/)
  await page.goto(`${world.page}/#/files?kind=book`)
  await button(page, 'Play Lighthouse').click()
  await button(page, 'Pause Lighthouse').first().click()
  // A finished book comes back with its text, and opens in its editor.
  await page.goto(`${world.page}/#/audiobook`)
  await button(page, 'Delete Lighthouse').click()
  await page.getByText('No books yet.').waitFor()
  await button(page, 'Undo').click()
  await page.getByRole('button', { name: 'Download Lighthouse' }).waitFor()
  await page.getByRole('link', { name: 'Lighthouse', exact: true }).click()
  await text.waitFor()
  await page.goto(`${world.page}/#/files?kind=book`)
  await button(page, 'Delete Lighthouse').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No file matches.').waitFor()
  assert.deepEqual((await world.get('/longform/jobs')).json(), { jobs: [] })
  assert.deepEqual(complaints, [])
})

test('chapters that are switched off are not in the book that is made', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/audiobook`)
  page.setDefaultTimeout(240_000) // engines share the machine with other tests
  const book = '# [skip] Contents\n\nOne, two.\n\n# One\n\n- eggs\n- milk\n\n* * *\n\n“Yes.”\n\n# Two\n\nThe end of it.\n'
  await page.locator('input[type=file]').setInputFiles({ name: 'Chosen.txt', mimeType: 'text/plain', buffer: Buffer.from(book) })
  const switches = page.getByRole('switch')
  await eventually(async () => (await switches.count()) === 3)
  assert.deepEqual(await Promise.all([0, 1, 2].map((at) => switches.nth(at).isChecked())), [false, true, true])
  await switches.nth(2).press('Space')
  await page.getByText('1 chapter, 3 words, about ').waitFor()
  await shot('book-chosen')
  await button(page, 'Create audiobook').click()
  await page.goto(`${world.page}/#/audiobook`)
  await page.getByRole('button', { name: 'Download Chosen' }).waitFor()
  await page.locator('summary', { hasText: 'Chapters' }).first().click()
  await page.locator('.made li').waitFor()
  assert.deepEqual(await page.locator('.made li .state').allTextContents(), ['One'])
  assert.deepEqual(complaints, [])
})

test('a book that was stopped keeps its parts and is resumed', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/audiobook`)
  page.setDefaultTimeout(240_000) // engines share the machine with other tests
  await button(page, 'Write or paste text').click()
  const text = page.getByRole('textbox', { name: 'Text of Chapter 1' })
  const paragraph = (number: number) => `In part ${number} the travellers walk on until evening, and they count the hours of the long day.`
  await text.fill(`# Chapter 1\n\n${Array.from({ length: 40 }, (_, at) => paragraph(at)).join('\n\n')}\n`)
  await page.locator('summary', { hasText: /^Book$/ }).click()
  await page.getByLabel('Title', { exact: true }).fill('The long walk')
  // Another tab shows what is written here, and its own change keeps it.
  const other = await page.context().newPage()
  await page.getByText('Saved', { exact: true }).waitFor()
  await other.goto(page.url())
  const otherTitle = other.getByLabel('Title', { exact: true })
  await other.locator('summary', { hasText: /^Book$/ }).click()
  await page.getByLabel('Author').fill('A. Walker')
  await eventually(async () => (await other.getByLabel('Author').inputValue()) === 'A. Walker')
  for (const title of ['The long walk home', 'The long walk']) {
    await otherTitle.fill(title)
    await eventually(async () => (await page.getByLabel('Title', { exact: true }).inputValue()) === title)
  }
  assert.equal(await page.getByLabel('Author').inputValue(), 'A. Walker')
  await other.close()
  const release = slowHosts(t, world.studio)
  await button(page, 'Create audiobook').click()
  await page.getByRole('img', { name: '0 of 1 chapter made' }).waitFor()
  await shot('book-making')
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Stop The long walk').click()
  await page.getByRole('link', { name: 'All books' }).click()
  await page.getByText('Stopped. 0 of 1 chapter kept.').waitFor()
  await shot('book-stopped')
  assert.deepEqual(await axeComplaints(page), [])
  release()
  await button(page, 'Resume The long walk').click()
  await page.getByRole('button', { name: 'Download The long walk' }).waitFor()
  assert.equal(await page.getByText('Stopped.').count(), 0)
  assert.deepEqual(complaints, [])
})
