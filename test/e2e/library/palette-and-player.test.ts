// The palette, the keys of the studio and the player in a real browser, by keyboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, dialog, HOSTILE, isNarrow } from '#test/support/web/machines-page.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()
const LOOKS = [
  [1440, 'light'],
  [380, 'dark'],
] as const
const palette = (page: Page) => dialog(page, 'Search and commands')
const isChosen = (page: Page, name: RegExp) => palette(page).getByRole('option', { name, selected: true }).waitFor()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

test('pages, objects and actions open from the palette; keys of one letter can be turned off', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  await world.post('/projects', { name: HOSTILE, state: {} })
  await world.post('/profiles', form({ name: 'Lighthouse keeper', kind: 'clone', ref_audio: spokenWav(), ref_text: 'Hello.' }))
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/voices`, { width: 1440, height: 900 })
  await isLive(page)
  await page.getByRole('link', { name: 'Lighthouse keeper' }).focus()
  await page.keyboard.press('Control+k')
  await isChosen(page, /^Home/)
  await palette(page).locator('[data-read="true"]').waitFor()
  await page.keyboard.type('light')
  await isChosen(page, /^Switch to light theme/)
  await page.keyboard.press('ArrowDown')
  await isChosen(page, /^Lighthouse keeper/)
  await shot('palette-light')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Lighthouse keeper' }).waitFor()
  assert.equal(await palette(page).count(), 0)

  await button(page, 'Search or run a command').click()
  for (const [width, theme] of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await palette(page).getByRole('combobox').fill('')
    await isChosen(page, /^Home/)
    await shot(`palette-${theme}-${width}`)
    await palette(page).getByRole('combobox').fill('script')
    await isChosen(page, /script/)
    await clean(page, `results, ${theme}, ${width}`)
    await isNarrow(page, `${width}`)
  }
  await palette(page).getByRole('combobox').fill('no such thing')
  await isChosen(page, /^Speak “no such thing”/)
  await page.keyboard.press('Enter')
  await title(page, 'Speak')
  const text = page.getByLabel('Text', { exact: true })
  assert.equal(await text.inputValue(), 'no such thing')
  // On the page itself the text changes at once, and the one before comes back.
  await page.keyboard.press('Control+k')
  await palette(page).getByRole('combobox').fill('other words here')
  await isChosen(page, /^Speak “other words here”/)
  await page.keyboard.press('Enter')
  await eventually(async () => (await text.inputValue()) === 'other words here')
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await text.inputValue()) === 'no such thing')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.locator('h1').focus()
  await page.keyboard.type('gp')
  await title(page, 'Projects')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('/')
  await page.locator('input[type="search"]:focus').waitFor()
  await page.keyboard.type('g?')
  assert.equal(await page.locator('input[type="search"]').inputValue(), 'g?', 'letters in a field are text')
  await page.locator('h1').focus()
  await page.keyboard.press('?')
  await dialog(page, 'Keys').waitFor()
  await shot('keys')
  await clean(page, 'the list of keys')
  await page.getByLabel('Use keys of a single letter outside of text fields').uncheck()
  await page.keyboard.press('Escape')
  await page.locator('h1').focus()
  await page.keyboard.type('gv?')
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  await title(page, 'Projects')
  await page.keyboard.type('dark')
  await isChosen(page, /^Switch to dark theme/)
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
  assert.deepEqual(complaints, [])
})

test('a sound goes on while pages change, with its position, its speed and its keys; the next one ends it', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const wav = spokenWav()
  await world.post('/gallery/upload', form({ name: 'Harbour clip', audio: wav }))
  await world.post('/gallery/upload', form({ name: HOSTILE.slice(0, 40), audio: wav }))
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/voices/clips`, { width: 1440, height: 900 })
  // The element that plays is in no document.
  await page.addInitScript('globalThis.Audio = class extends Audio { constructor() { super(); globalThis.studioSound = this } }')
  await page.reload()
  await isLive(page)
  const player = page.getByRole('region', { name: 'Player', exact: true })
  const position = player.getByRole('slider', { name: /^Position/ })
  const at = async () => Number(await position.inputValue())
  await button(page, 'Play Harbour clip').click()
  await player.getByRole('link', { name: 'Harbour clip' }).waitFor()
  await eventually(async () => (await at()) > 0)
  await page.locator('h1').focus()
  // It may have come to its end meanwhile; then the key begins it again.
  if (await button(player, /^Pause/).isVisible()) await page.keyboard.press('Space')
  await button(player, 'Play Harbour clip').waitFor()
  await position.fill('1')
  await eventually(async () => (await at()) === 1)
  await player.getByRole('combobox', { name: 'Speed' }).selectOption('2×')
  await player.locator('.track path').last().waitFor({ state: 'attached' })
  await player.getByRole('slider', { name: 'Volume' }).fill('0.4')
  assert.equal(await page.evaluate('studioSound.volume'), 0.4)
  assert.match((await player.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? '', /preview/)

  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /^Good / }).waitFor()
  assert.equal(await at(), 1, 'another page keeps the position')
  await page.keyboard.press('Shift+ArrowRight')
  await eventually(async () => (await at()) > 3.9)
  await page.keyboard.press('Shift+ArrowLeft')
  await eventually(async () => (await at()) === 0)
  await page.keyboard.press('Space')
  await eventually(async () => (await at()) > 1)
  for (const [width, theme] of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await shot(`player-${theme}-${width}`)
    await clean(page, `the player, ${theme}, ${width}`)
    await isNarrow(page, `${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await player.getByRole('link', { name: 'Harbour clip' }).click()
  await button(page, /^Play .*script/).click()
  await player.getByRole('link', { name: /script/ }).waitFor()
  await eventually(async () => (await at()) > 0)
  assert.equal(await page.evaluate('studioSound.playbackRate'), 2, 'the speed is kept')
  await button(player, 'Stop and close the player').click()
  await player.waitFor({ state: 'detached' })

  const made = await world.post('/profiles', form({ name: 'Old Tom', kind: 'clone', ref_audio: wav, ref_text: 'Hello.' }))
  await page.evaluate(`location.hash = '#/voices/${made.json().id}'`)
  await page.getByRole('complementary').getByRole('button', { name: 'Play Old Tom' }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Pause Old Tom' }).or(player).first().waitFor()
  assert.equal(await player.count(), 0, 'the page shows the controls of this sound')
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await player.getByRole('link', { name: 'Old Tom' }).waitFor()
  assert.deepEqual(complaints, [])
})
