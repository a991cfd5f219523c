// The Machines page with a thousand machines, and with hostile names and reasons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wirePool, wirePoolMachine } from '../support/builders/wire.ts'
import { poolMachine } from '../support/peers/pool-machine.ts'
import { scriptedMachine } from '../support/peers/scripted-agent.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { button, clean, dialog, HOSTILE, isNarrow } from '../support/web/machines-page.ts'
import { slowly, startOn } from '../support/world/tasks.ts'
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

const STATES = ['ready', 'busy', 'draining', 'offline'] as const
const pooled = (count: number, fields: Parameters<typeof wirePool>[0] = {}) =>
  wirePool({
    machines: Array.from({ length: count }, (_, at) => {
      const state = STATES[at % STATES.length]!
      const busy = state === 'busy' ? 2 : 0
      return wirePoolMachine({ name: `rack-${String(at).padStart(2, '0')}`, state, busy, version: at > 8 ? '0.5.9' : '0.6.0' })
    }),
    ...fields,
  })

test('a pool is one machine: its terms, its use and what is inside, and it is approved again for other terms', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const pool = await poolMachine(t, { runsOn: 'rack-02' })
  pool.declare(pooled(12))
  const id = await scriptedMachine(t, world, pool.service, 'lab pool')
  t.after(() => world.delete(`/workers/${id}`))
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/machines/${id}`)
  const card = page.locator(`[data-details="${id}"]`)
  await card.getByText('Pool of 12 machines · 0.5.9–0.6.0').waitFor()
  for (const text of ['Lab desk · desk@lab.example', 'Germany', 'Text, samples and sound that you send', '0.5.9–0.6.0'])
    await card.getByText(text, { exact: true }).waitFor()
  assert.equal(await card.getByText('Not known', { exact: true }).count(), 2, 'its use, of which it says nothing')
  assert.equal(await card.getByRole('link', { name: /lab.example/ }).count(), 0)
  await card.locator('.inside li').nth(5).waitFor()
  assert.equal(await card.locator('.inside li').count(), 6)
  await button(card, 'Show all').focus()
  await page.keyboard.press('Enter')
  await card.locator('.inside li').nth(11).waitFor()
  assert.equal(await page.evaluate<string>('document.activeElement.tagName'), 'H3', 'the focus is not lost with the button')
  pool.report({ own: 1, others: 13, free: 8, studios: 7, wait_ms: 3000 })
  for (const text of ['1 of 22', '3 s', 'Studios at work: 7', 'Others 13']) await card.getByText(text, { exact: true }).waitFor()
  await clean(page, 'a pool')
  await shot('machines-pool')
  await chooseTheme(page, 'dark')
  await clean(page, 'a pool in the dark')
  await shot('machines-pool-dark')
  await chooseTheme(page, 'light')

  const { id: task, reply } = await startOn(world, id, { params: slowly(100) })
  await reply
  await page.goto(`${world.page}/#/jobs/work`)
  await page.locator(`[data-task="${task}"]`).getByText('lab pool · rack-02').first().waitFor()

  pool.declare(pooled(12, { operator: `Other desk ${HOSTILE}`, places: ['Germany', 'France'] }))
  await page.goto(`${world.page}/#/machines/${id}`)
  await card.getByText(/^Its operator is now .*Its machines are now in .*France.*until you approve it\.$/).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await shot('machines-pool-390')
  await button(card, /^Approve/).click()
  const approving = dialog(page, 'Approve this machine?')
  await approving.getByText(/^Other desk <script>/).waitFor()
  await approving.getByText("Its operator declares this. The studio can't check it.").waitFor()
  await clean(page, 'the approval of a pool')
  await isNarrow(page, 'the approval of a pool')
  await shot('machines-pool-approve-390')
  await button(approving, 'Approve').click()
  await approving.waitFor({ state: 'hidden' })
  assert.equal((await world.get('/workers')).json().workers.find((one: { id: string }) => one.id === id).consent_granted, true)
  assert.deepEqual(complaints, [])
})
