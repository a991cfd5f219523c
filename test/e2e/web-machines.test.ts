// The Machines page in a real browser, with real agents: a machine joins with a code, is approved, works, dies, comes back and is resumed;
// every action on a machine works.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, dialog, HOSTILE, isNarrow } from '#test/support/web/machines-page.ts'
import { startProgram } from '#test/support/world/process.ts'
import { slowly, startOn } from '#test/support/world/tasks.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const crash = { engine: 'tone', params: { segments: [{ text: 'Hello.' }], fault: { kind: 'crash' } } }

test('a machine joins with a code of the page, is approved, works, dies with a reason, comes back and is resumed', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await openWorld(t)
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/machines`)
  await page.getByText('Remote machines: off').waitFor()
  await button(page, 'Turn on remote machines').click()
  await button(page, 'Add a machine…').click()

  const adding = dialog(page, 'Add a machine')
  await adding.getByLabel('Name of the machine').fill('attic')
  await clean(page, 'settings of a code')
  await shot('machines-add')
  await button(adding, 'Create code').click()
  const code = await adding.getByLabel('Join code', { exact: true }).inputValue()
  assert.match(code, /^svcj_/)
  await adding.getByRole('img', { name: 'Join code as a QR code' }).waitFor()
  await button(adding, 'Copy').click()
  await adding.getByText(/^Copied\.$|^Selected\./).waitFor()
  await adding.getByText('./studio agent join -').waitFor()
  await adding.getByText(/Time left: 1[45] min/).waitFor()
  await clean(page, 'a code')
  await shot('machines-code')
  const machine = await world.join(code)
  await adding.getByText('attic has joined').waitFor()
  await button(adding, 'Approve…').click()

  const approving = dialog(page, 'Approve this machine?')
  for (const words of ['texts', 'audio', 'voices', 'can read it, listen to it and keep it'])
    await approving.getByText(words).first().waitFor()
  const { key_id, address } = (await world.get('/workers')).json().workers[0]
  for (const words of [key_id, address]) await approving.getByText(words).waitFor()
  // Approving means using: the question is part of the dialog.
  const automatic = approving.getByRole('radio', { name: /^Automatically/ })
  assert.equal(await automatic.isChecked(), true)
  await clean(page, 'approval')
  await shot('machines-approve')
  await button(approving, 'Approve').click()

  const card = page.locator(`[data-machine="${machine.workerId}"]`)
  const state = (word: string) => card.locator('.badge', { hasText: new RegExp(`^${word}$`) }).waitFor()
  await state('Ready')
  const picker = page.getByLabel('Run work on')
  await page.getByText('Running on \u2068the fastest machine\u2069').waitFor()
  assert.equal((await world.get('/workers/target')).json().target, 'auto')
  await picker.selectOption(machine.workerId)
  await page.getByText('Running on \u2068attic\u2069').waitFor()

  await page.getByRole('link', { name: 'Speak', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('This sentence runs on the machine in the attic.')
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await page.getByText(/^Ready in/).waitFor()
  const [task] = (await world.get('/workers/tasks?limit=1')).json().tasks
  assert.deepEqual([task.engine, task.state, task.attempts[0].worker_id], ['svc-engine', 'completed', machine.workerId])
  // It dies while it speaks: the page reports it, and this machine finishes the take with what is finished. The machine is slow, so that it
  // still speaks when the page has shown a finished part.
  const hosts = slowHosts(t, machine.program)
  await page.getByLabel('Text', { exact: true }).fill('Many words follow one another here and there. '.repeat(16))
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await page.getByText(/: (?!1 )\d+ of \d+$/).waitFor()
  hosts.hold()
  await page.getByText('on \u2068attic\u2069', { exact: true }).waitFor()
  const diedAt = performance.now()
  await machine.program.end('SIGKILL')
  const lost = page.getByRole('alert').filter({ hasText: 'attic\u2069 stopped answering.' })
  await lost.waitFor()
  t.diagnostic(`shown after ${Math.round(performance.now() - diedAt)} ms`)
  const [gone] = await world.studio.says(new RegExp(`"workerId":"${machine.workerId}".*a machine is gone`))
  assert.doesNotMatch(gone, /sent nothing/, 'reported before the studio misses its messages')
  await lost
    .getByText(/\d+ of \d+ parts are finished and kept\. If it isn't back within 30 seconds, this machine finishes the take\./)
    .waitFor()
  // Only the new element: the take moves by itself soon.
  await clean(page, 'a machine that died', '[data-lost]')
  await shot('speak-machine-died')
  await button(lost, 'Finish on this machine').click()
  await page.getByText(/^Ready in/).waitFor({ timeout: 120_000 })
  await page.getByText(/This machine finished the take after \d+ of \d+ parts on attic\./).waitFor()
  const second = await machine.restart()
  await page.getByRole('link', { name: 'Machines', exact: true }).click()
  await state('Ready')

  const running = await startOn(world, machine.workerId, { params: slowly(14_000) })
  await card.getByText(/tone tts, \d+ %/).waitFor()
  await shot('machines-works')
  await second.program.end('SIGKILL')
  await state('Offline')
  await card.getByText('Offline. Its owner starts it with: ./studio agent.').waitFor()
  await page.locator(`option[value="${machine.workerId}"][disabled]`).waitFor({ state: 'attached' })
  await page.locator('[data-part=reason]', { hasText: 'attic is offline — running locally' }).waitFor()
  await card.getByText("1 task can't run there: offline.").waitFor()
  await clean(page, 'a machine that is away')
  await shot('machines-offline')
  await second.restart()
  await state('Ready|Busy')
  assert.equal((await running.reply).status, 200)

  assert.equal((await world.task(crash)).status, 502)
  await state('Paused')
  await card.getByText(/tone: paused after 3 failures .* Next attempt in \d+ s/).waitFor()
  await clean(page, 'a paused machine')
  await shot('machines-paused')
  await button(card, /^Resume/).click()
  await state('Ready')
  assert.deepEqual((await world.get('/workers')).json().workers[0].breakers, [])
  assert.deepEqual(complaints, [])
})

test('every action on a machine, hostile names, and its removal', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t, { remote: true })
  const machine = await world.machine('box')
  await world.approve(machine)
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/machines`, { width: 380, height: 800 })
  await chooseTheme(page, 'dark')
  const card = page.locator(`[data-machine="${machine.workerId}"]`)
  const state = (word: string) => card.locator('.badge', { hasText: word }).waitFor()
  const more = () => card.locator('summary').click()
  await more()

  // Approved again by a dialog, only for when it is chosen.
  await button(card, /^Withdraw approval/).click()
  await button(dialog(page, 'Withdraw the approval?'), 'Withdraw').click()
  await button(card, /^Approve/).click()
  const approving = dialog(page, 'Approve this machine?')
  await world.post('/workers/target', { target: 'local' })
  await approving.getByRole('radio', { name: /^Only when chosen/ }).check()
  await clean(page, 'approval only when chosen')
  await isNarrow(page, 'Approve this machine?')
  await shot('machines-approve-380')
  await button(approving, 'Approve').click()
  await state('Ready')
  assert.equal((await world.get('/workers/target')).json().target, 'local')
  await world.post('/workers/target', { target: machine.workerId })

  await button(card, /^Rename or set priority/).click()
  const changing = dialog(page, 'Rename or set priority')
  await changing.getByLabel('Name').fill(HOSTILE)
  await changing.getByLabel('Priority, 0 to 100').fill('80')
  await clean(page, 'renaming')
  await button(changing, 'Save').click()
  await card
    .getByRole('heading', { name: HOSTILE.replace('\u0007', ''), exact: false })
    .or(card.getByText('<script>').first())
    .first()
    .waitFor()
  await card.getByText('High (80)').waitFor()
  assert.equal(await page.title(), 'Machines · Voice Studio')
  await shot('machines-hostile-380')

  await button(card, /^Drain/).click()
  await state('Draining')
  await card.getByText('Draining: it takes no new tasks.').waitFor()
  await button(card, /^Stop draining/).click()
  await state('Ready')
  await button(card, /^Turn off: /).click()
  await state('Turned off')
  await clean(page, 'a machine that is turned off')
  await button(card, /^Turn on: /).click()
  await state('Ready')
  await button(card, /^Log/).click()
  const log = dialog(page, 'Log of this machine')
  await log.getByText('connected').first().waitFor()
  await clean(page, 'a log')
  await shot('machines-log-380')
  await button(log, 'Close').click()

  const folder = temporaryFolder(t)
  cpSync(join(machine.dataDir, 'agent'), join(folder, 'agent'), { recursive: true })
  const copy = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: folder, STUDIO_DEVELOPMENT: '1' })
  await state('Quarantined')
  await card.getByText(/Quarantined: .*Two machines .* use this key/).waitFor()
  await copy.end()
  await button(card, /^Release/).click()
  await clean(page, 'a quarantined machine')
  await isNarrow(page, 'Release this machine?')
  await button(dialog(page, 'Release this machine?'), 'Release').click()
  await card.getByText(/Quarantined:/).waitFor({ state: 'detached' })
  await machine.program.end()
  await machine.restart()
  await state('Ready')

  for (const [press, title, yes] of [
    [/^Withdraw approval/, 'Withdraw the approval?', 'Withdraw'],
    [/^Remove/, 'Remove this machine?', 'Remove'],
  ] as const) {
    await button(card, press).click()
    await clean(page, title)
    await isNarrow(page, title)
    await button(dialog(page, title), yes).click()
    if (yes === 'Withdraw') await state('Needs approval')
  }
  await card.waitFor({ state: 'detached' })
  assert.deepEqual((await world.get('/workers')).json().workers, [])
  // The removed machine was the chosen one.
  await page.locator('[data-part=reason]', { hasText: 'the chosen worker no longer exists — running locally' }).waitFor()
  assert.equal(await page.getByLabel('Run work on').inputValue(), 'local')
  await clean(page, 'a target that fell back')
  await shot('machines-fell-back-380')
  assert.deepEqual(complaints, [])
})
