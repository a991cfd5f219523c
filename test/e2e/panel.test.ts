// The panel in a real browser: it loads whole under its own policy, in both themes and on a narrow screen, and follows the studio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, dialog } from '#test/support/web/machines-page.ts'
import { openWorld } from '#test/support/world/world.ts'

const PAGES = ['Speak', 'Tasks', 'Machines', 'First run']

test('every page loads under its policy and is accessible in both themes and at 380 pixels', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t, { remote: true })
  for (const width of [1280, 380]) {
    const { page, complaints, shot } = await openPage(t, `${world.url}/`, { width, height: 900 })
    await page.getByText('live', { exact: true }).waitFor()
    for (const theme of ['light', 'dark']) {
      await page.getByLabel('Theme').selectOption(theme)
      for (const name of PAGES) {
        await page.getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await shot(`panel-${name.replace(' ', '-').toLowerCase()}-${theme}-${width}`)
        assert.deepEqual(await axeComplaints(page), [], `${name}, ${theme}, ${width}`)
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(Number(beyond) <= 0, `${name} is wider than a screen of ${width}`)
      }
    }
    assert.deepEqual(complaints, [])
  }
})

test('what fails in a dialog is said above it, and the focus comes back when it closes', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t, { remote: true })
  const { page, shot } = await openPage(t, `${world.url}/#/workers`)
  await page.route('**/workers/enabled', (route) => route.fulfill({ status: 409, json: { detail: 'not just now' } }))
  await button(page, 'Turn off…').click()
  const asking = dialog(page, 'Turn off other machines?')
  await button(asking, 'Turn off').click()
  const notice = page.locator('.notices').getByText('not just now')
  await notice.waitFor()
  // Which of two things in the top layer lies above the other no script can ask, as a modal window takes every click: the screenshot shows it.
  await page.locator('.notices:popover-open').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('panel-notice')
  await page.keyboard.press('Escape')
  await asking.waitFor({ state: 'detached' })
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /^Turn off/)
})
