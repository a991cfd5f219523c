// The main task of each page with the keyboard alone: no pointer, and no field is filled but by typing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { open, REPO } from '#test/support/models/model-studio.ts'
import { isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { hear } from '#test/support/web/heard.ts'
import { dialog } from '#test/support/web/machines-page.ts'
import { shortDub } from '#test/support/web/short-dub.ts'
import { eventually, type World } from '#test/support/world/world.ts'

/** The setting of the mark in generated sound. */
const MARK = /inaudible/i
/** More presses than any page needs. */
const MOST_PRESSES = 150
const NAME = `(({ activeElement: one }) => {
  const label = one.labels?.[0]?.querySelector('span')?.innerText ?? one.labels?.[0]?.innerText
  if (!one.closest('main, dialog')) return ''
  const described = document.getElementById(one.getAttribute('aria-labelledby'))?.innerText
  return (one.getAttribute('aria-label') ?? described ?? label ?? one.innerText ?? '').trim()
})(document)`

/** Presses Tab until the control of the page or a dialog with this name has the focus. */
async function reach(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = []
  for (let press = 0; press < MOST_PRESSES; press++) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate<string>(NAME)
    if (typeof name === 'string' ? now === name : name.test(now)) return
    seen.push(now)
  }
  assert.fail(`Tab does not reach ${name}, but ${[...new Set(seen)].join(' | ')}`)
}
async function press(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, name)
  await page.keyboard.press('Enter')
}
async function type(page: Page, name: string | RegExp, text: string): Promise<void> {
  await reach(page, name)
  await page.keyboard.type(text)
}
type File = { name: string; mimeType: string; buffer: Buffer }
/** Opens the list of files by its button, and chooses `file`. The listener is there from the start: a late one may miss the event. */
async function pick(page: Page, name: string | RegExp, file: File): Promise<void> {
  chosen = file
  await press(page, name)
}
let chosen: File | null = null

/** One task a page; each begins where a person arrives who opens its address. */
const TASKS: Readonly<Record<string, (page: Page, world: World) => Promise<unknown>>> = {
  async speak(page, world) {
    await reach(page, 'Text')
    // The draft of another test.
    await page.keyboard.press('Control+a')
    await page.keyboard.type('The lamp was lit at five.')
    await page.keyboard.press('Control+Enter')
    await page.locator('.making[data-phase="done"]').waitFor()
    assert.equal((await world.get('/history')).json()[0].text, 'The lamp was lit at five.')
  },
  async 'voices/new'(page) {
    await pick(page, /^Choose a file/, { name: 'mara.wav', mimeType: 'audio/wav', buffer: spokenWav() })
    await page.getByText('4.0 s of sound · A good length.').waitFor()
    await type(page, 'Name', 'Mara')
    await type(page, /^Transcript/, 'The harbour was quiet at five.')
    await press(page, 'Create voice')
    await page.getByRole('heading', { level: 2, name: 'Mara', exact: true }).waitFor()
  },
  async 'dub/short?lang=fr'(page) {
    const line = page.getByRole('textbox', { name: 'Translation of line 2', exact: true })
    await line.waitFor()
    await type(page, 'Translation of line 2', 'Bonsoir.')
    await page.keyboard.press('Control+z')
    await eventually(async () => (await line.inputValue()) !== 'Bonsoir.')
    await page.keyboard.press('Control+y')
    await page.reload()
    await eventually(async () => (await line.inputValue()) === 'Bonsoir.')
  },
  async audiobook(page) {
    await press(page, 'Write or paste text')
    await type(page, 'Text of Chapter 1', '# One\n\nThe lamp was lit.\n\n# Two\n\nThe radio spoke.')
    await page.locator('.outline li').nth(1).waitFor()
    await reach(page, 'Create audiobook')
  },
  async transcribe(page) {
    // What a recogniser hears is a matter of other tests.
    const segments = [{ start: 0, end: 2, text: 'The lamp was lit.' }]
    await hear(page, { language: 'en', duration: 2, segments })
    await pick(page, 'Choose a file', { name: 'talk.wav', mimeType: 'audio/wav', buffer: spokenWav() })
    await page.getByRole('button', { name: 'Transcribe', exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.spoken p').getByText('The lamp was lit.').waitFor()
  },
  async machines(page, world) {
    await press(page, 'Add a machine…')
    await type(page, 'Name of the machine', 'attic')
    await press(page, 'Create code')
    const code = await page.getByLabel('Join code', { exact: true }).inputValue()
    const machine = await world.join(code)
    await press(page, 'Approve…')
    await dialog(page, 'Approve this machine?').waitFor()
    await press(page, 'Approve')
    await page.locator(`tr[data-machine="${machine.workerId}"] .badge`, { hasText: /^Ready$/ }).waitFor()
    await world.remove(machine)
  },
  async models(page, world) {
    await type(page, 'Find a model', 'tone')
    await page.locator(`[data-model="${REPO}"]`).waitFor()
    await press(page, /^Install .*Test tone/)
    await eventually(async () =>
      (await world.get('/models')).json().models.some((one: Record<string, unknown>) => one['repo_id'] === REPO && one['installed']),
    )
    assert.equal((await world.delete(`/models/${encodeURIComponent(REPO)}`)).status, 200)
  },
  async 'settings/privacy'(page, world) {
    const stored = async () => (await world.get('/api/settings/values/watermark.invisible')).json().value
    assert.equal(await stored(), true)
    await reach(page, MARK)
    await page.keyboard.press('Space')
    await eventually(async () => (await stored()) === false)
    assert.equal((await world.post('/watermark/settings?invisible=true')).status, 200)
  },
}

test('the main task of each page is done by keyboard alone', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page } = await openPage(t, `${world.page}/`)
  page.on('filechooser', (chooser) => chosen && void chooser.setFiles(chosen))
  await page.route('**/dub/history/short', (route) => route.fulfill({ json: shortDub() }))
  for (const [address, work] of Object.entries(TASKS))
    await t.test(address, async () => {
      await page.goto('about:blank')
      await page.goto(`${world.page}/#/${address}`)
      await isLive(page)
      await page.getByText('Loading…', { exact: true }).first().waitFor({ state: 'detached' })
      await work(page, world)
    })
})
