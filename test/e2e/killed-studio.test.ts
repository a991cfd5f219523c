// The studio is killed with SIGKILL while people speak, clone, make a book, transcribe and borrow in its pages; none of them loses anything, and
// each goes on after the restart. Dubbing, dictation, lending and signing in are killed in the tests of their pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findProgram } from '#shared/runtime/program.ts'
import { withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '../support/audio/round-trip.ts'
import { spokenWav } from '../support/audio/spoken.ts'
import { talkingFilm } from '../support/audio/talking-film.ts'
import { openNetwork } from '../support/chaos/cut.ts'
import { slowHosts } from '../support/chaos/slow-hosts.ts'
import { isLongRun } from '../support/long-run.ts'
import { isLive, type Look, NO_BROWSER, openPage, withoutConnection } from '../support/web/browser.ts'
import { button, clean, dialog } from '../support/web/machines-page.ts'
import { eventually, sharedWorld } from '../support/world/world.ts'

const canTranscribe = findProgram('pocketsphinx_continuous', process.env['PATH']) !== null
const open = sharedWorld({ remote: true, fixedPort: true })
const SENTENCE = 'Many words follow one another here and there. '
/** True for what a browser logs of a studio that is away. */
const isOfTheKill = (line: string) => /ERR_|Failed to load resource|WebSocket connection|network error|Failed to fetch/.test(line)
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

test('a killed studio loses no draft, take, voice, book or machine, and the open pages go on', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const network = await openNetwork(t, new URL(world.url).host)
  const looks: Look[] = []
  const talk = Buffer.from(recording((await spoken(SENTENCES[0]!)).pcm).get('audio')!)
  const at = async (address: string) => {
    const look = await openPage(t, `http://${network.address}/#/${address}`)
    look.page.setDefaultTimeout(90_000) // engines share the machine with other tests
    looks.push(look)
    await isLive(look.page)
    return look.page
  }
  const [speak, clone, book, transcribe, machines] = [
    await at('speak'),
    await at('voices/new'),
    await at('audiobook'),
    await at('transcribe'),
    await at('machines'),
  ]
  // Clone: a form with a sample, not sent yet.
  await clone.locator('input[aria-label="Sample"]').setInputFiles({ name: 'mara.wav', mimeType: 'audio/wav', buffer: spokenWav() })
  await clone.getByText('4.0 s of sound · A good length.').waitFor()
  await fill(clone, 'Name', 'Mara')
  await clone.getByLabel('Transcript').fill('The harbour was quiet at five.')
  // Borrow: a code that is shown.
  await button(machines, 'Add a machine…').click()
  const adding = dialog(machines, 'Add a machine')
  await adding.getByLabel('Name of the machine').fill('attic')
  await button(adding, 'Create code').click()
  const code = await adding.getByLabel('Join code', { exact: true }).inputValue()
  // Speak and a book: jobs in progress.
  const hosts = slowHosts(t, world.studio)
  await fill(speak, 'Text', SENTENCE.repeat(24))
  await button(speak, /^Speak/).click()
  await speak.locator('.making[data-phase="generating"]').waitFor()
  await button(book, 'Write or paste text').click()
  await book
    .getByRole('textbox', { name: 'Text of Chapter 1' })
    .fill([1, 2, 3].map((chapter) => `# Chapter ${chapter}\n\n${SENTENCE.repeat(6)}\n`).join('\n'))
  await book.locator('summary', { hasText: /^Book$/ }).click()
  await fill(book, 'Title', 'The long walk')
  await button(book, 'Create audiobook').click()
  await button(book, 'Stop The long walk').waitFor()
  // Transcribe: a job in progress, also after a reload of its page.
  await transcribe.locator('input[type=file]').setInputFiles({ name: 'talk.wav', mimeType: 'audio/wav', buffer: talk })
  await transcribe.getByRole('checkbox', { name: 'Tell speakers apart' }).uncheck()
  if (canTranscribe) {
    await button(transcribe, 'Transcribe').click()
    await transcribe.getByText('Transcribing talk.wav').waitFor()
  }
  hosts.hold()

  // The forms and jobs outlive a reload of their pages.
  for (const page of [clone, book, transcribe]) {
    await page.reload()
    await isLive(page)
  }
  await clone.getByText('4.0 s of sound · A good length.').waitFor()
  await button(book, 'Stop The long walk').waitFor()
  // It may have ended before the engines were held.
  if (canTranscribe) await transcribe.getByText('Transcribing talk.wav').or(transcribe.locator('[data-word]')).first().waitFor()
  // Without a connection each page reports it and keeps its content. The voice is not created; its form is kept, so that it can be sent again.
  for (const { page } of looks)
    await withoutConnection(page, network, async () => {
      if (page !== clone) return
      await button(clone, 'Create voice').click()
      await clone.getByRole('alert').getByText("Couldn't reach the studio.").waitFor()
    })
  await button(book, 'Stop The long walk').waitFor()
  assert.equal(await adding.getByLabel('Join code', { exact: true }).inputValue(), code)

  await world.studio.end('SIGKILL')
  hosts()
  for (const { page } of looks) await page.getByText('Reconnecting… What you see may be out of date.').waitFor()
  await clean(speak, 'a studio that is away')
  await world.restart()
  for (const { page } of looks) {
    await isLive(page)
    await page.getByText('Reconnecting… What you see may be out of date.').waitFor({ state: 'detached' })
  }

  // The take is one of the studio: it is finished, once, and its text is still in the editor.
  const takes = async () => (await world.get('/history')).json().map(({ text }: { text: string }) => text)
  await eventually(async () => (await takes()).length === 1)
  assert.equal(await speak.getByLabel('Text', { exact: true }).inputValue(), SENTENCE.repeat(24))
  await speak.locator('.making[data-phase="done"]').waitFor()
  await speak.reload()
  await speak.locator('.take').first().waitFor()

  await button(clone, 'Create voice').click()
  await clone.getByRole('heading', { level: 2, name: 'Mara', exact: true }).waitFor()
  const voices = (await world.get('/profiles')).json().filter(({ name }: { name: string }) => name === 'Mara')
  assert.equal(voices.length, 1)

  await book.getByRole('link', { name: 'All books' }).click()
  await book.getByRole('button', { name: 'Download The long walk' }).waitFor()
  const books = (await world.get('/jobs?type=audiobook')).json()
  assert.equal(books.length, 1, 'the same job')

  if (canTranscribe) await transcribe.locator('[data-word]').first().waitFor()

  // The code that the dialog shows is still good, and an approval is one after the next kill.
  const machine = await world.join(code)
  await adding.getByText('attic has joined').waitFor()
  // A reload closes the dialog; the machine still asks for its approval.
  await machines.reload()
  const row = machines.locator(`tr[data-machine="${machine.workerId}"]`)
  await row.getByRole('button', { name: /^Approve/ }).click()
  await button(dialog(machines, 'Approve this machine?'), 'Approve').click()
  await row.locator('.badge', { hasText: /^Ready$/ }).waitFor()
  await world.restart('SIGKILL')
  await isLive(machines)
  await row.locator('.badge', { hasText: /^Ready$/ }).waitFor()
  for (const { complaints } of looks)
    assert.deepEqual(
      complaints.filter((line) => !isOfTheKill(line)),
      [],
    )
  await world.remove(machine)
  await world.delete('/history')
})

/** Notes the text of every alert of the page. */
const noteAlerts = (page: Page) =>
  page.evaluate(`{
    window.alerts = []
    new MutationObserver(() => {
      for (const one of document.querySelectorAll('[role=alert]')) if (!window.alerts.includes(one.textContent)) window.alerts.push(one.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)

test('what was typed, sent and started before Ctrl-C and a kill is there afterwards, without a false alarm', {
  skip: NO_BROWSER || withPrograms.skip || (!canTranscribe && 'pocketsphinx is not on this machine') || (!isLongRun && 'a long test'),
}, async (t) => {
  const world = await open()
  const looks: Look[] = []
  const at = async (address: string) => {
    const look = await openPage(t, `${world.url}/#/${address}`)
    look.page.setDefaultTimeout(90_000)
    looks.push(look)
    await isLive(look.page)
    await noteAlerts(look.page)
    return look.page
  }
  const sound = Buffer.from(recording((await spoken(SENTENCES[4]!)).pcm).get('audio')!)
  const words = ['Good', ' morning', ' captain.'].map((word, at) => [at, at + 1, word])
  const state = { job: 'none', file: 'Talk.wav', duration: 3, segments: [{ speaker: '', words }] }
  const { id: project } = (await world.post('/projects', { name: 'Talk', kind: 'transcript', state })).json()
  const wordsKept = async () => JSON.stringify((await world.get(`/projects/${project}`)).json().state.segments)

  const [edited, heard, batch, clone, dictated, book] = [
    await at(`transcribe/${project}`),
    await at('transcribe'),
    await at('tools/batch'),
    await at('voices/new'),
    await at('transcribe/dictate'),
    await at('audiobook'),
  ]
  const edit = async (from: string, to: string) => {
    await edited.locator('[data-word]', { hasText: from }).dblclick()
    await edited.getByRole('textbox', { name: `Edit ${from}` }).fill(to)
    await edited.keyboard.press('Enter')
    await edited.locator('[data-word]', { hasText: to }).waitFor()
  }
  await edited.locator('[data-word]').first().waitFor()
  await clone.locator('input[aria-label="Sample"]').setInputFiles({ name: 'ines.wav', mimeType: 'audio/wav', buffer: spokenWav() })
  await fill(clone, 'Name', 'Ines')
  await dictated.evaluate(`sessionStorage.setItem('voice-studio-dictation', JSON.stringify(['The lamp was lit at five.']))`)
  await dictated.reload()
  await isLive(dictated)
  await noteAlerts(dictated)

  // Work begins in four pages.
  const hosts = slowHosts(t, world.studio)
  await heard.locator('input[type=file]').setInputFiles({ name: 'talk.wav', mimeType: 'audio/wav', buffer: sound })
  await button(heard, 'Transcribe').click()
  await heard.getByText('Transcribing talk.wav').waitFor()
  hosts.hold()
  const films = await Promise.all([1, 2].map((empties) => talkingFilm(sound, empties)))
  const names = ['01 Harbour.mp4', '02 Tide.mp4']
  await batch.locator('input[type=file]').setInputFiles(films.map((buffer, at) => ({ name: names[at]!, mimeType: 'video/mp4', buffer })))
  await batch.locator('[data-state=held]').nth(1).waitFor()
  await button(batch, 'Start 2 films').click()
  await batch.locator('[data-state=running]').waitFor()
  await button(book, 'Write or paste text').click()
  await book.getByRole('textbox', { name: 'Text of Chapter 1' }).fill(`# Chapter 1\n\n${SENTENCE.repeat(3)}\n`)
  await button(book, 'Create audiobook').click()
  await book.getByRole('button', { name: /^Stop / }).waitFor()

  // Ctrl-C, a moment after a word was edited and a text was sent to Speak, and while the answer about a new voice is on its way.
  await clone.route('**/profiles', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await button(clone, 'Create voice').click()
  await clone.getByRole('alert').waitFor()
  await clone.unroute('**/profiles')
  await edit('morning', 'evening')
  await button(dictated, 'Send to Speak').click()
  const speak = dictated // its modules may not have arrived before the end
  await speak.getByRole('heading', { level: 1, name: 'Speak' }).waitFor()
  await world.studio.end('SIGINT')
  hosts()
  for (const { page } of looks) await page.getByText('Reconnecting… What you see may be out of date.').waitFor()
  await edit('Good', 'Fine')
  await world.restart('SIGKILL', {}, false)
  // Its engines start: what is pressed waits for them.
  await button(speak, /^Speak/).click()
  for (const { page } of looks) await isLive(page)
  await eventually(async () => /Fine.*evening/.test(await wordsKept()))
  await edited.locator('[data-draft="saved"]').waitFor()
  await speak.locator('.take').first().waitFor()
  assert.equal(await speak.getByLabel('Text', { exact: true }).inputValue(), 'The lamp was lit at five.')
  await button(clone, 'Create voice').click()
  await clone.getByRole('heading', { level: 2, name: 'Ines', exact: true }).waitFor()
  const voices = (await world.get('/profiles')).json().filter(({ name }: { name: string }) => name === 'Ines')
  assert.equal(voices.length, 1, 'the voice whose answer was lost')
  await edit('captain', 'sailor')
  await world.restart('SIGKILL')
  for (const { page } of looks) await isLive(page)
  await heard.locator('[data-word]').first().waitFor()
  await batch.getByText('2 of 2 ready').waitFor({ timeout: 240_000 }) // engines share the machine with other tests
  await eventually(async () => /Fine.*evening.*sailor/.test(await wordsKept()))
  await eventually(async () =>
    (await world.get('/jobs?type=audiobook')).json().every(({ status }: { status: string }) => status === 'done'),
  )
  // While it was away the pages said so, and nothing else failed.
  for (const { page } of looks)
    for (const alert of (await page.evaluate<string[] | undefined>('window.alerts')) ?? [])
      assert.match(alert, /Couldn't reach the studio\./)
  for (const { complaints } of looks)
    assert.deepEqual(
      complaints.filter((line) => !isOfTheKill(line)),
      [],
    )
})
