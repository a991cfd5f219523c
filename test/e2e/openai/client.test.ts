// The API through the official OpenAI client: what an application gets that changes only its base URL.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import OpenAI from 'openai'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { readMp3 } from '#test/support/audio/mp3.ts'
import { fromPcm, levelDb } from '#test/support/audio/sound.ts'
import { sharedWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const TEXT =
  'The studio speaks on this machine. Nothing that it says leaves the house. A second sentence follows the first one. And a fourth one ends the text.'
/** Long enough that generating it takes a while, even with a fast engine. */
const LONG = Array.from(
  { length: 4 },
  (_, i) =>
    `Sentence number ${i + 1} is a rather long one, because it has to keep the engine at work for as long as one sentence can, and so it goes on about the weather, the price of bread, the colour of the sea in winter, the noise of the trains at night and the many things a patient listener may hear.`,
).join(' ')
const RATE = 24_000
const PCM_RATE = 24_000
const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
type Format = (typeof FORMATS)[number]
const TYPES: Record<Format, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}
const ffprobe = findProgram('ffprobe', process.env['PATH'])
const ffmpeg = findProgram('ffmpeg', process.env['PATH'])
const withFfmpeg = { skip: ffmpeg && ffprobe ? false : 'ffmpeg is not on PATH' }

const clientOf = (world: World) => new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any', maxRetries: 0 })
const speak = (client: OpenAI, format: Format, input = TEXT) =>
  client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input, response_format: format })
const bytesOf = async (response: { arrayBuffer: () => Promise<ArrayBuffer> }) => Buffer.from(await response.arrayBuffer())

/** Duration and codec according to an independent program. */
function probe(t: TestContext, bytes: Buffer, format: Format): { codec: string; seconds: number } {
  const path = join(temporaryFolder(t), `speech.${format}`)
  writeFileSync(path, bytes)
  const codec = execFileSync(ffprobe!, ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path], { encoding: 'utf8' })
  const raw = execFileSync(ffmpeg!, ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', String(RATE), 'pipe:1'], {
    maxBuffer: 2 ** 26,
  })
  return { codec: codec.trim(), seconds: raw.length / 2 / RATE }
}

const open = sharedWorld()
const withoutPrograms = sharedWorld({ env: { PATH: '/nowhere' } })

test('the official client', async (t) => {
  const world = await open()
  const client = clientOf(world)
  const got: Partial<Record<Format, Buffer>> = {}

  await t.test('receives every requested format', async () => {
    for (const format of FORMATS) {
      const response = await speak(client, format)
      assert.equal(response.status, 200)
      const encoded = ffmpeg || !['opus', 'aac', 'flac'].includes(format) ? format : 'wav'
      assert.equal(response.headers.get('content-type'), TYPES[encoded])
      assert.equal(response.headers.get('content-disposition'), `inline; filename="speech.${encoded}"`)
      assert.match(response.headers.get('x-svc-backend')!, /^\d+\.\d+\.\d+$/)
      got[format] = await bytesOf(response)
    }
  })

  await t.test('the durations of mp3, wav and pcm agree', () => {
    const wav = parseWav(got.wav!)
    assert.deepEqual([wav.sampleRate, wav.channels], [RATE, 1])
    const wavSeconds = wav.samples.length / wav.sampleRate
    const pcm = fromPcm(got.pcm!)
    const mp3 = readMp3(got.mp3!)
    assert.equal(mp3.sampleRate, RATE)
    assert.ok(wavSeconds > 6 && wavSeconds < 15, `${wavSeconds} s for ${TEXT.length} characters`)
    for (const [name, seconds] of Object.entries({ mp3: mp3.seconds, pcm: pcm.length / PCM_RATE }))
      assert.ok(Math.abs(seconds / wavSeconds - 1) < 0.03, `${name}: ${seconds} s, wav: ${wavSeconds} s`)
    for (const samples of [wav.samples, pcm]) assert.ok(levelDb(samples) > -30, `${levelDb(samples)} dB is close to silence`)
  })

  await t.test('an independent decoder measures the same duration in every format', withFfmpeg, (t) => {
    const wavSeconds = parseWav(got.wav!).samples.length / RATE
    const codecs = { mp3: 'mp3', opus: 'opus', aac: 'aac', flac: 'flac', wav: 'pcm_s16le' } as const
    for (const [format, expected] of Object.entries(codecs) as [Format, string][]) {
      const { codec, seconds } = probe(t, got[format]!, format)
      assert.equal(codec, expected)
      assert.ok(Math.abs(seconds / wavSeconds - 1) < 0.03, `${format}: ${seconds} s, wav: ${wavSeconds} s`)
    }
  })

  for (const format of ['mp3', 'pcm'] as const) {
    await t.test(`${format}: the first audio of four sentences arrives long before the last`, async () => {
      const startedAt = performance.now()
      const response = await speak(client, format, LONG)
      let [firstMs, pieces, size] = [0, 0, 0]
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        firstMs ||= performance.now() - startedAt
        pieces++
        size += piece.length
      }
      const totalMs = performance.now() - startedAt
      assert.ok(pieces >= 4, `${pieces} pieces`)
      assert.ok(size > 400_000, `${size} bytes`)
      assert.ok(firstMs < 0.6 * totalMs, `first sound after ${firstMs.toFixed()} of ${totalMs.toFixed()} ms`)
    })
  }

  await t.test('reads the list of voices', async () => {
    const { voices, engines } = (await client.get('/audio/voices')) as {
      voices: { voice_id: string; name: string; type: string }[]
      engines: { id: string; available: boolean; voices: { id: string }[] }[]
    }
    assert.deepEqual(
      voices.map(({ voice_id, name, type }) => [voice_id, name, type]),
      ['Alloy', 'Echo', 'Fable', 'Nova', 'Onyx', 'Shimmer'].map((name) => [name.toLowerCase(), name, 'openai_alias']),
    )
    const speaking = engines.filter(({ available }) => available)
    assert.ok(speaking.some(({ id }) => id === 'svc-engine'))
    assert.deepEqual(
      engines.find(({ id }) => id === 'svc-engine')!.voices.map(({ id }) => id),
      ['heart'],
    )
    assert.equal(engines.find(({ id }) => id === 'flite')!.voices.length, 5)
  })

  await t.test('receives errors as instances of its own error classes', async () => {
    const wrong = { model: 'tts-1', voice: 'alloy', input: 'x'.repeat(4097) } as const
    await assert.rejects(client.audio.speech.create(wrong), (error) => error instanceof OpenAI.BadRequestError)
    await assert.rejects(
      client.audio.speech.create({ ...wrong, input: 'x', model: 'no-such-model' }),
      (error) => error instanceof OpenAI.NotFoundError && JSON.stringify(error.error ?? error.message).includes('no-such-model'),
    )
  })
})

test('without ffmpeg on PATH the formats that need it are answered as WAV, with the reason', async () => {
  const client = clientOf(await withoutPrograms())
  for (const format of ['opus', 'aac', 'flac'] as const) {
    const response = await speak(client, format, 'Hello.')
    assert.equal(response.headers.get('content-type'), 'audio/wav')
    assert.equal(response.headers.get('content-disposition'), 'inline; filename="speech.wav"')
    assert.match(response.headers.get('x-svc-routing-reason')!, new RegExp(`no ffmpeg on this machine to make ${format}`))
    const bytes = await bytesOf(response)
    assert.equal(response.headers.get('content-length'), String(bytes.length))
    assert.ok(parseWav(bytes).samples.length > RATE / 4)
  }
  for (const format of ['mp3', 'wav', 'pcm'] as const) {
    const response = await speak(client, format, 'Hello.')
    assert.equal(response.headers.get('content-type'), TYPES[format])
    assert.doesNotMatch(response.headers.get('x-svc-routing-reason') ?? '', /ffmpeg/)
    await bytesOf(response)
  }
})
