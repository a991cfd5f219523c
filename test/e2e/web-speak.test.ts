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
/** Ids of the newest tasks; a page of them has no more. */
const tasks = async (world: World): Promise<string[]> =>
  (await world.get('/workers/tasks?always=true')).json().tasks.map(({ task_id }: { task_id: string }) => task_id)
const tasksSince = async (world: World, before: readonly string[]) => (await tasks(world)).filter((id) => !before.includes(id)).length
const history = async (world: World) => (await world.get('/history')).json()
/** Controls that are not wholly within the screen. */
const outOfSight = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.speak > .tools, .settings, .state-line, .transport')]
    .filter((one) => { const { top, bottom } = one.getBoundingClientRect(); return top < 0 || bottom > innerHeight })
    .map(({ className }) => className)`)
const speak = async (page: Page, text: string) => {
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
}

test('sound plays while it is generated, and cancelling in the middle cancels the task', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`)
  await page.locator('[data-substitute]').getByText('Heart').waitFor()
  assert.deepEqual(await axeComplaints(page), [])

  await page.getByRole('button', { name: 'Style and more' }).click()
  await page.getByRole('textbox', { name: /^Style/ }).fill('calm')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('textbox', { name: /^Style/ }).fill('')
  await page.keyboard.press('Escape')

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
  assert.deepEqual(await outOfSight(page), [], 'only the text scrolls')
  // The sound stands still while the take is made, and goes back by itself.
  const strip = page.getByRole('region', { name: 'Selected take' })
  const position = async () => Number(await strip.getByRole('slider', { name: 'Position' }).inputValue())
  await eventually(async () => (await position()) > 0.3)
  await page.locator('h1').focus()
  await page.keyboard.press('k')
  await strip.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.keyboard.press('j')
  await eventually(async () => (await position()) === 0)
  await page.keyboard.press('Space')
  await eventually(async () => (await position()) > 0.1)
  assert.equal((await newest(world)).state, 'running', 'the keys concern the sound alone')
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
  assert.equal(await tasksSince(world, before), 1, 'one task made it')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  assert.deepEqual(complaints, [])
  await world.delete('/history')
})

test('a take is kept, played by keyboard, starred over a reload, downloaded and deleted', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`)
  await page.getByText('No takes yet').waitFor()
  await speak(page, SHORT)
  await phase(page, 'done').waitFor()
  const take = page.getByRole('listitem').filter({ hasText: SHORT })
  await take.waitFor()
  const isByHeart = take.getByText('Heart', { exact: true }).waitFor({ timeout: 30_000 })
  await isByHeart.catch(async () => assert.fail(`the take says: ${await take.innerText()}`))
  assert.equal(await page.getByText('Using the voice Heart').count(), 1, 'a substitute is named once')
  assert.equal(await page.locator('[data-notice]').count(), 0, 'there is nothing else to say')
  const player = page.getByRole('region', { name: 'Selected take' })
  await page.locator('[data-ready="true"]').waitFor()
  // Its sound began while it was made.
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor()
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
  await page.getByLabel('Text', { exact: true }).fill('Other words.')
  await player.getByRole('button', { name: 'Put this text into the field' }).click()
  await eventually(async () => (await page.getByLabel('Text', { exact: true }).inputValue()) === SHORT)
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await page.getByLabel('Text', { exact: true }).inputValue()) === 'Other words.')
  await page.reload()
  await take.getByRole('button', { name: /^Starred/ }).waitFor()
  const [row] = await history(world)
  assert.deepEqual([row.starred, row.voice, row.engine], [1, 'heart', 'svc-engine'])

  const save = async (format: RegExp) => {
    await take.getByRole('button', { name: /^Download/ }).click()
    const menu = page.getByRole('region', { name: 'Download as…' })
    const first = await menu.getByRole('link').first().innerText()
    assert.deepEqual(await axeComplaints(page), [])
    await shot('speak-download')
    const [download] = await Promise.all([page.waitForEvent('download'), menu.getByRole('link', { name: format }).click()])
    await menu.waitFor({ state: 'hidden' })
    return { download, first }
  }
  const { download } = await save(/^WAV/)
  assert.equal(download.suggestedFilename(), 'The first take that is made on this.wav')
  assert.match((await save(/^MP3/)).first, /^WAV/, 'the last format comes first')
  const { samples, sampleRate } = parseWav(readFileSync((await download.path())!))
  assert.ok(row.duration_seconds > 2 && Math.abs(samples.length / sampleRate - row.duration_seconds) < 0.01)

  // By keyboard: the focus stays in the list, and the take comes back.
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
  await take.getByRole('button', { name: /^Starred/ }).focus()
  await page.keyboard.press('Enter')
  await take.getByRole('button', { name: /^Star:/, pressed: false }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-pressed")'), 'false')
  await take.getByRole('button', { name: /^Delete/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No takes yet').waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1')
  await undo.focus()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('speak-deleted')
  await page.keyboard.press('Enter')
  await take.waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1', 'the focus is where it was before Undo')
  assert.equal((await history(world)).length, 1)
  await take.getByRole('button', { name: /^Delete/ }).click()
  await page.getByText('No takes yet').waitFor()
  assert.deepEqual(await history(world), [])
  assert.deepEqual(complaints, [])
})

test('typed text is shown as text', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`, { width: 380, height: 900 })
  const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> \u202eright to left\u05e9\u05dc\u05d5\u05dd ${'x'.repeat(9_900)}`
  await page.getByRole('button', { name: 'Style and more' }).click()
  await page.getByRole('combobox', { name: 'Engine' }).selectOption('tone')
  await page.locator('[data-substitute]').getByText('A test tone, not speech.').waitFor()
  await page.getByText(/engines aren't available/).click()
  await page
    .getByRole('group', { name: /^Natural speech needs KittenTTS/ })
    .getByRole('button', { name: /^Install KittenTTS/ })
    .waitFor()
  assert.equal(await page.getByText('./studio').count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('slider', { name: /^Speed/ }).fill('4')
  await speak(page, hostile)
  await phase(page, 'done').waitFor()
  await page.locator('[data-ready="true"]').waitFor()
  assert.deepEqual(await outOfSight(page), [], 'only the text scrolls')
  await page.getByRole('button', { name: '1 take' }).click()
  await page.getByRole('listitem').getByText('<script>alert(1)</script>').waitFor()
  assert.equal(await page.locator('main :is(script, img)').count(), 0)
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    assert.deepEqual(await axeComplaints(page), [], theme)
    await shot(`speak-hostile-${theme}`)
  }
  await page.getByRole('button', { name: 'Delete all' }).click()
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByText('No takes yet').waitFor()
  await page.getByText('1 take deleted.').waitFor()
  // A full queue: the page says so, sends the take again when the studio said, and the button ends the wait at once.
  const sent: number[] = []
  await page.route('**/generate', (route) => {
    sent.push(Date.now())
    const headers = { 'retry-after': sent.length === 1 ? '1' : '600', 'x-svc-retryable': 'true' }
    return route.fulfill({ status: 429, headers, json: { detail: 'Too many jobs wait.', code: 'QUEUE_FULL' } })
  })
  await page.keyboard.press('Escape')
  await speak(page, 'Wait.')
  await page.getByText(/Too many jobs are waiting on this studio\. This take is sent again in 10 min/).waitFor()
  assert.ok(sent.length === 2 && sent[1]! - sent[0]! >= 1000, `${sent}`)
  assert.deepEqual(await axeComplaints(page), [])
  await shot('speak-queue-full')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await phase(page, 'cancelled').waitFor()
  await page.unroute('**/generate')
  assert.equal(sent.length, 2)
  assert.deepEqual(
    complaints.filter((text) => !/status of 429/.test(text)),
    [],
  )
})

const SENTENCES = 'The lamp was older than the house. It came by boat. It was packed in straw.\n\nWhen it was changed, she cried.'

test('sentences are marked while they sound, played from, spoken again, and only changed ones are spoken', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  await world.delete('/history')
  // An earlier draft has another voice.
  for (const { id } of (await world.get('/projects')).json()) await world.delete(`/projects/${id}`)
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/speak`)
  const field = page.getByLabel('Text', { exact: true })
  const strip = page.getByRole('region', { name: 'Selected take' })
  const parts = async () => (await world.get(`/history/${(await history(world))[0].id}/parts`)).json()
  /** Puts the cursor into a sentence, as a press on it does. */
  const press = (words: string) =>
    page.evaluate(`{
      const field = document.querySelector('.script textarea')
      field.focus()
      field.setSelectionRange(field.value.indexOf('${words}') + 2, field.value.indexOf('${words}') + 2)
      field.dispatchEvent(new MouseEvent('click'))
    }`)
  await speak(page, SENTENCES)
  await phase(page, 'done').waitFor()
  await page.locator('[data-ready="true"]').waitFor()
  await page.locator('.mirror span').first().waitFor({ state: 'attached' })
  const marked = await page.locator('.mirror span').allTextContents()
  assert.deepEqual(marked, SENTENCES.split(/(?<=\.)\s+/))
  const sizes = await page.evaluate<number[]>(
    `['.script textarea', '.mirror > div'].map((name) => document.querySelector(name)).flatMap((one) => [one.clientWidth, one.scrollHeight])`,
  )
  assert.deepEqual(sizes.slice(0, 2), [sizes[2], Math.max(sizes[1]!, sizes[3]!)], 'the copy lies where the text is')

  await press('boat')
  await page.getByRole('toolbar', { name: 'Sentence' }).getByRole('button', { name: 'From here' }).click()
  await page.locator('.mirror .sounding').getByText('It came by boat.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /^Play from 0:0[4-9]/ }).click()
  await page.locator('.mirror .sounding').getByText('she cried').waitFor({ state: 'attached' })
  assert.deepEqual(await axeComplaints(page), [])

  const before = await tasks(world)
  await press('boat')
  await page.getByRole('button', { name: 'Say again' }).click()
  await page.getByText('2 of 2').waitFor()
  assert.equal(await tasksSince(world, before), 1, 'one sentence is one task')
  assert.deepEqual(
    (await parts()).parts.map(({ sounds }: { sounds: number }) => sounds),
    [1, 2, 1, 1],
  )
  await field.press('Alt+ArrowLeft')
  await page.getByText('1 of 2').waitFor()
  assert.equal((await parts()).parts[1].chosen, 0)
  await shot('speak-sentence')
  assert.deepEqual(await axeComplaints(page), [])
  await field.press('Escape')
  assert.equal(await page.getByRole('toolbar', { name: 'Sentence' }).count(), 0)

  await field.fill(SENTENCES.replace('straw', 'hay'))
  await page.getByText('1 sentence changed since this take').waitFor()
  await page.locator('.mirror .changed').waitFor()
  assert.deepEqual(await page.locator('.mirror .changed').allTextContents(), ['It was packed in hay.'])
  await shot('speak-changes')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('button', { name: 'Speak 1 change' }).click()
  await eventually(async () => (await history(world)).length === 2)
  await page.getByRole('button', { name: 'Speak', exact: true }).waitFor()
  assert.equal((await parts()).text, SENTENCES.replace('straw', 'hay'))

  // The whole text of an earlier take comes back, however long it is.
  const long = 'Aa bb. '.repeat(60).trim()
  const { id } = await (async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ text: long, engine: 'tone', speed: '4' })) form.set(name, value)
    await world.send('POST', '/generate', form)
    return (await history(world))[0]
  })()
  await page.goto(`${world.page}/#/speak?take=${id}`)
  await page.reload()
  await strip.getByRole('button', { name: 'Put this text into the field' }).click()
  await eventually(async () => (await field.inputValue()) === long)
  assert.deepEqual(complaints, [])
  await world.delete('/history')
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
