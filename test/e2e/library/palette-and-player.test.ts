// The palette, the keys of the studio and the player in a real browser, by keyboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, dialog, HOSTILE, isNarrow } from '#test/support/web/machines-page.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()
const LOOKS = [
  [1440, 'light'],
  [1440, 'dark'],
  [380, 'light'],
] as const
const palette = (page: Page) => dialog(page, 'Search and commands')
const isChosen = (page: Page, name: RegExp) => palette(page).getByRole('option', { name, selected: true }).waitFor()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

test('pages, objects and actions open from the palette; keys of one letter can be turned off', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  await world.post('/projects', { name: HOSTILE, state: {} })
  await world.post('/profiles', form({ name: 'Lighthouse keeper', kind: 'clone', ref_audio: spokenWav(), ref_text: 'Hello.' }))
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/voices`, { width: 1440, height: 900 })
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
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'no such thing')
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
