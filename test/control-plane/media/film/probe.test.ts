import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { filmOf, Probed } from '#control-plane/media/film/probe/probe.rules.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { readPictureHeader } from '#control-plane/media/picture/picture-header.ts'
import { type CorpusFilm, corpus, film, folder, never, probedOf, scratch, withPrograms } from './corpus.ts'
import { channelOf, clicksIn, newPath } from './sound.ts'

/** Seconds of the clicks, from the start of the picture. */
const SECONDS = [0, 1, 2, 3, 4, 5]
const CLICKS: readonly (readonly [CorpusFilm, readonly number[]])[] = [
  ['plain.mp4', SECONDS],
  ['late.mkv', [0.7, 1.7, 2.7, 3.7, 4.7]],
  // Its sound lacks 1.5 seconds.
  ['holes.mkv', [0.7, 1.7, 3.7, 4.7]],
  ['transport.ts', SECONDS],
  ['variable.mp4', SECONDS],
  ['surround.mkv', SECONDS],
  ['hdr.mkv', SECONDS],
  ['covered.mp3', SECONDS],
  ['truncated.ts', [0, 1, 2, 3]],
  ['silent.mp4', []],
  // One of its channels is upside down.
  ['upside-down.mp4', SECONDS],
]

for (const [name, expected] of CLICKS)
  test(`the sound of ${name} is extracted where it lies against the picture`, withPrograms, async () => {
    const source = await corpus(name)
    const probed = await probedOf(name)
    const to = { sound: newPath(), speech: newPath() }
    const reports: number[] = []
    const { sound, speech, durationUs } = await film.extract(source, probed, null, to, never, (position) => reports.push(position))
    assert.deepEqual([sound.sampleRate, sound.channels, sound.encoding], [48_000, 2, 's16'])
    assert.deepEqual([speech.sampleRate, speech.channels, speech.encoding], [16_000, 1, 's16'])
    assert.equal(durationUs, Math.round(sound.samples / 0.048))
    assert.ok(Math.abs(speech.samples - sound.samples / 3) <= 1)
    for (const [samples, rate] of [
      [await channelOf(to.sound), 48_000],
      [await channelOf(to.speech), 16_000],
    ] as const) {
      const found = clicksIn(samples, rate)
      assert.equal(found.length, expected.length, `${found}`)
      for (const [index, at] of found.entries()) assert.ok(Math.abs(at - expected[index]!) < 0.002, `${found}`)
    }
    assert.deepEqual(await readdir(scratch), [])
  })

test('the sound of a mono film is as loud as the film', withPrograms, async () => {
  const to = { sound: newPath(), speech: newPath() }
  await film.extract(await corpus('late.mkv'), await probedOf('late.mkv'), null, to, never)
  for (const folder of [to.sound, to.speech]) {
    const peak = (await channelOf(folder)).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    assert.ok(Math.abs(peak - 0.5) < 0.02, `${peak}`)
  }
})

for (const name of ['credits.mp4', 'credits.mkv'] as const)
  test(`the sound of ${name} goes on in silence until its picture really ends`, withPrograms, async () => {
    const source = await corpus(name)
    const probed = await probedOf(name)
    // The second header announces eleven days.
    for (const durationUs of [probed.durationUs, 1e12]) {
      const to = { sound: newPath(), speech: newPath() }
      const extracted = await film.extract(source, { ...probed, durationUs }, null, to, never)
      assert.ok(Math.abs(extracted.durationUs - 6e6) < 50_000, `${extracted.durationUs}`)
      assert.ok(Math.abs(extracted.decodedUs - 4e6) < 50_000, `${extracted.decodedUs}`)
      assert.ok(Math.abs(extracted.speech.samples - extracted.sound.samples / 3) <= 1)
      assert.deepEqual(
        clicksIn(await channelOf(to.sound), 48_000).map((at) => Math.round(at)),
        [0, 1, 2, 3],
      )
    }
  })

test('films are described with what breaks careless processing', withPrograms, async () => {
  const [plain, rotated, hdr, variable, surround, covered, mute] = await Promise.all(
    (['plain.mp4', 'rotated.mp4', 'hdr.mkv', 'variable.mp4', 'surround.mkv', 'covered.mp3', 'mute.mp4'] as const).map(probedOf),
  )
  assert.deepEqual(
    [plain!.kind, plain!.durationUs, plain!.video?.codec, plain!.video?.frameRate],
    ['video', 6e6, 'h264', { numerator: 25, denominator: 1 }],
  )
  assert.deepEqual(
    [plain!.audio[0]?.language, plain!.audio[0]?.title, plain!.video?.isVariable, plain!.video?.hdr],
    ['eng', null, false, null],
  )
  assert.deepEqual([rotated!.video?.width, rotated!.video?.height, rotated!.video?.rotation], [90, 160, 270])
  assert.deepEqual([hdr!.video?.hdr, hdr!.video?.bitDepth, hdr!.video?.colour.primaries], ['pq', 10, 'bt2020'])
  assert.equal(variable!.video?.isVariable, true)
  assert.deepEqual([surround!.defaultAudio, surround!.audio.map(({ channels }) => channels)], [0, [6, 1]])
  assert.deepEqual([covered!.kind, covered!.video, covered!.cover], ['audio', null, 0])
  assert.deepEqual([mute!.audio, mute!.defaultAudio], [[], null])
  assert.ok(Math.abs((await probedOf('late.mkv')).audio[0]!.leadUs - 700_000) < 2000)
})

test('a film without sound, and a file that is no film, are refused', withPrograms, async () => {
  const mute = await corpus('mute.mp4')
  const to = { sound: newPath(), speech: newPath() }
  await assert.rejects(film.extract(mute, await probedOf('mute.mp4'), null, to, never), { code: 'BAD_REQUEST', message: /no sound/ })
  await assert.rejects(film.probe(import.meta.filename, never), { code: 'BAD_REQUEST' })
  await assert.rejects(film.probe(join(folder, 'missing.mp4'), never), { code: 'BAD_REQUEST' })
})

test('an aborted extraction leaves no file', withPrograms, async () => {
  const source = await corpus('plain.mp4')
  const to = { sound: newPath(), speech: newPath() }
  const abort = new AbortController()
  const running = film.extract(source, await probedOf('plain.mp4'), null, to, abort.signal)
  abort.abort(new Error('stopped by the test'))
  await assert.rejects(running, /stopped by the test/)
  await assert.rejects(stat(to.sound), { code: 'ENOENT' })
  await assert.rejects(openBlocks(to.sound), { code: 'INPUT_UNAVAILABLE' })
  assert.deepEqual(await readdir(scratch), [])
})

test('a still picture has 640 pixels, sound has that of its cover, and cuts are found', withPrograms, async () => {
  const cut = await corpus('cut.mp4')
  const probed = await film.probe(cut, never)
  const still = newPath('still')
  assert.equal(await film.thumb(cut, probed, still, never), true)
  assert.deepEqual(readPictureHeader(await readFile(still)), { type: 'jpeg', width: 640, height: 360 })
  assert.deepEqual(await film.scenes(cut, probed, never), [2_000_000])
  // A long film is searched in its key frames.
  assert.deepEqual(await film.scenes(cut, { ...probed, durationUs: 2e9 }, never), [2_000_000])
  const [covered, plain] = [await corpus('covered.mp3'), await corpus('sound.mp3')]
  const sound = await probedOf('sound.mp3')
  assert.equal(await film.thumb(covered, await probedOf('covered.mp3'), newPath('still'), never), true)
  assert.equal(await film.thumb(plain, sound, newPath('still'), never), false)
  assert.deepEqual(await film.scenes(plain, sound, never), [])
})

test('limits of what a file may contain', () => {
  const format = { format_name: 'x' }
  const video = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1921, height: 1080 }
  assert.equal(Probed.safeParse({ format, streams: Array.from({ length: 129 }, () => video) }).success, false)
  assert.equal(Probed.safeParse({ format, streams: [{ ...video, width: 100_000 }] }).success, false)
  const odd = filmOf(
    Probed.parse({
      format: { ...format, duration: 'N/A' },
      streams: [
        { ...video, r_frame_rate: '90000/1', avg_frame_rate: '0/0', start_time: '1e300', color_transfer: 'a;b', tags: { rotate: '-90' } },
        { index: 1, codec_type: 'audio', channels: 0, sample_rate: '0', tags: { language: 'x y', title: 'a\u0000\nb' } },
        { index: 2, codec_type: 'audio', channels: 2, sample_rate: '48000', tags: { language: 'und' } },
      ],
      chapters: [
        { start_time: '5', end_time: '4' },
        { start_time: '1', end_time: '2', tags: { title: 'One' } },
      ],
    }),
  )
  assert.deepEqual(
    [odd.durationUs, odd.video?.frameRate, odd.video?.startUs, odd.video?.colour.transfer],
    [null, { numerator: 60, denominator: 1 }, 0, null],
  )
  assert.deepEqual([odd.video?.width, odd.video?.rotation, odd.defaultAudio], [1080, 270, 1])
  assert.deepEqual(
    odd.audio.map(({ language, title }) => [language, title]),
    [
      [null, 'a b'],
      [null, null],
    ],
  )
  assert.deepEqual(odd.chapters, [{ title: 'One', startUs: 1e6, endUs: 2e6 }])
})
