// A cloned and a designed voice are made in the page and speak, and the studio is killed while each speaks: the take is finished once, and whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { bandShare } from '#test/support/audio/sound.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { placeOmnivoice } from '#test/support/models/placed.ts'
import { isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button } from '#test/support/web/machines-page.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ fixedPort: true, prepare: placeOmnivoice })
const SENTENCES = 12
const TEXT = 'Many words follow one another here and there. '.repeat(SENTENCES).trim()
/** The test voice hums at the frequency of the sample of a voice. */
const SAMPLE_HZ = 330
function hum(): Buffer<ArrayBuffer> {
  const samples = Float32Array.from({ length: 4 * 24_000 }, (_, at) => 0.3 * Math.sin((2 * Math.PI * SAMPLE_HZ * at) / 24_000))
  return Buffer.concat([wavHeader({ sampleRate: 24_000, channels: 1, samples: samples.length }), toS16(samples)])
}
const isOfTheKill = (line: string) => /ERR_|Failed to load resource|WebSocket connection|network error|Failed to fetch/.test(line)

for (const [kind, engine, end] of [
  ['cloned', 'tone', 'SIGKILL'],
  ['designed', 'svc-engine', 'SIGINT'],
] as const)
  test(`a ${kind} voice that speaks while the studio ends with ${end} finishes its take once`, { skip: NO_BROWSER }, async (t) => {
    const world = await open()
    await world.post('/engines/select', { family: 'tts', backend_id: engine })
    t.after(async () => {
      for (const { id } of (await world.get('/profiles')).json()) await world.delete(`/profiles/${id}`)
      await world.delete('/history')
      await world.post('/engines/select', { family: 'tts', backend_id: 'auto' })
    })
    const { page, complaints } = await openPage(t, `${world.page}/#/voices/new${kind === 'cloned' ? '' : '?from=design'}`)
    page.setDefaultTimeout(90_000) // engines share the machine with other tests
    await isLive(page)
    const name = kind === 'cloned' ? 'Harbour pilot' : 'Old pilot'
    if (kind === 'cloned') {
      const sample = { name: 'pilot.wav', mimeType: 'audio/wav', buffer: hum() }
      await page.locator('input[aria-label="Sample"]').setInputFiles(sample)
      await page.getByText('4.0 s of sound · A good length.').waitFor()
      await page.getByLabel('Transcript').fill('The harbour was quiet at five.')
    } else await page.getByLabel('Describe the voice').fill('an old British man with a deep voice')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await button(page, 'Create voice').click()
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
    await button(page, `Speak with ${name}`).first().click()
    await page.locator('.voice-chip', { hasText: name }).first().waitFor()

    const takes = async () => (await world.get('/history')).json() as { id: string; text: string; profile_id: string; audio_path: string }[]
    const speak = async () => {
      await page.getByLabel('Text', { exact: true }).fill(TEXT)
      await button(page, /^Speak/).click()
    }
    const hosts = slowHosts(t, world.studio)
    await speak()
    await page.locator('.making[data-phase="generating"]').waitFor()
    hosts.hold()
    await world.studio.end(end)
    hosts()
    await page.getByText('Reconnecting… What you see may be out of date.').waitFor()
    await world.restart('SIGKILL')
    await isLive(page)
    await page.locator('.making[data-phase="done"]').waitFor()
    await eventually(async () => (await takes()).length === 1)
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), TEXT)

    // The same text, without an interruption, is as long.
    await speak()
    await eventually(async () => (await takes()).length === 2)
    const sounds = await Promise.all(
      (await takes()).map(async ({ audio_path }) => parseWav((await world.get(`/audio/${audio_path}`)).body)),
    )
    const [whole, interrupted] = sounds as [(typeof sounds)[0], (typeof sounds)[0]]
    assert.equal(interrupted.samples.length, whole.samples.length)
    const [voice] = (await world.get('/profiles')).json()
    for (const { profile_id, text } of await takes()) assert.deepEqual([profile_id, text], [voice.id, TEXT.slice(0, 200)])
    if (kind === 'cloned')
      for (const { samples, sampleRate } of sounds) {
        const share = bandShare(samples, sampleRate, SAMPLE_HZ - 30, SAMPLE_HZ + 30)
        assert.ok(share > 0.9, `${share} of the sound is in the voice of the sample`)
      }
    assert.deepEqual(
      complaints.filter((line) => !isOfTheKill(line)),
      [],
    )
  })
