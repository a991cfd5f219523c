// The inaudible mark over HTTP: its settings, and the search in files that the studio made, in foreign files and in changed ones.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAudit } from '#control-plane/audit/audit-log.store.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()
const NO_FFMPEG = findProgram('ffmpeg', process.env['PATH']) ? false : 'ffmpeg is not on this machine'
const TEXT = 'The committee met in the old town hall, and everybody who had come was asked to say what they thought of the plan. '.repeat(2)

async function detect(bytes: Uint8Array, name = 'take.wav') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return (await open()).post('/watermark/detect', form)
}
const speak = async (fields: object = {}) =>
  (await (await open()).post('/v1/audio/speech', { input: TEXT, response_format: 'wav', ...fields })).body
const mono = (samples: Float32Array, sampleRate: number) => {
  const pcm = Buffer.alloc(samples.length * 2)
  samples.forEach((sample, i) => {
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), i * 2)
  })
  return Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: samples.length }), pcm])
}

test('speech of this studio is recognised, also when it is played faster', async () => {
  const wav = await speak()
  const found = (await detect(wav)).json()
  const { message_bits, ...rest } = found
  assert.deepEqual(rest, { is_watermarked: true, confidence: 1, is_svc_engine: true, source: 'VoiceStudio', speed: 1 })
  assert.match(message_bits, /^[01]{32}$/)
  // The header names a higher rate than the sound has.
  const { samples, sampleRate } = parseWav(wav)
  const faster = (await detect(mono(samples, Math.round(sampleRate * 1.05)))).json()
  assert.equal(faster.message_bits, message_bits)
  assert.ok(Math.abs(faster.speed - 1.05) < 0.01, String(faster.speed))
})

test('other sound has no mark', async () => {
  const noise = Float32Array.from({ length: 12 * 16_000 }, (_, i) => 0.3 * Math.sin(i * i * 0.00137) * Math.sin(i / 900))
  const { confidence, ...rest } = (await detect(mono(noise, 16_000), 'other.WAV')).json()
  assert.deepEqual(rest, { is_watermarked: false, message_bits: '', is_svc_engine: false, source: 'unknown', speed: 1 })
  assert.ok(confidence < 0.5)
})

test('a mark survives MP3 at 32 kbit/s', { skip: NO_FFMPEG }, async () => {
  const mp3 = execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-b:a', '32k', '-f', 'mp3', '-'], { input: await speak() })
  assert.equal((await detect(mp3, 'take.mp3')).json().is_watermarked, true)
})

test('files that cannot be searched are refused', async () => {
  assert.equal((await detect(await speak(), 'take.txt')).status, 400)
  assert.equal((await detect(Buffer.from('no sound at all'), 'take.wav')).status, 400)
  assert.equal((await detect(Buffer.alloc(0), 'take.wav')).status, 400)
  const none = new FormData()
  none.append('other', 'x')
  assert.equal((await (await open()).post('/watermark/detect', none)).status, 422)
})

test('the mark can be turned off, which the audit log records; other choices are stored', async () => {
  const world = await open()
  const status = async () => (await world.get('/watermark/status')).json()
  const kinds = async () =>
    (await readAudit(join(world.dataDir, 'studio.db'))).flatMap(({ kind }) => (kind.startsWith('mark-') ? [kind] : []))
  const earlier = (await kinds()).length
  const choices = { invisible_enabled: true, visible_audio_enabled: false, visible_video_enabled: true }
  const before = { ...choices, detector_available: true, audioseal_available: true }
  assert.deepEqual(await status(), before)
  assert.deepEqual((await world.post('/watermark/settings')).json(), choices)
  const changed = await world.post('/watermark/settings?invisible=false&visible_audio=true')
  assert.deepEqual(changed.json(), { ...choices, invisible_enabled: false, visible_audio_enabled: true })
  assert.equal((await detect(await speak({ seed: 5 }))).json().is_watermarked, false)
  assert.equal((await world.post('/watermark/settings?invisible=maybe')).status, 422)
  await world.restart('SIGKILL')
  assert.equal((await status()).invisible_enabled, false)
  await world.post('/watermark/settings?invisible=true&visible_audio=false')
  assert.deepEqual(await status(), before)
  assert.equal((await detect(await speak({ seed: 6 }))).json().is_watermarked, true)
  assert.deepEqual((await kinds()).slice(earlier), ['mark-off', 'mark-on'])
})
