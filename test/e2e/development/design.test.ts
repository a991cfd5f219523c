// The page for developers: each component in each of its states, in both themes and both directions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { isLongRun } from '#test/support/long-run.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { sharedWorld } from '#test/support/world/world.ts'

/** The studio of web.test.ts, which runs in the same process. */
const open = sharedWorld({ remote: true, fixedPort: true, env: { STUDIO_BASE_PATH: '/voice' } })
const THEMES = ['light', 'dark']
const DIRECTIONS = ['ltr', 'rtl']
const WIDTHS = [1280, 390]

const show = async (page: Page, theme: string, direction: string) => {
  await chooseTheme(page, theme)
  await page.getByLabel('Direction').selectOption(direction)
  await page.locator(`html[dir=${direction}]`).waitFor({ state: 'attached' })
}

type Box = { readonly name: string; readonly start: number; readonly end: number; readonly top: number }
/** Boxes of the elements that their parents place, seen from the side where lines begin. Text of another direction keeps its order. */
const BOXES = `(() => {
  const width = document.documentElement.clientWidth
  const isRtl = document.documentElement.dir === 'rtl'
  return [...document.querySelectorAll('#app *')]
    .filter((one) => !one.closest('svg *, option') && one.checkVisibility() && !getComputedStyle(one).display.startsWith('inline'))
    .map((one) => {
      const { left, right, top } = one.getBoundingClientRect()
      const [start, end] = isRtl ? [width - right, width - left] : [left, right]
      return { name: one.tagName + '.' + one.getAttribute('class') + ' ' + one.textContent.slice(0, 20), start, end, top: top + scrollY }
    })
})()`
const boxes = (page: Page) => page.evaluate<Box[]>(BOXES)
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1

test('every component is accessible, fits its page and is mirrored, in both themes and directions', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/design`)
  await page.getByRole('region', { name: 'Buttons' }).waitFor()
  await isLive(page)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const found: Box[][] = []
    for (const theme of THEMES)
      for (const direction of DIRECTIONS) {
        await show(page, theme, direction)
        assert.deepEqual(await axeComplaints(page), [], `${theme}, ${direction}, ${width}`)
        assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `wider than ${width}, ${direction}`)
        await shot(`design-${theme}-${direction}-${width}`)
        found.push(await boxes(page))
      }
    const [first = []] = found
    assert.ok(first.length > 100, `${first.length} elements`)
    for (const others of found.slice(1)) {
      assert.equal(others.length, first.length)
      const moved = first.filter(({ start, end, top }, at) => {
        const other = others[at]!
        return !(isNear(start, other.start) && isNear(end, other.end) && isNear(top, other.top))
      })
      assert.deepEqual(moved, [], `${width}`)
    }
  }
  assert.deepEqual(complaints, [])
})

test('a page looks the same each time it is drawn, and different in each theme and direction', {
  skip: NO_BROWSER || (isLongRun ? false : 'a long test'),
}, async (t) => {
  const world = await open()
  const { page } = await openPage(t, `${world.page}/#/design`)
  const picture = async (theme: string, direction: string): Promise<string> => {
    await page.reload()
    await page.getByRole('region', { name: 'Buttons' }).waitFor()
    await isLive(page)
    await show(page, theme, direction)
    await page.evaluate('document.fonts.ready.then(() => document.activeElement.blur())')
    return (await page.screenshot({ fullPage: true, animations: 'disabled' })).toString('base64')
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const pictures = new Map<string, string>()
    for (const theme of THEMES)
      for (const direction of DIRECTIONS) {
        const name = `${theme}, ${direction}, ${width}`
        const first = await picture(theme, direction)
        assert.ok(first === (await picture(theme, direction)), `${name} was drawn in two ways`)
        pictures.set(first, name)
      }
    assert.equal(pictures.size, THEMES.length * DIRECTIONS.length, [...pictures.values()].join('; '))
  }
})
