// The Voices page in a real browser: a voice is cloned with the statement of its speaker, found, changed, exported, imported and deleted.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findProgram } from '#shared/runtime/program.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, dialog, HOSTILE, isNarrow } from '#test/support/web/machines-page.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const ffmpeg = findProgram('ffmpeg', process.env['PATH'])
const open = sharedWorld({ fixedPort: true })
const wav = spokenWav()
const pick = (page: Page, label: string) =>
  page.locator(`input[aria-label="${label}"]`).setInputFiles({ name: 'mara.wav', mimeType: 'audio/wav', buffer: wav })
const choice = (page: Page, name: string) => page.getByRole('combobox', { name: new RegExp(`^${name}`) })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })

/** A tone takes the place of the microphone, which machines for tests do not have. */
const TONE = `navigator.mediaDevices.getUserMedia = async () => {
  const device = new AudioContext()
  const tone = device.createOscillator()
  const out = device.createMediaStreamDestination()
  tone.connect(out)
  tone.start()
  return out.stream
}`

/** The person answers later whether the page may use the microphone. */
const LATE = `navigator.mediaDevices.getUserMedia = () => new Promise((answer) => {
  globalThis.allow = () => {
    const { stream } = new AudioContext().createMediaStreamDestination()
    ;[globalThis.track] = stream.getTracks()
    answer(stream)
  }
})`
const NO_DEVICE = `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotFoundError') }`
/** Counts the sounds that get an address. */
const COUNT = `const make = URL.createObjectURL
globalThis.sounds = 0
URL.createObjectURL = (blob) => (globalThis.sounds++, make.call(URL, blob))`

/** Counts the statements that the browser keeps. */
const KEPT = `new Promise((resolve) => {
  const opening = indexedDB.open('voice-studio-statements', 1)
  opening.onsuccess = () => {
    const counting = opening.result.transaction('statements').objectStore('statements').count()
    counting.onsuccess = () => resolve(counting.result)
    opening.result.close()
  }
})`

test('a voice is cloned with a statement, found, changed, exported, deleted and imported again', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/voices`)
  await page.getByText('No voices of your own yet.').waitFor()
  await shot('voices-empty')
  await clean(page, 'no voices')

  await page.getByRole('link', { name: 'New voice' }).click()
  await heading(page, 'New voice').waitFor()
  // A microphone that is allowed after the page was left is closed at once.
  await page.evaluate(LATE)
  await button(page, /^Record$/).click()
  await eventually(() => page.evaluate('"allow" in globalThis'))
  await page.getByRole('link', { name: 'My voices' }).click()
  await page.evaluate('allow()')
  await eventually(() => page.evaluate("track.readyState === 'ended'"))
  await page.getByRole('link', { name: 'New voice' }).click()
  await page.evaluate(NO_DEVICE)
  await button(page, /^Record$/).click()
  await page.getByText('No microphone was found.').waitFor()
  // After a second recording, Play plays the second one.
  await page.evaluate(COUNT)
  for (const played of [1, 2]) {
    await pick(page, 'Sample')
    await button(page, 'Play Sample').click()
    await eventually(() => page.evaluate(`sounds === ${played}`))
    await button(page, 'Use another recording').click()
  }
  await pick(page, 'Sample')
  await page.getByText('4.0 s of sound · A good length.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Maria')
  await page.getByLabel('Transcript').fill('The harbour was quiet at five.')
  await page.getByLabel('Record it now').check()
  await page.getByText(/^I am Maria\. On .* I agree that my voice is used here\./).waitFor()
  await page.evaluate(TONE)
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByText(/^Recording, /).waitFor()
  await eventually(() => page.evaluate<boolean>(`document.querySelector('[role="meter"]').ariaValueNow > 20`))
  await button(page, 'Stop').click()
  const statement = page.getByRole('slider', { name: "Position in Speaker's statement" })
  await statement.waitFor()
  // It is kept on this device over a reload, until it is sent or discarded.
  const kept = page.getByText('This recording stays on this device')
  await kept.waitFor()
  await page.reload()
  await statement.waitFor()
  await page.getByText(/^I am Maria\. On /).waitFor()
  assert.equal(await page.evaluate(KEPT), 1)
  // The name is corrected: the statement keeps the sentence that was read aloud.
  await page.getByLabel('Name', { exact: true }).fill('Mara')
  await shot('voices-clone')
  await clean(page, 'a recording and a statement')
  await button(page, 'Create voice').click()

  await heading(page, 'Mara').waitFor()
  await page.getByText('Statement recorded').first().waitFor()
  const [made] = (await world.get('/profiles')).json()
  assert.match(made.consent_text, /^I am Maria\. On /)
  assert.equal(made.verified_own_voice, 1)
  assert.equal(await page.evaluate(KEPT), 0, 'a statement that was sent is not kept')
  await page.reload()
  await heading(page, 'Mara').waitFor()
  await button(page, 'Edit').click()
  await page.getByRole('dialog').getByLabel('Description').fill('Narration, calm')
  await button(page, 'Save changes').click()
  await page.getByRole('table').getByText('Narration, calm').waitFor()
  // The hosted library is offered once it is configured.
  const library = createServer((request, response) => request.resume().on('end', () => response.end('{"voice_id":"hosted-1"}')))
  await once(library.listen(0, '127.0.0.1'), 'listening')
  t.after(() => library.close())
  const { port } = library.address() as AddressInfo
  await world.put('/api/settings/hosted-voices', { url: `http://127.0.0.1:${port}/`, key: 'secret-of-the-library' })
  await page.reload()
  await heading(page, 'Mara').waitFor()
  await button(page, 'More actions').click()
  const [opener, menu] = [(await button(page, 'More actions').boundingBox())!, (await page.locator('#voice-menu').boundingBox())!]
  const gap = menu.y - (opener.y + opener.height)
  assert.ok(gap >= 0 && gap < 12, `the menu opens ${gap} px below its button`)
  await button(page, 'Copy to the hosted library').click()
  await page.getByText('Copied', { exact: true }).waitFor()
  assert.equal((await world.get('/profiles')).json()[0].hosted_voice_id, 'hosted-1')
  if (ffmpeg) {
    const picture = execFileSync(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=300x200:d=1:r=1', '-f', 'mjpeg', 'pipe:1'])
    await page.getByLabel('Portrait').setInputFiles({ name: 'mara.jpg', mimeType: 'image/jpeg', buffer: picture })
    await page.locator('aside .voice-print img').waitFor()
    assert.ok(await page.evaluate<boolean>('document.querySelector("aside .voice-print img").decode().then(() => true)'))
    await shot('voices-portrait')
  }
  await button(page, 'More actions').click()
  await button(page, 'Export…').click()
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download bundle').click()])
  assert.match(download.suggestedFilename(), /\.svcvoice$/)
  const bundle = readFileSync((await download.path())!)

  await button(page, 'More actions').click()
  await button(page, 'Delete…').click()
  await shot('voices-delete')
  await button(dialog(page, 'Delete Mara?'), 'Delete voice').click()
  await page.getByText('No voices of your own yet.').waitFor()
  await page.getByLabel('Bundle').setInputFiles({ name: 'mara.svcvoice', mimeType: 'application/zip', buffer: bundle })
  await dialog(page, 'Import voice').getByText("It has the speaker's statement").waitFor()
  await button(dialog(page, 'Import voice'), 'Import voice').click()
  await heading(page, 'Mara').waitFor()
  await page.getByRole('cell', { name: 'Imported' }).waitFor()
  await button(page, 'Withdraw…').click()
  await button(dialog(page, 'Withdraw the statement?'), 'Withdraw statement').click()
  await page.getByRole('cell', { name: 'No statement' }).waitFor()
  await button(page, 'Speak with Mara').first().click()
  await page.getByRole('heading', { level: 1, name: 'Speak' }).waitFor()
  await page.locator('.voice-chip', { hasText: 'Mara' }).first().waitFor()
  assert.deepEqual(complaints, [])
})

test('voices are described and found, by keyboard, in both themes and on a phone; hostile names stay text', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  for (const [name, language] of [
    [HOSTILE.slice(0, 40), 'German'],
    ['Inés '.repeat(40), 'Spanish'],
  ] as const)
    await world.post('/profiles', form({ name, kind: 'clone', ref_audio: wav, ref_text: 'Hello.', language }))
  await world.post('/gallery/upload', form({ name: 'Harbour clip', audio: wav }))
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/voices/new?from=design`, { width: 1440, height: 900 })
  await isLive(page)
  await page.getByLabel('Describe the voice').fill('an old British man with a deep voice')
  await page.getByText(/^Understood: /).waitFor()
  assert.equal(await choice(page, 'Age').inputValue(), 'elderly')
  assert.equal(await choice(page, 'English accent').inputValue(), 'british accent')
  // What was chosen by hand stays when the description changes.
  await choice(page, 'Age').selectOption('middle-aged')
  await page.getByLabel('Describe the voice').fill('an old American man with a deep voice')
  await eventually(async () => (await choice(page, 'English accent').inputValue()) === 'american accent')
  assert.equal(await choice(page, 'Age').inputValue(), 'middle-aged')
  await page.getByLabel('Name', { exact: true }).fill('Old Tom')
  await shot('voices-design')
  await clean(page, 'a description')
  await button(page, 'Create voice').click()
  await heading(page, 'Old Tom').waitFor()

  await page.getByRole('searchbox', { name: 'Find a voice' }).fill('script')
  const row = page.getByRole('table').getByRole('link', { name: /script/ })
  await eventually(async () => (await page.getByRole('row').count()) === 2)
  await row.focus()
  await page.keyboard.press('Space')
  await page
    .getByRole('row')
    .getByRole('button', { name: /^Pause / })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Sample quality' }).getByText('4.0 s of sound').waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H2', 'it is read from its name')
  assert.match(await page.title(), /^Voices/)
  await page.keyboard.press('Escape')
  await page.locator('aside.voice').waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Find a voice' }).fill('')
  await page.getByRole('row').getByRole('link', { name: /^Inés/ }).click()
  await page.getByRole('region', { name: 'Sample quality' }).waitFor()

  const voice = await page.evaluate<string>('location.hash')
  for (const [width, theme] of [
    [1440, 'light'],
    [380, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    for (const [name, hash, text] of [
      ['one', voice, 'Sample quality'],
      ['gallery', '#/voices/gallery', /^1,\d{3} voices$/],
      ['clips', '#/voices/clips', 'Harbour clip'],
      ['community', '#/voices/community', 'Comes with the studio'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await page.getByText(text).first().waitFor()
      await shot(`voices-${name}-${theme}-${width}`)
      await clean(page, `${name}, ${theme}, ${width}`)
      await isNarrow(page, `${name}, ${width}`)
    }
  }
  await page.evaluate("location.hash = '#/voices/clips'")
  await button(page, 'Make a voice of Harbour clip').click()
  await heading(page, 'Harbour clip').waitFor()
  assert.equal(
    (await world.get('/profiles')).json().some(({ name }: { name: string }) => name === 'Harbour clip'),
    true,
  )
  assert.deepEqual(complaints, [])
})
