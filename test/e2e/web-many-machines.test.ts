// The Machines page with a thousand machines, and with hostile names and reasons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLive, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { button, clean, HOSTILE, isNarrow } from '../support/web/machines-page.ts'
import { eventually, sharedWorld } from '../support/world/world.ts'

const open = sharedWorld({ remote: true, fixedPort: true })

test('a thousand machines: the rows near the view are drawn, searched and filtered; long names are text', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const machine = await world.machine('box')
  const { page, complaints, shot } = await openPage(t, `${world.page}/`)
  const long = `${HOSTILE} ${'x'.repeat(10_000)}`
  await page.route('**/workers', async (route) => {
    const fleet = await (await route.fetch()).json()
    const [one] = fleet.workers
    const others = Array.from({ length: 1000 }, (_, index) => ({
      ...one,
      id: `f${index}`,
      name: index === 7 ? long : `node ${index}`,
      consent_granted: index % 2 === 0,
      quarantine: index === 7 ? long : null,
      connected: index % 4 === 0,
    }))
    await route.fulfill({ json: { ...fleet, workers: [one, ...others] } })
  })
  await page.reload()
  await isLive(page)
  const ms = (script: string) => page.evaluate<number>(script)
  const first = await ms(`new Promise((done) => {
    const from = performance.now()
    const look = () => document.querySelectorAll('[data-machine]').length > 15 ? done(performance.now() - from) : requestAnimationFrame(look)
    location.hash = '#/machines'
    look()
  })`)
  await page.getByText('251 of 1,001 machines are online').waitFor()
  await page.locator('[data-machine=local]').waitFor()
  const drawn = await page.locator('[data-machine]').count()
  assert.ok(drawn < 60, `${drawn} rows`)
  const find = await ms(`new Promise((done) => {
    const field = document.querySelector('input[type=search]')
    const from = performance.now()
    field.value = 'node 99'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    const look = () => document.querySelector('[role=search] [role=status]').textContent.startsWith('11 of') ? done(performance.now() - from) : requestAnimationFrame(look)
    look()
  })`)
  t.diagnostic(`first view ${Math.round(first)} ms, finding ${Math.round(find)} ms`)
  assert.ok(first < 30_000 && find < 15_000, `${first} ${find}`)
  await page.getByLabel('Find a machine').fill('')
  // Far down in the list: a machine opens beside it, and the list stays where it is.
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.evaluate('scrollTo(0, 30_000)')
  // The rows of the top may still be drawn.
  const name = await eventually(async () => {
    const shown = await page.locator('[data-machine] th a', { hasText: /^node [0-9]+$/ }).allTextContents()
    return Number(shown[0]?.slice('node '.length)) > 100 && shown[14]
  })
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('complementary', { name }).getByRole('heading', { name }).waitFor()
  assert.ok(Math.abs(Number(await page.evaluate('scrollY')) - 30_000) < 100, 'the list moved')
  await shot('machines-far')
  await page.getByRole('link', { name: 'Close' }).click()
  await page.evaluate('scrollTo(0, 0)')
  await page.getByRole('combobox', { name: 'State' }).selectOption('quarantined')
  await page.locator('[data-machine=f7] th a').click()
  const card = page.locator('[data-details=f7]')
  await card.getByText('<script>').first().waitFor()
  for (const width of [1280, 380]) {
    await page.setViewportSize({ width, height: 900 })
    await isNarrow(page, `a long name at ${width}`)
    await clean(page, `a long name at ${width}`)
    await shot(`machines-long-${width}`)
  }
  await button(card, /^Release/).click()
  await clean(page, 'a release')
  await isNarrow(page, 'a release')
  await shot('machines-release-380')
  assert.equal(await page.title(), 'Machines · Voice Studio')
  assert.equal(await page.locator(`[data-machine="${machine.workerId}"]`).count(), 0)
  assert.deepEqual(complaints, [])
  await world.remove(machine)
})
