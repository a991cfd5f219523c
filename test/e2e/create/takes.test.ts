// Takes, drafts and voices of the Speak page in a real browser: all are reached and found, and what one browser changes another shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { isRefusal } from '#test/support/web/machines-page.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true, fixedPort: true, env: { STUDIO_BASE_PATH: '/voice' } })
const history = async (world: World) => (await world.get('/history')).json()

test('all takes are reached, found by text and star, and the same in two browsers', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const made = async (text: string) => (await world.send('POST', '/generate', form({ text, engine: 'tone' }))).headers.get('x-audio-id')!
  const ids: string[] = []
  for (let at = 1; at <= 56; at++) ids.push(await made(at === 2 ? 'The lamp was lit at five.' : `Take number ${at}`))
  const size = { width: 1440, height: 900 }
  const [one, two] = [await openPage(t, `${world.page}/#/speak`, size), await openPage(t, `${world.page}/#/speak`, size)]
  const rows = (page: Page) => page.getByRole('region', { name: 'Takes' }).getByRole('listitem')
  await eventually(async () => (await rows(one.page).count()) === 50)
  await two.page.locator('.take').first().waitFor()
  for (const { page } of [one, two]) await isLive(page)
  await rows(one.page).last().scrollIntoViewIfNeeded()
  await eventually(async () => (await rows(one.page).count()) === 56)
  await rows(one.page).first().scrollIntoViewIfNeeded()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(one.page, theme)
    await one.shot(`speak-takes-${theme}`)
  }

  const find = two.page.getByRole('searchbox', { name: 'Find in takes' })
  await find.fill('LAMP five')
  await eventually(async () => (await rows(two.page).count()) === 1)
  await rows(two.page)
    .getByRole('button', { name: /^Star:/ })
    .click()
  await rows(one.page)
    .filter({ hasText: 'lamp' })
    .getByRole('button', { name: /^Starred/ })
    .waitFor()
  await one.page.getByRole('button', { name: 'Starred', exact: true }).click()
  await eventually(async () => (await rows(one.page).count()) === 1)
  await one.page.reload()
  await eventually(async () => (await rows(one.page).count()) === 1)
  assert.match(one.page.url(), /#\/speak\?starred=1$/)
  await one.page.getByRole('button', { name: 'All', exact: true }).click()
  await eventually(async () => (await rows(one.page).count()) === 50)
  assert.deepEqual(await axeComplaints(one.page), [])

  // New, deleted and brought back in one browser: so in the other.
  await find.fill('')
  await eventually(async () => (await rows(two.page).count()) === 50)
  const [newest] = [await made('A new one')]
  await rows(two.page).getByText('A new one').waitFor()
  await rows(one.page).getByText('A new one').waitFor()
  await rows(one.page)
    .first()
    .getByRole('button', { name: /^Delete/ })
    .focus()
  await one.page.keyboard.press('Enter')
  await rows(two.page).getByText('A new one').waitFor({ state: 'detached' })
  assert.match((await one.page.evaluate('document.activeElement.getAttribute("aria-label")')) as string, /^Delete: Take number 56/)
  await one.page.getByRole('button', { name: 'Undo' }).click()
  await rows(two.page).getByText('A new one').waitFor()
  assert.ok((await history(world)).some(({ id }: { id: string }) => id === newest))

  // The palette finds it, and it opens though it is an old one. What is typed before the palette is there is not lost.
  await one.page.route('**/*.js', async (route) => {
    await delay(500)
    await route.continue()
  })
  await one.page.keyboard.press('Control+k')
  await one.page.keyboard.type('lamp lit')
  await one.page.getByRole('option', { name: /The lamp was lit/ }).click()
  await one.page.unroute('**/*.js')
  await one.page.getByRole('region', { name: 'Selected take' }).getByText('The lamp was lit').waitFor()
  // The row that sounds can pause.
  await rows(one.page).getByText('A new one').waitFor()
  await rows(one.page).first().getByRole('button', { name: /^Play/ }).click()
  await rows(one.page)
    .first()
    .getByRole('button', { name: /^Pause/ })
    .click()
  await rows(one.page).first().getByRole('button', { name: /^Play/ }).waitFor()
  // Two takes are compared: the other one goes on at the same place, and another sound ends it.
  const compare = one.page.getByRole('region', { name: 'Compare two takes' })
  for (const text of ['A new one', 'Take number 56']) {
    await rows(one.page).getByText(text, { exact: true }).waitFor()
    await one.page.getByRole('button', { name: `Compare: ${text}` }).press('Enter')
  }
  await compare.getByRole('button', { name: 'A', exact: true, pressed: true }).waitFor()
  await compare.getByRole('slider').fill('0.5')
  assert.deepEqual(await axeComplaints(one.page), [])
  await one.shot('compare')
  await compare.getByRole('button', { name: 'B', exact: true }).press('Enter')
  await compare.getByText('Take number 56').waitFor()
  assert.equal(await compare.getByRole('slider').inputValue(), '0.5')
  await compare.getByRole('button', { name: 'Play', exact: true }).press('Enter')
  await eventually(async () => Number(await compare.getByRole('slider').inputValue()) > 0.5)
  await compare.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await compare.getByRole('button', { name: 'End the comparison' }).click()
  await compare.waitFor({ state: 'detached' })
  await world.put('/api/settings/history-retention', { cap: 10 })
  await one.page.reload()
  await one.page.getByText('10 are kept. The next take removes the oldest 48.').waitFor()
  await one.shot('speak-kept')
  await one.page.setViewportSize({ width: 390, height: 844 })
  await one.shot('speak-takes-phone')
  assert.deepEqual(await axeComplaints(one.page), [])
  await world.put('/api/settings/history-retention', { cap: 200 })
  assert.deepEqual([one.complaints, two.complaints], [[], []])
  await world.delete('/history')
})

test('a take that is made before the page hears of changes is shown', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  await world.delete('/history')
  const { page } = await openPage(t, 'about:blank')
  const made = Promise.withResolvers<void>()
  await page.routeWebSocket(/\/ws\/events$/, async (socket) => {
    await made.promise
    socket.connectToServer()
  })
  await page.goto(`${world.page}/#/speak`)
  await page.getByText('No takes yet').waitFor()
  assert.equal((await world.post('/generate', form({ text: 'Made early.' }))).status, 200)
  made.resolve()
  await page.getByRole('listitem').filter({ hasText: 'Made early.' }).waitFor()
  await world.delete('/history')
})

test('a draft is kept on the studio, is there in another browser, and two that change it lose nothing', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  for (const { id } of (await world.get('/projects')).json()) await world.delete(`/projects/${id}`)
  const field = (page: Page) => page.getByLabel('Text', { exact: true })
  const saved = (page: Page) => page.locator('[data-draft="saved"]').waitFor()
  const one = await openPage(t, `${world.page}/#/speak`)
  await field(one.page).fill('The lamp was older than the house.')
  await saved(one.page)
  const [row] = (await world.get('/projects')).json()
  assert.deepEqual([row.name, row.kind], ['The lamp was older than the house.', 'speech'])

  const two = await openPage(t, `${world.page}/#/speak`)
  await eventually(async () => (await field(two.page).inputValue()) === 'The lamp was older than the house.')
  await field(two.page).fill('The lamp came by boat.')
  await eventually(async () => (await world.get(`/projects/${row.id}`)).json().state.text === 'The lamp came by boat.')

  await field(one.page).fill('The lamp was packed in straw.')
  const question = one.page.getByRole('alert').filter({ hasText: 'This draft was changed in another browser.' })
  await question.getByText('The lamp came by boat.').waitFor()
  assert.deepEqual(await axeComplaints(one.page), [])
  assert.equal(await field(one.page).inputValue(), 'The lamp was packed in straw.', 'nothing is lost before the choice')
  await question.getByRole('button', { name: 'Keep the text of this page' }).click()
  await eventually(async () => (await world.get(`/projects/${row.id}`)).json().state.text === 'The lamp was packed in straw.')
  await question.waitFor({ state: 'detached' })

  await field(two.page).fill('It cried.')
  await two.page.getByRole('button', { name: 'Take the other text' }).click()
  await eventually(async () => (await field(two.page).inputValue()) === 'The lamp was packed in straw.')

  // Another draft leaves this one on the studio; a reload keeps both.
  await two.page.getByRole('button', { name: 'Drafts' }).click()
  await two.page.getByRole('button', { name: 'New draft' }).click()
  assert.equal(await field(two.page).inputValue(), '')
  await field(two.page).fill('A second draft.')
  await saved(two.page)
  await two.page.reload()
  assert.equal(await field(two.page).inputValue(), 'A second draft.')
  await two.page.getByRole('button', { name: 'Drafts' }).click()
  await two.page.getByRole('button', { name: /^The lamp/ }).click()
  await eventually(async () => (await field(two.page).inputValue()) === 'The lamp was packed in straw.')
  assert.equal((await world.get('/projects')).json().length, 2)
  await two.page.getByRole('button', { name: 'Pause', exact: true }).click()
  await two.page.getByRole('button', { name: '0.5 s' }).click()
  assert.match(await field(two.page).inputValue(), /straw\. \[pause 0\.5 s\]|^\[pause 0\.5 s\] The/)
  assert.ok(two.complaints.every(isRefusal), two.complaints.join())

  // A tab is closed before the studio has its last words: the next one has them.
  const context = two.page.context()
  await context.setOffline(true)
  await field(two.page).fill('Typed without a connection.')
  await two.page.locator('[data-draft="saving"], [data-draft="failed"]').waitFor()
  const closed = two.page.waitForEvent('close')
  await two.page.close({ runBeforeUnload: true })
  await closed
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto(`${world.page}/#/speak`)
  await eventually(async () => (await field(next).inputValue()) === 'Typed without a connection.')
  await saved(next)
  assert.equal((await world.get(`/projects/${row.id}`)).json().state.text, 'Typed without a connection.')

  // An address of a draft that is gone: what is typed is kept all the same.
  const three = await openPage(t, `${world.page}/#/speak?draft=gone`)
  await three.page.getByText('Project not found').waitFor()
  await field(three.page).fill('A third draft.')
  await saved(three.page)
})

test('a voice is found, heard and chosen by keyboard alone, and it is the one that speaks', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const forgetDrafts = async () => {
    for (const { id } of (await world.get('/projects')).json()) await world.delete(`/projects/${id}`)
  }
  await forgetDrafts()
  await world.post('/profiles', form({ name: 'Old Tom', kind: 'clone', ref_audio: spokenWav({ seconds: 20 }), ref_text: 'Hello.' }))
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`, { width: 1440, height: 900 })
  const chip = page.getByRole('button', { name: /^Voice: / })
  const field = page.getByRole('combobox', { name: 'Find a voice' })
  const option = (name: RegExp) => page.getByRole('option', { name, selected: true })
  await page.getByRole('button', { name: 'Voice: Default voice' }).focus()
  await page.keyboard.press('Enter')
  await field.waitFor()
  await page.waitForFunction('document.activeElement.role === "combobox"')
  await option(/^Default voice/).waitFor()
  await page.getByRole('group', { name: /^Speaking in your voices needs/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Install OmniVoice/ }).count(), 1, 'once for all rows')
  await page.keyboard.press('ArrowDown')
  await option(/^Old Tom/).waitFor()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Pause Old Tom' }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Player', exact: true }).count(), 0)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    assert.deepEqual(await axeComplaints(page), [])
    await shot(`voice-picker-${theme}`)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Play Old Tom' }).waitFor()
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Voice: Default voice' }).waitFor()
  assert.match((await page.evaluate('document.activeElement.ariaLabel')) as string, /^Voice: Default voice/, 'the focus is back')

  await page.keyboard.press('Enter')
  await field.waitFor()
  await page.keyboard.type('rms us')
  await option(/^RMS/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Voice: RMS/ }).waitFor()
  await field.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 390, height: 844 })
  await chip.click()
  await option(/^RMS/).waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('voice-picker-phone')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByLabel('Text', { exact: true }).fill('The lamp was lit at five.')
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await page.locator('.making[data-phase="done"]').waitFor()
  assert.equal((await history(world))[0].engine, 'flite')
  assert.deepEqual(complaints, [])
  await page.close()
  await world.delete('/history')
  await forgetDrafts()
})
