// The Transcribe page in a real browser: a recording becomes text, which is played, saved, renamed and kept over a reload.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findProgram } from '#shared/runtime/program.ts'
import { withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '../support/audio/round-trip.ts'
import { openNetwork } from '../support/chaos/cut.ts'
import { slowHosts } from '../support/chaos/slow-hosts.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, NO_BROWSER, openPage, withoutConnection } from '../support/web/browser.ts'
import { hear } from '../support/web/heard.ts'
import { eventually, sharedWorld } from '../support/world/world.ts'

const skip = NO_BROWSER || (findProgram('pocketsphinx_continuous', process.env['PATH']) ? false : 'pocketsphinx is not on this machine')
const open = sharedWorld()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function talk(): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const sentence of [SENTENCES[0]!, SENTENCES[2]!]) pieces.push((await spoken(sentence)).pcm, Buffer.alloc(64_000))
  return Buffer.from(recording(Buffer.concat(pieces)).get('audio')!)
}
const pick = async (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'audio/wav', buffer })

test('a recording becomes words that are edited, kept, found, played, saved and dubbed', { skip }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/transcribe`)
  await button(page, 'Choose a file').waitFor()
  await shot('transcribe-empty')
  await pick(page, 'Harbour talk.wav', await talk())
  await shot('transcribe-options')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('checkbox', { name: 'Tell speakers apart' }).uncheck()
  await button(page, 'Transcribe').click()

  const house = page.locator('[data-word]', { hasText: /^house/i }).first()
  await house.waitFor()
  assert.match(new URL(page.url()).hash, /^#\/transcribe\/[0-9a-f]{8}$/)
  // A double click edits a word, whose time stays.
  await house.dblclick()
  await page.getByRole('textbox', { name: /^Edit house/i }).fill('lighthouse')
  await page.keyboard.press('Enter')
  await page.locator('[data-word]:focus', { hasText: 'lighthouse' }).waitFor()
  await page.locator('[data-draft="saved"]').waitFor()
  await page.reload()
  const edited = page.locator('[data-word]', { hasText: 'lighthouse' })
  await edited.waitFor()
  // Its recording is on the studio: a word is a place in it.
  await page.locator('[data-word]').last().click()
  await page.locator('.spoken .sounding').waitFor()
  await page.waitForURL(/[?&]t=[1-9]/)
  await page
    .getByRole('region', { name: 'Player' })
    .getByRole('button', { name: 'Pause Harbour talk' })
    .or(page.getByRole('button', { name: 'Play Harbour talk' }))
    .first()
    .waitFor()
  await page.getByRole('searchbox', { name: 'Find in this transcript' }).fill('lighthouse')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`transcribe-done-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  await button(page, 'Download as…').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SRT' }).first().click()])
  assert.equal(download.suggestedFilename(), 'Harbour talk.srt')
  assert.match(readFileSync((await download.path())!, 'utf8'), /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n[\s\S]*lighthouse/)

  // Another browser changed it: the person chooses.
  const project = new URL(page.url()).hash.split(/[/?]/)[2]!
  const { state, name } = (await world.get(`/projects/${project}`)).json()
  const other = { ...state, segments: [{ speaker: 'Ann', words: [[0, 1, 'Elsewhere.']] }] }
  let writes = 0
  await page.route(`**/projects/${project}`, async (route) => {
    if (route.request().method() === 'PUT' && writes++ === 0) {
      assert.equal((await world.put(`/projects/${project}`, { name, state: other })).status, 200)
    }
    await route.continue()
  })
  await edited.dblclick()
  await page.getByRole('textbox', { name: 'Edit lighthouse' }).fill('lamp')
  await page.keyboard.press('Enter')
  await page.getByText('This transcript was changed in another window.').waitFor()
  await page.getByText('Elsewhere.').waitFor()
  await button(page, 'Keep the text of this page').click()
  await page.locator('[data-draft="saved"]').waitFor()
  assert.match(JSON.stringify((await world.get(`/projects/${project}`)).json().state), / ?lamp/)

  if (withPrograms.skip === false) {
    await page.getByRole('button', { name: /^Dub this/ }).click()
    await page.waitForURL(/#\/dub\//)
    const dub = new URL(page.url()).hash.split('/')[2]!
    await eventually(async () => (await world.get(`/dub/history/${dub}`)).status === 200)
    const { segments } = JSON.parse((await world.get(`/dub/history/${dub}`)).json().job_data)
    assert.match(JSON.stringify(segments), /lamp/)
  }
  // It is in Projects and in Files, and can be deleted and brought back.
  await page.goto(`${world.page}/#/files?kind=transcript`)
  await page.getByRole('link', { name: 'Harbour talk', exact: true }).waitFor()
  await page.goto(`${world.page}/#/projects?kind=transcript`)
  await page.getByRole('link', { name: 'Harbour talk', exact: true }).click()
  await page.locator('[data-word]').first().waitFor()
  await button(page, 'Delete Harbour talk').click()
  await button(page, 'Choose a file').waitFor()
  await button(page, 'Undo').click()
  await page.getByRole('region', { name: 'Transcripts' }).getByRole('link', { name: 'Harbour talk', exact: true }).waitFor()
  assert.deepEqual(
    complaints.filter((text) => !/status of 409/.test(text)),
    [],
  )
})

test('speakers are renamed everywhere, hostile text stays text, and the page fits on a phone', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/transcribe`, { width: 380, height: 800 })
  const hostile = `<img src=x onerror="document.title='owned'">${'long'.repeat(300)}`
  const segments = [
    { start: 0, end: 2, text: 'Good morning.', speaker: 'Speaker 1' },
    { start: 2, end: 4, text: hostile, speaker: 'Speaker 2' },
    { start: 4, end: 6, text: 'And goodbye.', speaker: 'Speaker 1' },
  ]
  await hear(page, { language: 'english', duration: 6, segments }, 'Using pocketsphinx.')
  await pick(page, `${'name'.repeat(60)}.wav`, Buffer.from('RIFF'))
  await button(page, 'Transcribe').click()
  await page.getByText('Using pocketsphinx.').waitFor()
  await page.getByText('Speakers and more').click()
  await button(page, 'Rename Speaker 1').click()
  await page.getByText('Renames all 2 turns').waitFor()
  await page.getByRole('textbox', { name: 'New name of Speaker 1' }).fill('Ann')
  await page.keyboard.press('Enter')
  await page.locator('.speaker', { hasText: 'Ann' }).last().waitFor()
  assert.equal(await page.locator('.speaker', { hasText: 'Ann' }).count(), 2)
  // One turn gets a speaker of its own, and the change is taken back.
  await page.locator('.speaker', { hasText: 'Ann' }).last().click()
  await page.getByRole('combobox', { name: 'Change the speaker at 0:04' }).selectOption('New speaker…')
  await page.locator('.speaker', { hasText: 'Speaker 1' }).waitFor()
  await button(page, 'Undo').click()
  await page.locator('.speaker', { hasText: 'Speaker 1' }).waitFor({ state: 'detached' })
  // By keyboard: the arrow keys move, Enter edits.
  await page.locator('[data-word="0.0"]').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Edit morning.' }).fill('evening.')
  await page.keyboard.press('Enter')
  await page.locator('[data-word="0.1"]:focus', { hasText: 'evening.' }).waitFor()
  await page.getByText('The studio no longer has the recording.').waitFor()
  await shot('transcribe-phone')
  assert.deepEqual(await axeComplaints(page), [])
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  assert.match(await page.title(), / · Transcribe · /)
  assert.deepEqual(
    complaints.filter((text) => !/media|ERR_/i.test(text)),
    [],
  )
})

test('a refusal says why and keeps the file; a transcription is cancelled', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, shot } = await openPage(t, `${world.page}/#/transcribe`)
  await pick(page, 'notes.txt', Buffer.from('no sound at all'))
  await button(page, 'Transcribe').click()
  await page.getByText("Couldn't transcribe this file.").waitFor()
  await shot('transcribe-refused')
  assert.deepEqual(await axeComplaints(page), [])
  // Held, so that it is cancelled while the file is sent, and then while the studio works on it.
  await page.route('**/v1/audio/transcriptions', () => {})
  await button(page, 'Transcribe').click()
  await page.getByText('Sending notes.txt').waitFor()
  await button(page, 'Cancel').click()
  await button(page, 'Transcribe').waitFor()
  await page.unroute('**/v1/audio/transcriptions')
})

test('a transcription goes on without its page: over a reload, in another tab, and without a connection; then it is cancelled', {
  skip,
}, async (t) => {
  const world = await open()
  const hosts = slowHosts(t, world.studio)
  const network = await openNetwork(t, new URL(world.url).host)
  const { page, shot } = await openPage(t, `http://${network.address}/#/transcribe`)
  const wav = await talk()
  await pick(page, 'Harbour talk.wav', wav)
  const posted = page.waitForResponse(/\/v1\/audio\/transcriptions/)
  await button(page, 'Transcribe').click()
  await page.getByText('Transcribing Harbour talk.wav').waitFor()
  hosts.hold()
  const { id } = await (await posted).json()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('transcribe-working')
  await page.reload()
  await page.getByText('Transcribing Harbour talk.wav').waitFor()
  // Without a connection the page waits, and it finds the job again.
  await withoutConnection(page, network, () => page.getByText('Transcribing Harbour talk.wav').waitFor())
  // Another tab finds it under Jobs, and in the list.
  const other = await openPage(t, `${world.page}/#/jobs/${id}`)
  await other.page.getByRole('link', { name: 'Open' }).click()
  await other.page.getByText('Transcribing Harbour talk.wav').waitFor()
  await other.page.getByRole('link', { name: 'All transcripts' }).click()
  await other.page.getByRole('region', { name: 'Transcripts' }).getByRole('link', { name: 'Harbour talk.wav' }).click()
  await other.page.getByText('Transcribing Harbour talk.wav').waitFor()
  await page.goto('about:blank')
  hosts()
  await other.page.locator('[data-word]').first().waitFor()
  assert.equal((await world.get('/jobs?type=transcription&limit=1')).json()[0].id, id)
  // Once, however often it is asked.
  const kept = (await world.post(`/jobs/${id}/transcript/project`, {})).json().project_id
  assert.ok(other.page.url().includes(kept))
  await other.page.goto(`${world.page}/#/transcribe`)
  await other.page.getByRole('region', { name: 'Transcripts' }).getByRole('link', { name: 'Harbour talk', exact: true }).first().waitFor()
  await other.shot('transcribe-list')
  assert.deepEqual(await axeComplaints(other.page), [])
  const again = slowHosts(t, world.studio)
  await pick(other.page, 'Harbour talk.wav', wav)
  await button(other.page, 'Transcribe').click()
  await other.page.getByText('Transcribing Harbour talk.wav').waitFor()
  again.hold()
  await button(other.page, 'Cancel').click()
  await button(other.page, 'Transcribe').waitFor()
  const [job] = (await world.get('/jobs?type=transcription&limit=1')).json()
  assert.equal(job.status, 'cancelled')
})
