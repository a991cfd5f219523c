// The machines page in a real browser, with real agents: a machine joins by the code of the page, is approved, works, dies, comes back and
// is resumed there; a second studio gets a key and loses it; whatever machines and people are called is shown as text.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { axeComplaints } from '#test/support/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/browser.ts'
import { slowly, startOn } from '#test/support/tasks.ts'
import { freePort, openWorld } from '#test/support/world.ts'

const crash = { engine: 'tone', params: { segments: [{ text: 'Hello.' }], fault: { kind: 'crash' } } }
const HOSTILE = '<script>document.title="owned"</script> \u202eevil\u0007 name'
/** The browser's own line for an answer that refuses, which the test asked for. */
const isRefusal = (line: string) => line.startsWith('Failed to load resource: the server responded with a status of 4')

const button = (on: Page | Locator, name: string | RegExp) => on.getByRole('button', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const clean = async (page: Page, what: string) => assert.deepEqual(await axeComplaints(page), [], what)
async function isNarrow(page: Page, what: string): Promise<void> {
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${what} is wider than the screen`)
}

test('a machine joins by the page, is approved, works, dies with a reason, comes back and is resumed', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t)
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/workers`)
  await page.getByText('other machines are off').waitFor()
  await button(page, 'Turn on other machines').click()
  await button(page, 'Add a machine…').click()

  const adding = dialog(page, 'Add a machine')
  await adding.getByLabel('Name of the machine').fill('attic')
  await clean(page, 'what a code shall say')
  await shot('machines-add')
  await button(adding, 'Make the code').click()
  const code = await adding.getByLabel('Join code', { exact: true }).inputValue()
  assert.match(code, /^svcj_/)
  await adding.getByText('./studio agent join -').waitFor()
  await adding.getByText(/Time left: 1[45] min/).waitFor()
  await clean(page, 'a code')
  await shot('machines-code')
  const machine = await world.join(code)
  await adding.getByText('attic has joined').waitFor()
  await button(adding, 'Approve it…').click()

  const approving = dialog(page, 'Approve this machine?')
  for (const words of ['texts', 'audio', 'voices', 'can read it, hear it and keep it']) await approving.getByText(words).first().waitFor()
  const { key_id, address } = (await world.get('/workers')).json().workers[0]
  for (const words of [key_id, address]) await approving.getByText(words).waitFor()
  await clean(page, 'approval')
  await shot('machines-approve')
  await button(approving, 'Approve and send').click()

  const card = page.locator(`[data-machine="${machine.workerId}"]`)
  const state = (word: string) => card.locator('.badge', { hasText: new RegExp(`^${word}$`) }).waitFor()
  await state('ready')
  const picker = page.getByLabel('Send work to')
  await picker.selectOption(machine.workerId)
  await page.getByText('as chosen').waitFor()

  const running = await startOn(world, machine.workerId, { params: slowly(12_000) })
  await card.getByText(/tone tts, \d+ %/).waitFor()
  await shot('machines-works')
  await machine.program.end('SIGKILL')
  await state('offline')
  await card.getByText('It is offline. Its owner starts it again with: ./studio agent.').waitFor()
  await page.locator(`option[value="${machine.workerId}"][disabled]`).waitFor({ state: 'attached' })
  await page.locator('[data-part=reason]', { hasText: 'attic is offline — running locally' }).waitFor()
  await card.getByText('A waiting task does not go there: offline.').waitFor()
  await clean(page, 'a machine that is away')
  await shot('machines-offline')
  await machine.restart()
  await state('ready|busy')
  assert.equal((await running.reply).status, 200)

  assert.equal((await world.task(crash)).status, 502)
  await state('paused')
  await card.getByText(/tone: paused after 3 failures .* Tried again in \d+ s/).waitFor()
  await clean(page, 'a paused machine')
  await shot('machines-paused')
  await button(card, /^Resume/).click()
  await state('ready')
  assert.deepEqual((await world.get('/workers')).json().workers[0].breakers, [])
  assert.deepEqual(complaints, [])
})

test('every switch of a machine, hostile names, and its removal', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t, { remote: true })
  const machine = await world.machine('box')
  await world.approve(machine)
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/workers`, { width: 380, height: 800 })
  await page.getByLabel('Theme').selectOption('dark')
  const card = page.locator(`[data-machine="${machine.workerId}"]`)
  const state = (word: string) => card.locator('.badge', { hasText: word }).waitFor()
  const more = () => card.locator('summary').click()
  await more()

  await button(card, /^Rename or prefer/).click()
  const changing = dialog(page, 'Rename or prefer')
  await changing.getByLabel('Name').fill(HOSTILE)
  await changing.getByLabel('Preference, 0 to 100').fill('80')
  await clean(page, 'renaming')
  await button(changing, 'Save').click()
  await card
    .getByRole('heading', { name: HOSTILE.replace('\u0007', ''), exact: false })
    .or(card.getByText('<script>').first())
    .first()
    .waitFor()
  await card.getByText('80, preferred').waitFor()
  assert.equal(await page.title(), 'Machines · Voice Studio')
  await shot('machines-hostile-380')

  await button(card, /^Drain/).click()
  await state('draining')
  await card.getByText('It takes nothing new.').waitFor()
  await button(card, /^Take work again/).click()
  await state('ready')
  await button(card, /^Switch off/).click()
  await state('switched off')
  await clean(page, 'a machine that is switched off')
  await button(card, /^Switch on/).click()
  await state('ready')
  await button(card, /^Log/).click()
  const log = dialog(page, 'Log of this machine')
  await log.getByText('connected').first().waitFor()
  await clean(page, 'a log')
  await shot('machines-log-380')
  await button(log, 'Close').click()

  for (const [press, title, yes] of [
    [/^Withdraw approval/, 'Withdraw the approval?', 'Withdraw'],
    [/^Remove/, 'Remove this machine?', 'Remove'],
  ] as const) {
    await button(card, press).click()
    await clean(page, title)
    await isNarrow(page, title)
    await button(dialog(page, title), yes).click()
    if (yes === 'Withdraw') await state('waiting for approval')
  }
  await card.waitFor({ state: 'detached' })
  assert.deepEqual((await world.get('/workers')).json().workers, [])
  assert.deepEqual(complaints, [])
})

test('a person gets a key in the page, another studio connects with it in its own page, and loses it', { skip: NO_BROWSER }, async (t) => {
  const blocker = createServer().listen(0, '0.0.0.0')
  t.after(() => blocker.close())
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const [owner, guest] = await Promise.all([openWorld(t, { env: { STUDIO_WORKER_PORT: String(port) } }), openWorld(t)])
  const [host, visitor] = await Promise.all([openPage(t, `${owner.url}/#/workers`), openPage(t, `${guest.url}/#/workers`)])
  await button(host.page, 'Turn on other machines').click()
  await host.page.getByText(new RegExp(`They cannot be turned on: .*${port}`)).waitFor()
  const door = host.page.getByRole('region', { name: 'Accept connections on this machine' })
  await door.getByLabel('Port').fill(String(await freePort()))
  await button(door, 'Accept connections').click()
  await door.getByText('for this machine only').waitFor()
  await button(door, 'Make a key…').click()
  const making = dialog(host.page, 'A key for one person')
  await making.getByLabel('Name of the person').fill('<b>Ada</b>')
  await button(making, 'Make the key').click()
  const text = await making.getByLabel('Connection string', { exact: true }).inputValue()
  assert.match(text, /^svcnode:/)
  await clean(host.page, 'a key')
  await host.shot('machines-key')
  await button(making, 'Done').click()

  const dial = visitor.page.getByRole('region', { name: 'Connect to a GPU machine' })
  await dial.getByText('Turn on other machines first').waitFor()
  await button(visitor.page, 'Turn on other machines').click()
  const paste = dial.getByLabel('Connection string')
  await paste.fill('10.0.0.7:7444')
  await button(dial, 'Connect').click()
  await dial
    .getByRole('alert')
    .getByText(/looks like an address without a key/)
    .waitFor()
  await clean(visitor.page, 'a string that is none')
  await paste.fill(text)
  await button(dial, 'Connect').click()
  await dial.getByText('connected', { exact: true }).waitFor()
  await visitor.page.getByText('waiting for approval').first().waitFor()
  await visitor.shot('machines-connected')

  await button(door, 'Disconnect <b>Ada</b>').waitFor()
  await host.shot('machines-attached')
  await button(door, 'Revoke the key of <b>Ada</b>').click()
  await clean(host.page, 'revoking')
  await button(dialog(host.page, 'Revoke this key?'), 'Revoke').click()
  await door.getByText('revoked', { exact: true }).waitFor()
  await door.getByText('Nobody is attached.').waitFor()
  await dial.getByText(/has revoked this access/).waitFor()
  await visitor.page
    .locator('.reasons')
    .getByText(/It is not connected\. .*has revoked this access/)
    .waitFor()

  const lending = visitor.page.getByRole('region', { name: 'Lend this machine' })
  await lending.getByLabel('Join code of the other studio').fill('svcj_short')
  await button(lending, 'Join and lend').click()
  await lending.getByRole('alert').waitFor()
  await clean(visitor.page, 'a code that is none')
  await visitor.shot('machines-doors')
  await button(dial, /^Remove the connection/).click()
  await button(dialog(visitor.page, 'Remove this connection?'), 'Remove').click()
  await dial.getByRole('listitem').waitFor({ state: 'detached' })
  assert.deepEqual(
    [...host.complaints, ...visitor.complaints].filter((line) => !isRefusal(line)),
    [],
  )
})

test('a thousand machines: drawn fifty at a time, found by a word, narrowed to a state; long names are text', {
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
  await page.getByText('live', { exact: true }).waitFor()
  const ms = (script: string) => page.evaluate<number>(script)
  const first = await ms(`new Promise((done) => {
    const from = performance.now()
    const look = () => document.querySelectorAll('.machine').length > 40 ? done(performance.now() - from) : requestAnimationFrame(look)
    location.hash = '#/workers'
    look()
  })`)
  await page.getByText('Enrolled machines shown: 1–50 of 1001').waitFor()
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
  assert.ok(first < 5000 && find < 2000, `${first} ${find}`)
  await page.getByLabel('Find a machine').fill('')
  await button(page, 'Next 50').click()
  await page.getByText('Enrolled machines shown: 51–100 of 1001').waitFor()
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
