// The Transcribe page in a real browser: a recording becomes text, which is played, saved, renamed and kept over a reload.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findProgram } from '#shared/runtime/program.ts'
import { recording, SENTENCES, spoken } from '../support/audio/round-trip.ts'
import { openNetwork } from '../support/chaos/cut.ts'
import { slowHosts } from '../support/chaos/slow-hosts.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, NO_BROWSER, openPage, withoutConnection } from '../support/web/browser.ts'
import { hear } from '../support/web/heard.ts'
import { sharedWorld } from '../support/world/world.ts'

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

test('a recording becomes paragraphs that can be played, found, copied, saved, and kept over a reload', { skip }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/transcribe`)
  await button(page, 'Choose a file').waitFor()
  await shot('transcribe-empty')
  const wav = await talk()
  await pick(page, 'Harbour talk.wav', wav)
  await shot('transcribe-options')
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByRole('checkbox', { name: 'Tell speakers apart' }).uncheck()
  await button(page, 'Transcribe').click()

  const first = page.locator('.spoken p').first()
  await first.waitFor()
  assert.match((await first.textContent())!.toLowerCase(), /house/)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`transcribe-done-${theme}`)
  }
  assert.deepEqual(await axeComplaints(page), [])
  await page.locator('.spoken .time').last().click()
  await page.locator('.spoken .sounding').waitFor()
  assert.ok(Number(await page.evaluate('document.querySelector("audio").currentTime')) > 1.5)
  await page.getByRole('searchbox', { name: 'Find' }).fill('house')
  await page.getByText('1 place', { exact: true }).waitFor()

  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save SRT').click()])
  assert.equal(download.suggestedFilename(), 'Harbour talk.srt')
  assert.match(readFileSync((await download.path())!, 'utf8'), /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n/)

  await page.reload()
  await first.waitFor()
  await page.getByText('Choose the same file again to listen.').waitFor()
  await pick(page, 'Harbour talk.wav', wav)
  await page.locator('audio').waitFor()
  assert.match((await first.textContent())!.toLowerCase(), /house/)
  await button(page, 'New transcript').click()
  await button(page, 'Discard').click()
  await button(page, 'Choose a file').waitFor()
  assert.deepEqual(complaints, [])
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
  await button(page, 'Rename Speaker 1').first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ann')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename Speaker 1' }).click()
  await button(page, 'Rename Ann').last().waitFor()
  assert.equal(await button(page, 'Rename Ann').count(), 2)
  await shot('transcribe-phone')
  assert.deepEqual(await axeComplaints(page), [])
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  assert.match(await page.title(), /^Transcribe/)
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
  // Another tab finds it under Jobs.
  const other = await openPage(t, `${world.page}/#/jobs/${id}`)
  await other.page.getByRole('link', { name: 'Open' }).click()
  await other.page.getByText('Transcribing Harbour talk.wav').waitFor()
  hosts()
  for (const each of [page, other.page]) await each.locator('.spoken p').first().waitFor()
  assert.equal((await world.get('/jobs?type=transcription&limit=1')).json()[0].id, id)

  await button(other.page, 'New transcript').click()
  await button(other.page, 'Discard').click()
  // The studio still has it.
  const earlier = other.page.getByRole('region', { name: 'Earlier transcripts' })
  await earlier.getByRole('link', { name: 'Harbour talk.wav' }).first().waitFor()
  await other.shot('transcribe-earlier')
  assert.deepEqual(await axeComplaints(other.page), [])
  await earlier.getByRole('link', { name: 'Harbour talk.wav' }).first().click()
  await other.page.locator('.spoken p').first().waitFor()
  await button(other.page, 'New transcript').click()
  await button(other.page, 'Discard').click()
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
