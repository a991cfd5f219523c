// Home in a real browser: a first text is spoken, then it is there to go on with; what runs is shown with a way to cancel it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowHosts } from '../support/chaos/slow-hosts.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { button } from '../support/web/machines-page.ts'
import { eventually, sharedWorld } from '../support/world/world.ts'

const open = sharedWorld({ fixedPort: true })

test('a text is spoken from Home and is there to go on with; a running take can be cancelled there', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/`)
  await page.getByRole('heading', { level: 1, name: /^Good / }).waitFor()
  assert.equal(await page.title(), 'Home · Voice Studio')
  await page.getByRole('region', { name: 'First words' }).waitFor()
  await page.getByText('Nothing is running.').waitFor()
  await shot('home-first')
  assert.deepEqual(await axeComplaints(page), [])

  // A text that is opened goes into the field; for a recording Home asks what becomes of it.
  const file = page.locator('.composer input[type=file]')
  await file.setInputFiles({ name: 'script.txt', mimeType: 'text/plain', buffer: Buffer.from('Lights out at ten.') })
  await eventually(async () => (await page.getByLabel('Text', { exact: true }).inputValue()) === 'Lights out at ten.')
  await file.setInputFiles({ name: 'book.epub', mimeType: 'application/epub+zip', buffer: Buffer.from('PK') })
  await page.getByText('Home opens texts, recordings and films.').waitFor()
  await file.setInputFiles({ name: 'Talk.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') })
  const asked = page.getByRole('group', { name: 'Talk.wav: dub it or transcribe it?' })
  await shot('home-asked')
  assert.deepEqual(await axeComplaints(page), [])
  await button(asked, 'Transcribe it').click()
  await page.getByRole('heading', { level: 1, name: 'Transcribe' }).waitFor()
  await page.getByText('Talk.wav', { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Dictate', exact: true }).click()
  await page.getByRole('button', { name: 'Start dictation' }).waitFor()
  await page.goBack()

  await button(page, 'Good evening. Here are the headlines at nine.').click()
  await page.getByRole('heading', { level: 1, name: 'Speak' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement?.tagName'), 'H1', 'a new page is read from its heading')
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Good evening. Here are the headlines at nine.')
  await page.locator('.making[data-phase="done"]').waitFor()

  const [take] = (await world.get('/history')).json()
  await world.post('/projects', { name: 'Harbour <b>interview</b>', state: {} })
  const hosts = slowHosts(t, world.studio)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  const recent = page.getByRole('region', { name: 'Continue' })
  await recent.getByText('Harbour <b>interview</b>').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Many words follow one another here and there. '.repeat(16))
  await page.getByRole('button', { name: 'Speak', exact: true }).click()
  await page.locator('.making[data-phase="generating"]').waitFor()
  hosts.hold()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  const running = page.getByRole('region', { name: 'Running now' })
  await running.getByRole('listitem').waitFor()
  await button(page, '1 job').click()
  await page.locator('#jobs-tray').getByRole('listitem').waitFor()
  await shot('home-tray')
  assert.deepEqual(await axeComplaints(page), [])
  await page.keyboard.press('Escape')
  for (const [width, theme] of [
    [1440, 'light'],
    [380, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await shot(`home-${theme}-${width}`)
    assert.deepEqual(await axeComplaints(page), [], `${theme}, ${width}`)
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `wider than ${width}`)
  }
  await button(running, /^Cancel/).click()
  await eventually(async () => (await world.get('/jobs?status=active')).json().length === 0)
  await page.getByText('Nothing is running.').waitFor()

  await recent.getByRole('link', { name: take.text }).click()
  await page.getByRole('region', { name: 'Selected take' }).getByText(take.text).waitFor()
  assert.deepEqual(
    complaints.filter((line) => !/ERR_INCOMPLETE_CHUNKED_ENCODING|status of 409/.test(line)),
    [],
    'nothing but the sound that was cancelled',
  )

  // What the studio noticed about itself stays until it was seen.
  await world.restart('SIGKILL')
  const after = await openPage(t, `${world.page}/#/`)
  const news = after.page.getByRole('region', { name: 'Something needs you' })
  await news.getByText('The studio did not end by itself the last time').waitFor()
  await after.shot('home-notification')
  assert.deepEqual(await axeComplaints(after.page), [])
  await button(news, 'Dismiss: The studio did not end by itself the last time').click()
  await after.page.getByText('The studio did not end by itself the last time').waitFor({ state: 'detached' })
  assert.equal((await world.get('/system/last-run-crash')).json().acknowledged, true)
  assert.deepEqual(after.complaints, [])
})
