import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { createBookMedia } from '#control-plane/media/book/book-media.ts'
import { createFrameCounter } from '#control-plane/media/book/frames.ts'
import { createHistogramMeter } from '#shared/audio/master/histogram.ts'
import { concat } from '#shared/audio/stage.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { seeded, speech } from '#test/shared/audio/signal.ts'
import { readMp3 } from '#test/support/audio/mp3.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { bookStage, bytesOf, never, options, RATE, sourceOf, talk, withPrograms } from './stage.ts'

const { book, media, withoutPrograms, at, files } = bookStage()
const near = (actual: number | null, expected: number, tolerance: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`)

for (const codec of ['aac', 'mp3'] as const) {
  test(
    `a chapter reaches loudness and peak of its preset in the encoded ${codec} file, with equal bytes when it was measured before`,
    withPrograms,
    async () => {
      const first = await book.encodeChapter(talk(6), options(at(`a.${codec}`), { codec, preset: 'acx' }), never)
      near(first.loudness.integrated, -19, 0.4)
      assert.ok(first.loudness.truePeakDb <= -3 && first.loudness.ofFile)
      near(first.seconds, 6, 0.12)
      assert.equal(first.bytes, bytesOf(first.path).length)
      const measured = { ...talk(6), ...(await book.measureChapter(talk(6), never)) }
      await book.encodeChapter(measured, options(at(`b.${codec}`), { codec, preset: 'acx' }), never)
      assert.deepEqual(bytesOf(at(`b.${codec}`)), bytesOf(first.path))
    },
  )
}

test('MP3 needs no program, and its frames begin at once', async () => {
  const { path, samples, sampleRate, loudness } = await withoutPrograms.encodeChapter(
    talk(4, 2),
    options(at('c.mp3'), { codec: 'mp3', preset: 'podcast' }),
    never,
  )
  const mp3 = readMp3(bytesOf(path))
  assert.equal(samples, mp3.frames * 576)
  assert.equal(sampleRate, RATE)
  assert.ok(
    !bytesOf(path)
      .subarray(0, 200)
      .toString('latin1')
      .match(/Xing|Info/),
  )
  near(loudness.integrated, -16, 0.4)
  assert.equal(loudness.ofFile, false)
  await assert.rejects(withoutPrograms.encodeChapter(talk(1), options(at('no.mp3'), { codec: 'mp3' }), AbortSignal.abort('gone')), /gone/)
})

test('chapters whose sound is still rendered keep no other chapter waiting', async () => {
  const waiting = Array.from({ length: 3 }, (_, index) => {
    const gate = Promise.withResolvers<void>()
    const whole = talk(0.4, 7)
    async function* open() {
      await gate.promise
      yield* whole.open()
    }
    const source = { ...whole, open, isAwaited: true }
    return { gate, encoded: withoutPrograms.encodeChapter(source, options(at(`late-${index}.mp3`), { codec: 'mp3' }), never) }
  })
  await withoutPrograms.encodeChapter(talk(0.4, 7), options(at('early.mp3'), { codec: 'mp3' }), never)
  for (const { gate, encoded } of waiting) {
    gate.resolve()
    assert.deepEqual(bytesOf((await encoded).path), bytesOf(at('early.mp3')))
  }
})

test('an encoded chapter that ffmpeg cannot read, or a missing ffmpeg, is refused by name and leaves no file', async () => {
  const before = files()
  for (const [program, code, words] of [
    ['/bin/false', 'WORKER_FAILED', /^ffmpeg could not read an encoded chapter/],
    ['/no/such/program', 'PROGRAM_MISSING', /ffmpeg cannot be started/],
  ] as const) {
    const broken = createBookMedia({ media, clock: systemClock, atOnce: 1, ffmpegPath: () => program, ffprobePath: () => null })
    await assert.rejects(
      broken.encodeChapter(talk(0.4), options(at('unread.mp3'), { codec: 'mp3' }), never),
      (error: { code?: string; message: string }) => error.code === code && words.test(error.message),
    )
  }
  assert.deepEqual(files(), before)
})

test('the histograms of segments replace the first measurement', async () => {
  const parts = [3, 4, 5].map((seed) => speech(2, RATE, seed))
  const meter = createHistogramMeter(RATE)
  for (const part of parts) meter.push(part)
  let passes = 0
  const whole = sourceOf(concat(parts))
  const open = () => {
    passes++
    return whole.open()
  }
  const counting = { ...whole, open, histogram: meter.finish(), truePeak: 0.001 }
  const { loudness } = await withoutPrograms.encodeChapter(counting, options(at('d.mp3'), { codec: 'mp3', preset: 'acx' }), never)
  assert.equal(passes, 1)
  near(loudness.integrated, -19, 0.5)
})

test('silence stays silent, and a source that fails leaves no file', async () => {
  const silence = await withoutPrograms.encodeChapter(
    sourceOf(new Float32Array(RATE)),
    options(at('silent.mp3'), { codec: 'mp3', preset: 'podcast' }),
    never,
  )
  assert.equal(silence.loudness.integrated, null)
  const before = files()
  const broken = {
    ...talk(1),
    async *open() {
      yield new Uint8Array(1000)
      throw new Error('the segment is gone')
    },
  }
  await assert.rejects(withoutPrograms.encodeChapter(broken, options(at('broken.mp3'), { codec: 'mp3' }), never))
  assert.deepEqual(files(), before)
})

test('a cancelled chapter leaves no file', withPrograms, async () => {
  const controller = new AbortController()
  const before = files()
  const endless = {
    ...talk(1),
    async *open() {
      for (let pieces = 0; ; pieces++) {
        if (pieces === 40) controller.abort(new Error('the listener is gone'))
        yield new Uint8Array(48_000)
      }
    },
  }
  await assert.rejects(book.encodeChapter(endless, options(at('endless.aac')), controller.signal), /listener is gone/)
  assert.deepEqual(files(), before)
})

test('a full disk is STORAGE_FULL and leaves no file', { skip: mayMount ? false : 'mounting is not permitted' }, async (t) => {
  const disk = smallDisk(t, 'size=16k')
  await assert.rejects(
    withoutPrograms.encodeChapter(talk(10), options(`${disk}/a.mp3`, { codec: 'mp3', kbps: 160 }), never),
    (error: { code?: string }) => error.code === 'STORAGE_FULL',
  )
  assert.ok(!existsSync(`${disk}/a.mp3`) && !existsSync(`${disk}/a.mp3.new`))
})

test('frames are counted in pieces of any size', async () => {
  const path = at('e.mp3')
  const { samples } = await withoutPrograms.encodeChapter(talk(2, 9), options(path, { codec: 'mp3' }), never)
  const bytes = bytesOf(path)
  const random = seeded(3)
  for (const longest of [1, 3, 50, 5000]) {
    const counter = createFrameCounter('mp3')
    for (let from = 0; from < bytes.length; ) {
      const size = 1 + Math.floor(random() * longest)
      counter.push(bytes.subarray(from, from + size))
      from += size
    }
    assert.equal(counter.finish().samples, samples)
  }
  assert.throws(() => createFrameCounter('mp3').push(Buffer.alloc(10)), RangeError)
  const cut = createFrameCounter('mp3')
  cut.push(bytes.subarray(0, bytes.length - 5))
  assert.throws(() => cut.finish(), RangeError)
  await rm(path)
})

test('two encodings of one file at once give the bytes of one', withPrograms, async () => {
  const once = await book.encodeChapter(talk(4), options(at('alone')), never)
  const both = [1, 2].map(() => book.encodeChapter(talk(4), options(at('both')), never))
  const [first, second] = await Promise.all(both)
  assert.deepEqual([first!.bytes, second!.bytes], [once.bytes, once.bytes])
  assert.ok(bytesOf(first!.path).equals(bytesOf(once.path)))
})

test('a chapter whose book is cancelled while it waits for its turn leaves at once', async () => {
  const held = Promise.withResolvers<void>()
  const source = {
    ...talk(1),
    open: async function* () {
      await held.promise
      yield new Uint8Array(2)
    },
  }
  const [first, second] = ['a', 'b'].map((name) =>
    withoutPrograms.encodeChapter(source, options(at(name), { codec: 'mp3' }), never).catch(() => {}),
  )
  const abort = new AbortController()
  const third = withoutPrograms.encodeChapter(talk(1), options(at('c'), { codec: 'mp3' }), abort.signal)
  abort.abort(new Error('the book was cancelled'))
  await assert.rejects(third, /cancelled/)
  held.resolve()
  await Promise.all([first, second])
})
