import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { createMedia, type EncodeRequest } from '#control-plane/media/encode.ts'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { CEILING } from '#shared/audio/master/master.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { peakOf, seeded, speech, tone } from '#test/shared/audio/signal.ts'
import { readMp3 } from '#test/support/audio/mp3.ts'
import { mainThreadSeconds, ownCpuSeconds } from '#test/support/world/process.ts'
import { eventually } from '#test/support/world/world.ts'

const RATE = 16000
const ffmpegPath = findProgram('ffmpeg', process.env['PATH'])
const withFfmpeg = { skip: ffmpegPath ? false : 'ffmpeg is not on PATH' }
const media = createMedia({ log: silentLog, clock: systemClock, ffmpegPath: () => ffmpegPath, threads: 2, spoolFolder: tmpdir() })
before(() => media.start())
after(() => media.stop())

const SOUND = Buffer.from(toS16(speech(6, RATE, 5)))

/** Pieces of uneven, also odd, sizes, as views on one buffer. */
async function* pieces(bytes: Uint8Array, longest = 20_000, seed = 1) {
  const random = seeded(seed)
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random() * longest)
    yield bytes.subarray(at, at + size)
    at += size
  }
}
const encode = (request: Partial<EncodeRequest>) =>
  media.encode({
    format: 'pcm',
    sampleRate: RATE,
    source: pieces(SOUND),
    mark: null,
    effects: null,
    master: false,
    signal: new AbortController().signal,
    ...request,
  })
async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}
const bytesOf = async (request: Partial<EncodeRequest>) => collect((await encode(request)).body)
/** Running child processes of this process; empty if the system does not list them. */
const children = (): string[] =>
  existsSync('/proc/self/task')
    ? readdirSync('/proc/self/task').flatMap((thread) =>
        readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
      )
    : []
const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`)

test('pcm and wav are lossless, and wav has the correct length', async () => {
  assert.deepEqual(await bytesOf({ format: 'pcm' }), SOUND)
  const wav = await encode({ format: 'wav' })
  const bytes = await collect(wav.body)
  assert.deepEqual([wav.contentType, wav.extension, wav.contentLength, wav.standIn], ['audio/wav', 'wav', bytes.length, null])
  assert.deepEqual(bytes.subarray(44), SOUND)
  assert.equal(parseWav(bytes).samples.length, SOUND.length / 2)
})

test('another output rate keeps the duration, the mark and the ceiling', async () => {
  const key = new TextEncoder().encode('studio')
  const source = () => pieces(toS16(speech(12, RATE, 6).map((s) => s / 8)))
  const request = { outputRate: 24_000, master: true, mark: { key, payload: 99 } } as const
  const samples = fromS16(await bytesOf({ ...request, source: source() }))
  near(samples.length / 24_000, 12, 0.001)
  near(peakOf(samples), CEILING, 0.15)
  assert.equal(detectMark(samples, 24_000, [key]).payload, 99)
  assert.equal(parseWav(await bytesOf({ ...request, format: 'wav', source: source() })).sampleRate, 24_000)
})

test('mp3 consists of whole frames of a legal rate and matches the length of the audio', async () => {
  for (const [sampleRate, expected] of [
    [8000, 16000],
    [16000, 16000],
    [22050, 22050],
    [24000, 24000],
    [48000, 48000],
  ] as const) {
    const encoded = await encode({ format: 'mp3', sampleRate, source: pieces(toS16(tone(2, sampleRate, 440, 0.3))) })
    assert.deepEqual([encoded.contentType, encoded.extension, encoded.contentLength], ['audio/mpeg', 'mp3', null])
    const file = readMp3(await collect(encoded.body))
    assert.deepEqual([file.sampleRate, file.kbps], [expected, 128])
    near(file.seconds, 2, 0.2)
  }
  assert.equal(readMp3(await bytesOf({ format: 'mp3', bitrateKbps: 50 })).kbps, 48)
  assert.equal(readMp3(await bytesOf({ format: 'mp3', bitrateKbps: 1000 })).kbps, 160)
})

test('the bytes do not depend on the split of the input', async () => {
  const all = { format: 'mp3', master: true, effects: 'broadcast', mark: { key: Uint8Array.of(1, 2), payload: 7 } } as const
  const whole = await bytesOf({ ...all, source: pieces(SOUND, 2 ** 22) })
  for (const seed of [2, 3]) assert.deepEqual(await bytesOf({ ...all, source: pieces(SOUND, 7000, seed) }), whole)
})

test('output is mastered and marked', async () => {
  const key = new TextEncoder().encode('studio')
  const samples = fromS16(
    await bytesOf({ master: true, mark: { key, payload: 99 }, source: pieces(toS16(speech(12, RATE, 6).map((s) => s / 8))) }),
  )
  near(peakOf(samples), CEILING, 0.15)
  assert.equal(detectMark(samples, RATE, [key]).payload, 99)
})

for (const [format, contentType, extension] of [
  ['opus', 'audio/ogg', 'opus'],
  ['aac', 'audio/aac', 'aac'],
  ['flac', 'audio/flac', 'flac'],
] as const) {
  test(`${format} comes from ffmpeg and decodes to the same length`, withFfmpeg, async () => {
    const encoded = await encode({ format })
    assert.deepEqual([encoded.contentType, encoded.extension, encoded.standIn], [contentType, extension, null])
    const decoded = execFileSync(ffmpegPath!, ['-v', 'error', '-i', '-', '-f', 's16le', '-ar', String(RATE), '-ac', '1', '-'], {
      input: await collect(encoded.body),
    })
    if (format === 'flac') assert.ok(decoded.equals(SOUND), 'lossless, from the first sample to the last')
    near(decoded.length / 2 / RATE, 6, 0.2)
  })
}

test('flac is complete before its first byte, and its header has its length', withFfmpeg, async () => {
  // More than the spool keeps in memory: silence would be compressed to nothing.
  const long = Buffer.concat(Array.from({ length: 30 }, () => SOUND))
  for (const sound of [SOUND, long]) {
    const encoded = await encode({ format: 'flac', source: pieces(sound) })
    const bytes = await collect(encoded.body)
    assert.equal(encoded.contentLength, bytes.length)
    assert.equal((bytes[21]! & 15) * 2 ** 32 + bytes.readUInt32BE(22), sound.length / 2)
  }
})

test('the first bytes are sent before the audio ends', async () => {
  const formats = ffmpegPath ? (['mp3', 'pcm', 'opus', 'aac'] as const) : (['mp3', 'pcm'] as const)
  for (const format of formats) {
    const rest = Promise.withResolvers<void>()
    let ended = false
    async function* source() {
      yield SOUND.subarray(0, 4 * RATE * 2)
      await rest.promise
      ended = true
      yield SOUND.subarray(4 * RATE * 2)
    }
    const { body } = await encode({ format, source: source(), master: true })
    assert.equal(ended, false, format)
    rest.resolve()
    assert.ok((await collect(body)).length > 0)
  }
})

test('a minute of audio does not block the event loop', async () => {
  const minute = Buffer.concat(Array.from({ length: 10 }, () => SOUND))
  const [own, all] = [mainThreadSeconds(), ownCpuSeconds()]
  await bytesOf({ format: 'mp3', source: pieces(minute), master: true, effects: 'podcast', mark: { key: Uint8Array.of(1), payload: 1 } })
  const [main, total] = [mainThreadSeconds() - own, ownCpuSeconds() - all]
  assert.ok(main < total / 4, `the main thread used ${main} of ${total} s`)
})

test('twenty concurrent streams are correct', async () => {
  const sounds = Array.from({ length: 20 }, (_, i) => Buffer.from(toS16(tone(1 + i / 10, RATE, 200 + 20 * i, 0.3))))
  const done = await Promise.all(sounds.map((sound, i) => bytesOf({ source: pieces(sound, 9000, i), format: i % 2 ? 'pcm' : 'mp3' })))
  done.forEach((bytes, i) => {
    if (i % 2) assert.deepEqual(bytes, sounds[i])
    else near(readMp3(bytes).seconds, 1 + i / 10, 0.2)
  })
})

test('a slow reader slows the source', async () => {
  let pulled = 0
  async function* endless() {
    for (;;) {
      pulled += 32_000
      yield new Uint8Array(32_000)
    }
  }
  const { body } = await encode({ source: endless() })
  const reader = body[Symbol.asyncIterator]()
  for (let before = -1; before !== pulled; await systemClock.sleep(100)) before = pulled
  assert.ok(pulled <= 2 ** 20, `${pulled} bytes were read without a reader`)
  const held = pulled
  for (let i = 0; i < 40; i++) await reader.next()
  await eventually(() => pulled > held)
  await reader.return?.()
})

function endlessSource() {
  let returned = false
  const next = async () => {
    await systemClock.sleep(1)
    return { done: false, value: SOUND }
  }
  const leave = async () => {
    returned = true
    return { done: true as const, value: undefined }
  }
  const source: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next, return: leave }) }
  return { source, wasReturned: () => returned }
}

for (const format of ['mp3', 'opus'] as const) {
  test(`an abort midway frees everything (${format})`, format === 'opus' ? withFfmpeg : {}, async () => {
    const before = children()
    const stop = new AbortController()
    const { source, wasReturned } = endlessSource()
    const { body } = await encode({ format, source, signal: stop.signal })
    const reason = new Error('the client disconnected')
    await assert.rejects(async () => {
      for await (const _ of body) stop.abort(reason)
    }, reason)
    assert.ok(wasReturned())
    const remaining = () => children().filter((child) => !before.includes(child))
    await eventually(() => remaining().length === 0)
    await assert.rejects(encode({ format, signal: stop.signal }), reason)
    assert.ok((await bytesOf({ format })).length > 0, 'and the next stream works')
  })
}

test('an unread body is freed when it is cancelled', async () => {
  const { source, wasReturned } = endlessSource()
  const { body } = await encode({ source })
  await body[Symbol.asyncIterator]().return?.()
  assert.ok(wasReturned())
})

test('a failing source fails the stream, before the first byte and after it', async () => {
  async function* broken(bytes: Uint8Array) {
    yield bytes
    throw new Error('the engine stopped')
  }
  await assert.rejects(encode({ format: 'wav', source: broken(SOUND) }), /the engine stopped/)
  await assert.rejects(encode({ format: 'mp3', source: broken(new Uint8Array(0)) }), { code: 'UNKNOWN', message: /the engine stopped/ })
  if (ffmpegPath) await assert.rejects(encode({ format: 'opus', source: broken(new Uint8Array(0)) }), /the engine stopped/)
})

test('an empty source gives an empty file, not a failure', async () => {
  const none = { source: pieces(new Uint8Array(0)), master: true, mark: { key: Uint8Array.of(1), payload: 1 } }
  assert.equal((await bytesOf({ ...none, format: 'pcm' })).length, 0)
  assert.equal((await bytesOf({ ...none, format: 'wav' })).length, 44)
  assert.ok(readMp3(await bytesOf({ ...none, format: 'mp3' })).seconds < 0.2)
})

test('background encoding gives the same bytes in threads below the priority of engines', {
  skip: existsSync('/proc/self/task') ? false : 'this system has no priority for each thread',
}, async () => {
  const NICENESS = 16 // of the fields behind the name
  const lowered = () =>
    readdirSync('/proc/self/task').filter((thread) => {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
      return Number(fields[NICENESS]) === constants.priority.PRIORITY_LOW
    })
  const request = {
    format: 'mp3' as const,
    effects: null,
    master: false,
    mark: null,
    sampleRate: RATE,
    signal: new AbortController().signal,
  }
  const plain = await collect((await media.encode({ ...request, source: pieces(SOUND) })).body)
  assert.deepEqual(lowered(), [])
  const background = await collect((await media.background.encode({ ...request, source: pieces(SOUND) })).body)
  assert.equal(lowered().length, 1)
  assert.ok(background.equals(plain))
})
