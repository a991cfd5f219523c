import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { decodeLive } from '#control-plane/media/ffmpeg/live-decoder.ts'
import { createIntake } from '#control-plane/media/intake.ts'
import { FOR_RECOGNITION, LONGEST_SECONDS, REFERENCE } from '#control-plane/media/recording.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const ffmpegPath = findProgram('ffmpeg', process.env['PATH']) ?? null
const needsFfmpeg = { skip: ffmpegPath ? false : 'ffmpeg is not on this machine; ./studio setup installs it' }
const never = new AbortController().signal
const budget = createDiskBudget({ folder: tmpdir() })
const intake = createIntake({ ffmpegPath: () => ffmpegPath, clock, budget })
const alone = createIntake({ ffmpegPath: () => null, clock, budget })

function tone(rate: number, seconds: number, channels = 1): Float32Array {
  const samples = new Float32Array(rate * seconds * channels)
  for (let frame = 0; frame < rate * seconds; frame++)
    samples.fill(0.5 * Math.sin((2 * Math.PI * 440 * frame) / rate), frame * channels, (frame + 1) * channels)
  return samples
}
function wav(rate: number, seconds: number, channels = 1): Buffer {
  const pcm = toS16(tone(rate, seconds, channels))
  return Buffer.concat([wavHeader({ sampleRate: rate, channels, samples: pcm.length / 2 / channels }), pcm])
}
function file(t: TestContext, bytes: Uint8Array, name = 'upload'): string {
  const path = join(temporaryFolder(t), name)
  writeFileSync(path, bytes)
  return path
}
/** A file of silence whose samples take no space on the disk. */
function longWav(t: TestContext, sampleRate: number, seconds: number, channels = 1): string {
  const samples = seconds * sampleRate
  const path = file(t, wavHeader({ sampleRate, channels, samples }))
  truncateSync(path, statSync(path).size + 2 * channels * samples)
  return path
}
const loudness = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length)
/** Zero crossings upwards in a second. */
const pitch = (samples: Float32Array, rate: number) =>
  (samples.reduce((count, x, at) => count + (at > 0 && samples[at - 1]! < 0 && x >= 0 ? 1 : 0), 0) * rate) / samples.length

async function refusalOf(read: Promise<unknown>): Promise<string> {
  const error = await read.then(
    () => assert.fail('it was read'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Failure, String(error))
  assert.equal(error.code, 'BAD_REQUEST', error.message)
  assert.doesNotMatch(error.message, /\/tmp\//, 'no path of the studio is reported')
  return error.message
}

test('a WAV of any rate becomes 16 kHz mono of the same length and pitch, without any program', async (t) => {
  for (const [rate, channels] of [
    [8_000, 1],
    [16_000, 1],
    [24_000, 2],
    [44_100, 2],
    [384_000, 8],
  ] as const) {
    const { wav: made, seconds } = await alone.read(file(t, wav(rate, 2, channels)), never)
    const { sampleRate, channels: count, samples } = parseWav(made)
    assert.deepEqual([sampleRate, count, seconds, samples.length], [16_000, 1, 2, 32_000], `${rate} Hz`)
    assert.ok(Math.abs(pitch(samples, 16_000) - 440) < 2, `${rate} Hz: ${pitch(samples, 16_000)}`)
    assert.ok(Math.abs(loudness(samples) - 0.3535) < 0.01, `${rate} Hz: ${loudness(samples)}`)
  }
})

test('16 kHz mono audio is unchanged', async (t) => {
  const bytes = wav(16_000, 1)
  assert.ok((await alone.read(file(t, bytes), never)).wav.equals(bytes))
})

test('other formats are converted by ffmpeg', needsFfmpeg, async (t) => {
  const source = file(t, wav(44_100, 2, 2), 'source.wav')
  const folder = temporaryFolder(t)
  const paths = ['a.mp3', 'a.flac', 'a.ogg', 'a.m4a', 'a.webm', 'a.mkv'].map((name) => join(folder, name))
  execFileSync(ffmpegPath!, ['-loglevel', 'error', '-i', source, ...paths])
  for (const path of paths) {
    const name = basename(path)
    const { wav: made, seconds } = await intake.read(path, never)
    assert.ok(Math.abs(seconds - 2) < 0.2, `${name}: ${seconds} s`)
    const { samples } = parseWav(made)
    assert.ok(Math.abs(pitch(samples, 16_000) - 440) < 30, `${name}: ${pitch(samples, 16_000)}`)
  }
})

test('a channel that is upside down is no silence, with and without ffmpeg', async (t) => {
  const [left, upsideDown] = [tone(16_000, 2), tone(16_000, 2).map((sample) => -sample)]
  const pcm = toS16(Float32Array.from({ length: 64_000 }, (_, at) => (at % 2 === 0 ? left : upsideDown)[at >> 1]!))
  const path = file(t, Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 2, samples: 32_000 }), pcm]), 'upside-down.wav')
  const isHeard = async (from: string) => {
    for (const wanted of [FOR_RECOGNITION, REFERENCE]) {
      const { samples, sampleRate } = parseWav((await intake.read(from, never, wanted)).wav)
      assert.ok(Math.abs(loudness(samples) - 0.3535) < 0.02, `${basename(from)}: ${loudness(samples)}`)
      assert.ok(Math.abs(pitch(samples, sampleRate) - 440) < 10)
    }
  }
  await isHeard(path)
  if (!ffmpegPath) return
  const paths = ['a.flac', 'a.mp3', 'a.webm', 'a.mkv'].map((name) => join(temporaryFolder(t), name))
  execFileSync(ffmpegPath, ['-loglevel', 'error', '-i', path, ...paths])
  for (const made of paths) await isHeard(made)
  const pieces: Buffer[] = []
  for await (const piece of decodeLive(ffmpegPath, Readable.from([readFileSync(paths[2]!)]), 16_000, never)) pieces.push(piece)
  const decoded = fromS16(Buffer.concat(pieces))
  assert.ok(Math.abs(loudness(decoded) - 0.3535) < 0.02, `while it arrives: ${loudness(decoded)}`)
})

test('without ffmpeg the refusal names the missing program', async (t) => {
  assert.match(await refusalOf(alone.read(file(t, Buffer.from('ID3 and so on')), never)), /ffmpeg.*not on this machine.*setup/)
})

test('invalid and oversized recordings are refused with the reason', async (t) => {
  const header = (samples: number, sampleRate = 16_000, channels = 1) => Buffer.from(wavHeader({ sampleRate, channels, samples }))
  const noise = Buffer.from(Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919 + (at >> 3) * 104_729) % 251))
  const float = header(2)
  float.writeUInt16LE(3, 20)
  float.writeUInt16LE(32, 34)
  for (const [bytes, reason] of [
    [Buffer.alloc(0), /empty/],
    [header(0), /no sound/],
    [wav(16_000, 2).subarray(0, 30), /cut off|no samples/],
    [Buffer.concat([header(100, 500_000), Buffer.alloc(200)]), /500000 Hz/],
    [Buffer.concat([header(100, 16_000, 9), Buffer.alloc(1800)]), /9 channels/],
    [Buffer.concat([header(100, 1), Buffer.alloc(200)]), /1 Hz/],
    [Buffer.concat([float, Buffer.from(Float32Array.of(Number.NaN).buffer)]), /no numbers/],
  ] as const)
    assert.match(await refusalOf(alone.read(file(t, bytes), never)), reason)
  if (ffmpegPath) {
    for (const bytes of [noise, Buffer.from('%PDF-1.4 nothing to hear'), Buffer.from('PK\x03\x04 a zip, perhaps encrypted')])
      assert.match(
        await refusalOf(intake.read(file(t, bytes), never)),
        /^The recording cannot be read: it is damaged, or of a kind that is not supported\.$/,
      )
  }
})

test('a recording that is cut off is read as far as it goes, with a remark', async (t) => {
  const whole = wav(16_000, 20)
  const remarkOf = async (path: string, seconds: number, by = intake, within = 0.2) => {
    const { remark, seconds: read, wav: made } = await by.read(path, never)
    assert.ok(
      Math.abs(read - seconds) < within && Math.abs(loudness(parseWav(made).samples) - 0.3535) < 0.02,
      `${basename(path)}: ${read} s`,
    )
    return remark
  }
  assert.equal(
    await remarkOf(file(t, whole.subarray(0, 44 + 12 * 32_000)), 12, alone),
    'The file is cut off: 8.0 s of sound at its end are missing.',
  )
  assert.equal(
    await remarkOf(file(t, whole.subarray(0, 44 + 12 * 32_000 - 1)), 12, alone),
    'The file is cut off: 8.0 s of sound at its end are missing.',
  )
  const { remark, remove } = await alone.split(file(t, whole.subarray(0, 44 + 12 * 32_000)), never)
  assert.match(remark ?? '', /8\.0 s/)
  await remove()
  // The header of a stream, and one that counts itself.
  const streamed = Buffer.from(whole)
  streamed.writeUInt32LE(0xffffffff, 40)
  const proud = Buffer.from(whole)
  proud.writeUInt32LE(proud.readUInt32LE(40) + 44, 40)
  for (const bytes of [whole, streamed, proud]) assert.equal(await remarkOf(file(t, bytes), 20, alone), null)
  if (!ffmpegPath) return
  const folder = temporaryFolder(t)
  const source = file(t, whole, 'source.wav')
  for (const name of ['a.mka', 'a.webm', 'a.m4a']) {
    const path = join(folder, name)
    execFileSync(ffmpegPath, ['-loglevel', 'error', '-i', source, '-movflags', '+faststart', path])
    assert.equal(await remarkOf(path, 20), null, name)
    truncateSync(path, Math.round(statSync(path).size * 0.6))
    assert.equal(await remarkOf(path, 12, intake, 3), 'The file is cut off: sound at its end is missing.', name)
  }
})

test('ten hours in any format are refused before they are in memory', async (t) => {
  const seconds = 10 * 3600
  const reason = new RegExp(`longer than ${Math.floor(LONGEST_SECONDS / 60)} minutes`)
  assert.match(await refusalOf(alone.read(longWav(t, 1_000, seconds), never)), reason)
  if (!ffmpegPath) return
  // Other formats are refused at the sample with which they are too long. A low limit: until then they are decoded.
  const flac = join(temporaryFolder(t), 'long.flac')
  execFileSync(ffmpegPath, ['-loglevel', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=1000:cl=mono', '-t', '600', flac])
  assert.match(await refusalOf(intake.read(flac, never, { ...FOR_RECOGNITION, longestSeconds: 120 })), /longer than 2 minutes/)
})

test('a long recording is split into parts that add up to it and can be removed', async (t) => {
  const path = file(t, wav(8_000, 25))
  const { parts, seconds, remove } = await alone.split(path, never, { sampleRate: 16_000, longestSeconds: 10, searchSeconds: 2 })
  assert.equal(seconds, 25)
  assert.equal(parts.length, 3)
  let from = 0
  for (const part of parts) {
    const { samples, sampleRate } = parseWav(readFileSync(part.path))
    assert.deepEqual([sampleRate, samples.length / sampleRate, part.from], [16_000, part.seconds, from])
    assert.ok(part.seconds <= 10 && Math.abs(pitch(samples, 16_000) - 440) < 2)
    from += part.seconds
  }
  assert.equal(from, seconds)
  await remove()
  assert.ok(parts.every((part) => !existsSync(part.path)))

  assert.match(await refusalOf(alone.split(longWav(t, 1_000, 11 * 3600), never)), /longer than 10 hours/)
  const cut = file(t, wav(16_000, 2).subarray(0, 40))
  assert.match(await refusalOf(alone.split(cut, never)), /cannot be read/)
  assert.ok(!existsSync(`${cut}.part0`))
})

test('the parts of a recording count as disk space of uploads, and a recording that needs too much leaves none behind', async (t) => {
  const small = createDiskBudget({ folder: tmpdir(), bytesPerClient: 500_000 })
  const bounded = createIntake({ ffmpegPath: () => null, clock, budget: small })
  const path = file(t, wav(8_000, 25))
  const cutting = { sampleRate: 16_000, longestSeconds: 10, searchSeconds: 2 }
  await assert.rejects(bounded.split(path, never, cutting), { code: 'QUEUE_FULL' })
  assert.ok(!existsSync(`${path}.part0`))
  const { remove } = await bounded.split(file(t, wav(8_000, 12)), never, cutting)
  await assert.rejects(small.open().take(200_000), { code: 'QUEUE_FULL' })
  await remove()
  await small.open().take(200_000)
})

test('a play list that names other files is not followed', needsFfmpeg, async (t) => {
  const secret = file(t, wav(16_000, 1), 'secret.wav')
  for (const list of [
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile ${secret}\n`,
  ])
    await refusalOf(intake.read(file(t, Buffer.from(list), 'list.m3u8'), never))
})

test('a disconnecting client stops the conversion', async (t) => {
  const abort = new AbortController()
  const reading = alone.read(longWav(t, 48_000, 60, 2), abort.signal)
  abort.abort(new Failure('CANCELLED', 'The client disconnected.'))
  await assert.rejects(reading, (error) => error instanceof Failure && error.code === 'CANCELLED')
})

test('recordings in a row share a thread, and the one after an interrupted one has a new thread', async (t) => {
  let threads = 0
  const count = () => void threads++
  process.on('worker', count)
  t.after(() => process.off('worker', count))
  const stop = new AbortController()
  const interrupted = { take: async () => stop.abort(new Failure('CANCELLED', 'The client disconnected.')), release: () => {} }
  const own = createIntake({ ffmpegPath: () => null, clock, budget: { open: () => interrupted } })
  const bytes = wav(16_000, 1)
  const isRead = async () => assert.ok((await own.read(file(t, bytes), never)).wav.equals(bytes))
  await isRead()
  assert.match(await refusalOf(own.read(file(t, wav(16_000, 2).subarray(0, 40)), never)), /cannot be read/)
  for (let again = 0; again < 3; again++) await isRead()
  assert.equal(threads, 1)
  const cutting = { sampleRate: 16_000, longestSeconds: 10, searchSeconds: 2 }
  await assert.rejects(own.split(longWav(t, 8_000, 60), stop.signal, cutting), { code: 'CANCELLED' })
  await isRead()
  assert.equal(threads, 2)
})

test('a conversion that takes long goes on while it brings something, and one that stands still is ended', async (t) => {
  const gate = join(temporaryFolder(t), 'gate')
  // Each second of sound comes when its file is there; the third one never comes.
  const header = file(t, wavHeader({ sampleRate: 16_000, channels: 1, samples: 48_000 }), 'header')
  const body = `cat '${header}'; for part in 1 2 3; do while [ ! -e '${gate}'$part ]; do sleep 0.02; done; head -c 32000 /dev/zero; done`
  const slow = file(t, Buffer.from(`#!/bin/sh\n${body}\n`), 'ffmpeg')
  chmodSync(slow, 0o700)
  const time = createFakeClock()
  let armed = 0
  const counted = {
    ...time,
    after(ms: number, run: () => void) {
      armed++
      return time.after(ms, run)
    },
  }
  const patient = createIntake({ ffmpegPath: () => slow, clock: counted, budget })
  const ended = assert.rejects(patient.read(file(t, Buffer.from('OggS of a kind'), 'film'), never), {
    code: 'EXECUTION_TIMEOUT',
    message: /nothing came for 120 seconds/,
  })
  while (armed === 0) await turn()
  for (const part of [1, 2]) {
    time.advance(100_000)
    const before = armed
    writeFileSync(`${gate}${part}`, '')
    while (armed === before) await turn()
  }
  time.advance(120_000)
  await ended
})
