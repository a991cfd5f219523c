// The Speak page in a real browser, with the embedded voice: played while it is generated, cancelled, kept, starred, downloaded, deleted.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { parseWav } from '#shared/audio/wav.ts'
import { slowHosts } from '../support/chaos/slow-hosts.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { isRefusal } from '../support/web/machines-page.ts'
import { eventually, sharedWorld, type World } from '../support/world/world.ts'

const LONG = 'Many words follow one another here and there. '.repeat(24)
const SHORT = 'The first take that is made on this page is long enough to be paused in its middle.'

const open = sharedWorld({ remote: true, fixedPort: true, env: { STUDIO_BASE_PATH: '/voice' } })
const phase = (page: Page, name: string) => page.locator(`.making[data-phase="${name}"]`)
const newest = async (world: World) => (await world.get('/workers/tasks?always=true')).json().tasks[0]
const tasks = async (world: World) => (await world.get('/workers/tasks?always=true')).json().tasks.length
const history = async (world: World) => (await world.get('/history')).json()
const speak = async (page: Page, text: string) => {
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
}

test('sound plays while it is generated, and cancelling in the middle cancels the task', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`)
  await page.locator('[data-substitute]').getByText('Heart').waitFor()
  assert.deepEqual(await axeComplaints(page), [])

  // What was opened stays open when its only text is deleted.
  const style = page.getByLabel('Style', { exact: false }).first()
  await page.locator('summary', { hasText: 'Style, language and seed' }).click()
  await style.fill('calm')
  await style.fill('')
  await page.locator('details.more[open]').waitFor()

  const hosts = slowHosts(t, world.studio)
  await speak(page, LONG)
  await page.locator('[data-first-sound]').waitFor()
  hosts.hold()
  const first = await newest(world)
  assert.equal(first.state, 'running', 'the first sound comes before the take is complete')
  assert.equal(await phase(page, 'generating').count(), 1, 'the answer is still arriving')
  assert.match(await phase(page, 'generating').innerText(), /Playing while generating: \d+ of \d+\s+First sound after [\d.]+ s/)
  assert.equal(await page.getByText('Using the voice Heart').count(), 1, 'a substitute is named once')
  await shot('speak-making')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await phase(page, 'cancelled').waitFor()
  const ended = await eventually(async () => {
    const task = await newest(world)
    return task.state !== 'running' && task
  })
  assert.deepEqual([ended.task_id, ended.state], [first.task_id, 'cancelled'])
  assert.deepEqual(await history(world), [])
  assert.deepEqual(await axeComplaints(page), [])

  // A task that is cancelled elsewhere cancels the take. It begins with hosts that are slow only: those that are held take minutes.
  hosts()
  const slow = slowHosts(t, world.studio)
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await phase(page, 'generating').waitFor()
  slow.hold()
  const again = await newest(world)
  assert.notEqual(again.task_id, first.task_id)
  assert.equal(complaints.length, 0, complaints.join())
  const cancelled = await world.post(`/workers/tasks/${again.task_id}/cancel?always=true`)
  assert.equal(cancelled.status, 200, String(cancelled.body))
  await phase(page, 'cancelled').waitFor()
  assert.ok(
    complaints.splice(0).every((line) => isRefusal(line) || line.includes('ERR_INCOMPLETE_CHUNKED_ENCODING')),
    'the sound is cut',
  )
  await page.reload()
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), LONG, 'the draft survives a reload')
  await shot('speak-draft')
  assert.deepEqual(complaints, [])
})

test('a take continues while another page is shown and after a reload, and its sound is not lost', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`)
  const before = await tasks(world)
  const release = slowHosts(t, world.studio)
  await speak(page, LONG)
  await page.locator('[data-first-sound]').waitFor()
  release.hold()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: /^(Playing while generating|Generating)/ }).waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('speak-elsewhere')
  assert.equal((await newest(world)).state, 'running')
  await page.getByRole('link', { name: 'Speak', exact: true }).click()
  await phase(page, 'generating').waitFor()

  await page.reload()
  await phase(page, 'generating').waitFor()
  assert.equal((await newest(world)).state, 'running', 'a reload cancels nothing')
  await page.getByText('You can leave this page.').waitFor()
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.locator('[data-first-sound]').waitFor()
  release()
  await phase(page, 'done').waitFor()
  await page.getByRole('region', { name: 'Takes' }).getByRole('listitem').waitFor()
  assert.equal((await history(world)).length, 1)
  assert.equal((await tasks(world)) - before, 1, 'one task made it')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  assert.deepEqual(complaints, [])
  await world.delete('/history')
})

test('a take is kept, played by keyboard, starred over a reload, downloaded and deleted', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`)
  await page.getByText('No takes yet').waitFor()
  await page.getByRole('combobox', { name: 'Voice' }).selectOption('heart')
  await speak(page, SHORT)
  await phase(page, 'done').waitFor()
  const take = page.getByRole('listitem').filter({ hasText: SHORT })
  await take.getByText('Heart', { exact: true }).waitFor()
  assert.equal(await page.getByText('Using the voice Heart').count(), 1, 'a substitute is named once')
  assert.equal(await page.locator('[data-notice]').count(), 0, 'there is nothing else to say')
  const player = page.getByRole('region', { name: 'Selected take' })
  await page.locator('[data-ready="true"]').waitFor()
  const position = player.getByRole('slider', { name: 'Position' })
  assert.match((await position.getAttribute('aria-valuetext'))!, /^0:00 of 0:0[2-9]$/)
  const heights = await player.locator('.track path').last().getAttribute('d')
  assert.ok(new Set(heights!.match(/v[\d.]+/g)).size > 20, 'its waveform is drawn')
  await shot('speak-take')
  assert.deepEqual(await axeComplaints(page), [])

  await player.getByRole('button', { name: 'Play' }).focus()
  await page.keyboard.press('Space')
  await player.getByRole('button', { name: 'Pause' }).waitFor()
  await page.keyboard.press('Space')
  await player.getByRole('button', { name: 'Play' }).waitFor()

  await take.getByRole('button', { name: /^Star/ }).click()
  await take.getByRole('button', { name: /^Starred/ }).waitFor()
  await page.reload()
  await take.getByRole('button', { name: /^Starred/ }).waitFor()
  const [row] = await history(world)
  assert.deepEqual([row.starred, row.voice, row.engine], [1, 'heart', 'svc-engine'])

  const [download] = await Promise.all([page.waitForEvent('download'), take.getByRole('link', { name: /^Download/ }).click()])
  assert.equal(download.suggestedFilename(), row.audio_path)
  const { samples, sampleRate } = parseWav(readFileSync((await download.path())!))
  assert.ok(row.duration_seconds > 2 && Math.abs(samples.length / sampleRate - row.duration_seconds) < 0.01)

  await page.getByRole('combobox', { name: 'Save as' }).selectOption('mp3')
  await speak(page, 'A file of another kind.')
  await phase(page, 'done').waitFor()
  await page.locator('[data-ready="true"]').waitFor()
  assert.match((await player.getByRole('link', { name: 'Download' }).getAttribute('download'))!, /^speech\.(mp3|wav)$/)
  assert.equal((await history(world)).length, 1, 'this kind of file is not kept')

  await take.getByRole('button', { name: /^Delete/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this take?' })
  assert.deepEqual(await axeComplaints(page), [])
  await shot('speak-delete')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await take.getByRole('button', { name: /^Delete/ }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No takes yet').waitFor()
  assert.deepEqual(await history(world), [])
  assert.deepEqual(complaints, [])
})

test('typed text is shown as text', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`, { width: 380, height: 900 })
  const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> \u202eright to left\u05e9\u05dc\u05d5\u05dd ${'x'.repeat(9_900)}`
  await page.getByRole('combobox', { name: 'Engine' }).selectOption('tone')
  await page.locator('[data-substitute]').getByText('A test tone, not speech.').waitFor()
  await page.getByText(/engines aren't available/).click()
  await page
    .getByRole('group', { name: /^Natural speech needs KittenTTS/ })
    .getByRole('button', { name: /^Install KittenTTS/ })
    .waitFor()
  assert.equal(await page.getByText('./studio').count(), 0)
  await page.getByRole('slider', { name: /^Speed/ }).fill('4')
  await speak(page, hostile)
  await phase(page, 'done').waitFor()
  await page.locator('[data-ready="true"]').waitFor()
  await page.getByRole('listitem').getByText('<script>alert(1)</script>').waitFor()
  assert.equal(await page.locator('main :is(script, img)').count(), 0)
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    assert.deepEqual(await axeComplaints(page), [], theme)
    await shot(`speak-hostile-${theme}`)
  }
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Delete all' }).click()
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await page.getByText('No takes yet').waitFor()
  assert.deepEqual(complaints, [])
})

test('the engines are read again when a machine becomes usable', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page } = await openPage(t, `${world.page}/#/speak`)
  await isLive(page)
  await page.locator('[data-substitute]').waitFor()
  let reads = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/voice/engines/tts') reads++
  })
  const machine = await world.machine('box')
  assert.equal(reads, 0, 'without an approval it is not usable')
  await world.approve(machine)
  await eventually(async () => reads > 0)
  await world.remove(machine)
})
