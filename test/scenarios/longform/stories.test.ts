// POST /stories/encode over HTTP.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseBuffer } from 'music-metadata'
import { createStories, formatOf, kbpsOf } from '#control-plane/features/books/stories/stories.service.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const skip = findProgram('ffmpeg', process.env['PATH']) ? false : 'ffmpeg is not on PATH'
const open = sharedWorld()
const WAV = spokenWav({ seconds: 1, rate: 44_100, channels: 2 })

function form(fields: Readonly<Record<string, string>>, file: Uint8Array<ArrayBuffer> | null = WAV): FormData {
  const data = new FormData()
  if (file) data.set('file', new Blob([file]), 'story.wav')
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

test('a story becomes MP3, M4B or Ogg, with its channels and the bitrate', { skip }, async () => {
  const world = await open()
  for (const [format, type, codec] of [
    ['MP3', 'audio/mpeg', /MPEG/],
    ['m4b', 'audio/mp4', /AAC/],
    ['Ogg', 'audio/ogg', /Opus/],
  ] as const) {
    const reply = await world.post('/stories/encode', form({ format, bitrate: '96k' }))
    assert.equal(reply.status, 200, reply.body.toString())
    assert.equal(reply.headers.get('content-type'), type)
    assert.equal(reply.headers.get('content-disposition'), `attachment; filename="story.${format.toLowerCase()}"`)
    assert.equal(Number(reply.headers.get('content-length')), reply.body.length)
    const { format: parsed } = await parseBuffer(reply.body, type, { duration: true })
    assert.match(parsed.codec!, codec)
    assert.equal(parsed.numberOfChannels, 2)
    assert.ok(Math.abs(parsed.duration! - 1) < 0.1, `${parsed.duration} s`)
  }
  const standard = await world.post('/stories/encode', form({ bitrate: '128 kbit' }))
  assert.equal((await parseBuffer(standard.body, 'audio/mpeg')).format.bitrate, 192_000)
  await eventually(() => readdirSync(join(world.dataDir, 'uploads')).length === 0)
})

test('unknown formats and files that are no audio are refused with 400', { skip }, async () => {
  const world = await open()
  assert.equal((await world.post('/stories/encode', form({ format: 'wma' }))).status, 400)
  for (const bytes of ['no audio', '#EXTM3U\nfile:///etc/passwd\n', '']) {
    const reply = await world.post('/stories/encode', form({}, new Uint8Array(Buffer.from(bytes))))
    assert.equal(reply.status, 400, reply.body.toString())
    assert.ok(!reply.body.toString().includes(world.dataDir))
  }
  assert.equal((await world.post('/stories/encode', form({}, null))).status, 422)
  await eventually(() => readdirSync(join(world.dataDir, 'uploads')).length === 0)
})

test('without ffmpeg the answer is 501', async () => {
  const stories = createStories({ clock: systemClock, ffmpegPath: () => null })
  const encoding = stories.encode({ path: '/none', filename: 'a.wav', size: 1 }, {}, new AbortController().signal)
  await assert.rejects(encoding, { code: 'PROGRAM_MISSING' })
})

test('formats ignore case, and bitrates stay within what encoders accept', () => {
  assert.deepEqual(['MP3', ' m4b', 'OGG', 'constructor', ''].map(formatOf), ['mp3', 'm4b', 'ogg', null, null])
  assert.deepEqual(
    ['64k', '999k', '00k', '9k', '1000k', '96', '96K', ''].map((text) => kbpsOf(text, 'mp3')),
    [64, 320, 8, 192, 192, 192, 192, 192],
  )
  assert.equal(kbpsOf('320k', 'ogg'), 256)
})
