// Selection of tracks, names, cues and time lines of exports, and the files that are made for them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOf } from '#control-plane/features/dubbing/leave/export/archives.service.ts'
import { baseName, namePart, stampOf } from '#control-plane/features/dubbing/leave/export/names.rules.ts'
import { exportKbps, selectTracks, soundTrack, timingTrack } from '#control-plane/features/dubbing/leave/export/selection.rules.ts'
import { cuesOf } from '#control-plane/features/dubbing/leave/subtitle/cues.rules.ts'
import { drawnCues } from '#control-plane/features/dubbing/leave/subtitle/display.rules.ts'
import { TrackPlan } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import { framesAt, linesOn, speechSpans, stretchPieces, timeLineOf } from '#control-plane/features/dubbing/voice/timeline/time-line.ts'
import { contentDisposition } from '#control-plane/http/contract/respond.ts'
import { FIT_DEFAULTS, type FitOptions, fitLines } from '#shared/timing/fit.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { seeded } from '#test/support/doubles/seeded.ts'

test('the selection decides before anything else, and its default is always in it', () => {
  const select = (include: string, defaultTrack = 'original') => selectTracks(['es', 'de'], { include, defaultTrack })
  assert.deepEqual(select(''), { codes: ['original', 'es', 'de'], first: 'original' })
  assert.deepEqual(select('', 'de'), { codes: ['de', 'es', 'original'], first: 'de' })
  assert.deepEqual(select(' de , es'), { codes: ['es', 'de'], first: 'es' }, 'original is not selected')
  assert.deepEqual(select('de,xx', 'es'), { codes: ['de'], first: 'de' })
  assert.deepEqual(select('original'), { codes: ['original'], first: 'original' })
  assert.throws(() => select('xx,yy'), { code: 'BAD_REQUEST' })
  assert.throws(() => selectTracks([], { include: '', defaultTrack: 'original' }), { code: 'BAD_REQUEST' })

  assert.equal(timingTrack(select('', 'de')), 'de')
  assert.equal(timingTrack(select('')), null, 'two dubbed tracks and the original as the default')
  assert.equal(timingTrack(select('original,es')), 'es')
  assert.deepEqual([soundTrack(select('')), soundTrack(select('original')), soundTrack(select('', 'de'))], ['es', 'original', 'de'])
})

test('a line of an archive is the left channel of its voice', () => {
  const stereo = Int16Array.of(1, -1, 32_767, 5, -32_768, 7)
  const mono = leftOf(Buffer.from(stereo.buffer))
  assert.deepEqual(
    [0, 1, 2].map((frame) => mono.readInt16LE(2 * frame)),
    [1, 32_767, -32_768],
  )
  assert.equal(mono.length, 6)
})

test('a bitrate is clamped, and anything else is the usual one', () => {
  const wanted = [
    ['128k', 128],
    ['96', 96],
    ['1k', 64],
    ['9999k', 320],
    ['', 192],
    ['fast', 192],
    ['-1', 192],
    ['9'.repeat(400), 192],
  ] as const
  for (const [text, kbps] of wanted) assert.equal(exportKbps(text), kbps, text)
})

test('names are kept in every script, and headers stay ASCII', () => {
  assert.equal(baseName('映画 のテスト.mkv'), '映画 のテスト')
  assert.equal(baseName('../../etc/passwd'), '_.._etc_passwd')
  assert.equal(baseName('a"b\r\nX-Header: 1.mp4'), 'a_b_X-Header_ 1')
  assert.equal(baseName('\u202e.mp4'), '_')
  assert.equal(baseName('...'), 'dub')
  assert.equal([...baseName('😀'.repeat(500))].length, 80)
  assert.equal(contentDisposition('inline', 'a.mp4'), 'inline; filename="a.mp4"')
  const header = contentDisposition('attachment', `${baseName("Ünï (it's) 100% \ud800")}.srt`)
  assert.match(header, /^[\x20-\x7e]+$/)
  assert.equal(decodeURIComponent(header.split("UTF-8''")[1]!), "Ünï (it's) 100% \ufffd.srt")
  assert.equal(stampOf(Date.UTC(2026, 0, 2, 3, 4, 5)), '20260102_030405')
  assert.equal(namePart('../Speaker №1'), 'Speaker_1')
})

const line = (id: string, startUs: number, endUs: number, text = id, textOriginal = '') =>
  dubLine({ id, startUs, endUs, text, textOriginal })
const planFor = (naturalUs: number, strategy: FitOptions['strategy']): TrackPlan => {
  const options = { ...FIT_DEFAULTS, strategy, mediaUs: 10_000_000 }
  const lines = [
    { id: 'a', startUs: 1_000_000, endUs: 2_000_000, lane: 'x', naturalUs },
    { id: 'b', startUs: 4_000_000, endUs: 5_000_000, lane: 'x', naturalUs: 900_000 },
  ]
  return TrackPlan.parse({ ...fitLines(lines, options), input: { lines, options }, takes: [] })
}

test('cues are where lines are heard, and without control characters', () => {
  const segments = [
    line('b', 4_000_000, 5_000_000, 'two\u0007', 'zwei'),
    line('a', 1_000_000, 2_000_000, 'one'),
    line('c', 6, 6, 'no time'),
  ]
  const placed = [
    { id: 'a', startUs: 1_500_000, lengthUs: 700_000, rate: 1 },
    { id: 'b', startUs: 0, lengthUs: 0, rate: 1 },
  ]
  assert.deepEqual(cuesOf({ segments, texts: { a: 'uno' }, placed, map: null, isDual: true }), [
    { startUs: 1_500_000, endUs: 2_200_000, text: 'uno', original: 'one' },
    { startUs: 4_000_000, endUs: 5_000_000, text: 'two', original: 'zwei' },
  ])
})

test('text drawn into a picture has the original below it, divided as the text is', () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  const display = { language: 'en', originalLanguage: 'de', framesPerSecond: 25, cutsUs: [] }
  const drawn = drawnCues([{ startUs: 0, endUs: 20_000_000, text: words, original: words.replaceAll('word', 'Wort') }], display)
  assert.ok(drawn.length > 1 && drawn.every(({ lines, originals }) => lines.length <= 2 && originals!.length <= 2))
  const read = (of: (cue: (typeof drawn)[number]) => readonly string[]) => drawn.flatMap(of).join(' ')
  assert.equal(
    read(({ lines }) => lines),
    words,
  )
  assert.equal(
    read(({ originals }) => originals!),
    words.replaceAll('word', 'Wort'),
  )
})

test('another language is fitted into the slots of the time line, and its own plan is kept on its own', () => {
  const [slow, other] = [planFor(8_000_000, 'stretch_video'), planFor(2_000_000, 'stretch_video')]
  const mediaUs = 10_000_000
  const timing = timeLineOf(slow, mediaUs)
  assert.equal(linesOn(slow, timing), slow.lines)
  const lines = linesOn(other, timing)
  assert.deepEqual(
    lines.map(({ startUs }) => startUs),
    [timing.map.at(1_000_000), timing.map.at(4_000_000)],
  )
  assert.ok(lines.every(({ cutUs }) => cutUs === 0))
  const plain = linesOn(slow, timeLineOf(null, mediaUs))
  assert.ok(plain[0]!.rate > 1 && plain[0]!.startUs + plain[0]!.lengthUs <= 4_000_000, 'without a slower picture it is faster')

  const pieces = stretchPieces(timing, mediaUs)
  const longer = pieces.reduce((sum, { from, to, length }) => sum + length - (to - from), 0)
  assert.ok(Math.abs(longer / 48 - (timing.totalUs - mediaUs) / 1000) < 1)
  assert.deepEqual(stretchPieces(timeLineOf(null, mediaUs), mediaUs), [])
  const spans = speechSpans([line('a', 1_000_000, 2_000_000)], [{ startUs: 0, endUs: 2_100_000 }], timeLineOf(null, mediaUs))
  assert.deepEqual(spans, [{ from: 28_800, to: 100_800 }])
  const laughter = [line('b', 700_000, 900_000), line('c', 2_050_000, 2_500_000)]
  const between = speechSpans([line('a', 1_000_000, 2_000_000)], [{ startUs: 0, endUs: 2_100_000 }], timeLineOf(null, mediaUs), laughter)
  assert.deepEqual(between, [{ from: 43_200, to: 98_400 }], 'what stays original is not touched')
})

test('speech between thousands of stretches that stay as they are ends at the nearest ones', () => {
  const { below } = seeded(7)
  const mediaUs = 36_000_000_000
  const lines = Array.from({ length: 2_000 }, (_, at) => {
    const startUs = below(mediaUs)
    return line(`l${at}`, startUs, startUs + below(5_000_000))
  })
  const [spoken, kept] = [lines.slice(0, 1_000), lines.slice(1_000)]
  const wide = spoken.map(({ startUs, endUs }) => ({ startUs: startUs - 400_000, endUs: endUs + 400_000 }))
  const detected = wide.toSorted((left, right) => left.startUs - right.startUs)
  const timing = timeLineOf(null, mediaUs)
  const spans = speechSpans(spoken, detected, timing, kept)
  const free = speechSpans(spoken, detected, timing)
  const expected = spoken
    .toSorted((left, right) => left.startUs - right.startUs)
    .map(({ startUs, endUs }, at) => ({
      from: Math.max(free[at]!.from, ...kept.filter((each) => each.endUs <= startUs).map((each) => framesAt(each.endUs))),
      to: Math.min(free[at]!.to, ...kept.filter((each) => each.startUs >= endUs).map((each) => framesAt(each.startUs))),
    }))
  assert.equal(free.length, 1_000)
  assert.notDeepEqual(spans, free)
  assert.deepEqual(spans, expected)
})
