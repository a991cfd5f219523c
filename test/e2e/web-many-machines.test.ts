// The Machines page with a thousand machines, and with hostile names and reasons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, HOSTILE, isNarrow } from '#test/support/web/machines-page.ts'
import { openWorld } from '#test/support/world/world.ts'

test('a thousand machines: drawn fifty at a time, searched and filtered; long names are text', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await openWorld(t, { remote: true })
  const machine = await world.machine('box')
  const { page, complaints, shot } = await openPage(t, `${world.url}/`)
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
    const look = () => document.querySelectorAll('.machine').length > 40 ? done(performance.now() - from) : requestAnimationFrame(look)
    location.hash = '#/machines'
    look()
  })`)
  await page.getByText('Showing 1–50 of 1001').waitFor()
  await page.locator('[data-machine=local]').waitFor()
  assert.equal(await page.locator('.machine').count(), 51, 'this machine and one page of others')
  const find = await ms(`new Promise((done) => {
    const field = document.querySelector('input[type=search]')
    const from = performance.now()
    field.value = 'node 99'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    const look = () => document.querySelector('.pages').textContent.includes('of 11') ? done(performance.now() - from) : requestAnimationFrame(look)
    look()
  })`)
  t.diagnostic(`first view ${Math.round(first)} ms, finding ${Math.round(find)} ms`)
  assert.ok(first < 30_000 && find < 15_000, `${first} ${find}`)
  await page.getByLabel('Find a machine').fill('')
  await button(page, 'Next 50').click()
  await page.getByText('Showing 51–100 of 1001').waitFor()
  await page.getByRole('combobox', { name: 'State' }).selectOption('quarantined')
  const card = page.locator('[data-machine=f7]')
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
})
