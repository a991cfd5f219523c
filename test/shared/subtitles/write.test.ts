import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeSrt, writeVtt } from '#shared/subtitles/write.ts'
import { parseSubtitles } from '#test/support/texts/parse-subtitles.ts'

const cue = (startUs: number, endUs: number, text: string, original?: string) => ({
  startUs,
  endUs,
  text,
  ...(original !== undefined && { original }),
})

test('SRT and WebVTT, with a second text', () => {
  const cues = [cue(0, 1_234_567, 'Hola\namigo', 'Hello\nfriend'), cue(3_600_000_000, 360_000_000_000, 'A < B & C')]
  assert.equal(
    writeSrt(cues),
    '1\n00:00:00,000 --> 00:00:01,235\nHola\namigo\n<i>Hello\nfriend</i>\n\n2\n01:00:00,000 --> 100:00:00,000\nA < B & C\n',
  )
  assert.equal(
    writeVtt(cues),
    'WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.235\nHola\namigo\n<i>Hello\nfriend</i>\n\n2\n01:00:00.000 --> 100:00:00.000\nA &lt; B &amp; C\n',
  )
  assert.equal(writeSrt([]), '')
  assert.equal(writeVtt([]), 'WEBVTT\n')
})

test('a text cannot end its cue or begin another one', () => {
  const text = 'one\n\n2\n00:00:05,000 --> 00:00:06,000\ninjected\r\r\n00:07.000 -> 00:08.000\n00:08.000 –> 00:09.000\nx --> y'
  for (const write of [writeSrt, writeVtt]) {
    const { cues } = parseSubtitles(write([cue(1e6, 2e6, text), cue(3e6, 4e6, 'next')]))
    assert.deepEqual(
      cues.map(({ text }) => text),
      ['one\n2\n00:00:05,000 → 00:00:06,000\ninjected\n00:07.000 → 00:08.000\n00:08.000 → 00:09.000\nx → y', 'next'],
    )
  }
})

test('a cue without text is left out, and a very short one is still shown', () => {
  assert.equal(writeSrt([cue(0, 1e6, ' \n '), cue(1e6, 1_000_100, 'Hi')]), '1\n00:00:01,000 --> 00:00:01,001\nHi\n')
})

test('rounding lets no cue end after the next one starts', () => {
  const written = writeSrt([cue(0, 1_500_500, 'a'), cue(1_500_500, 2e6, 'b')])
  assert.match(written, /--> 00:00:01,501\n/)
  assert.match(written, /\n00:00:01,501 -->/)
})

// Markup and entities of SRT are read as such; everything else comes back.
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const isPlain = (text: string) => !/[<&{:：]|->/.test(text)
const clean = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/g, '')
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('\n')
const cuesOf = (isUsable: (text: string) => boolean) =>
  fc
    .array(
      fc.record({
        gap: fc.nat(3_000),
        ms: fc.integer({ min: 1, max: 9_000 }),
        text: fc
          .array(fc.oneof(word, fc.constantFrom('42', '1', 'NOTE', '<i>', '&amp;', '->', 'a<b')), { minLength: 1, maxLength: 6 })
          .map((all) => all.join('\n')),
      }),
      { maxLength: 12 },
    )
    .map((all) => {
      let at = 0
      return all.flatMap(({ gap, ms, text }) => {
        const start = at + gap
        at = start + ms
        const plain = clean(text)
        return plain === '' || !isUsable(plain) ? [] : [{ startUs: start * 1000, endUs: at * 1000, text: plain }]
      })
    })
const back = (text: string) => parseSubtitles(text).cues.map(({ startUs, endUs, text }) => ({ startUs, endUs, text }))

/** Lines that are shown again with the next one are captions that roll, which are read as one. */
const rolls = (cues: readonly { readonly text: string }[]) =>
  cues.some(({ text }, at) => at > 0 && cues[at - 1]!.text.split('\n').at(-1) === text.split('\n')[0])

test('importing an export is the identity', () => {
  fc.assert(
    fc.property(cuesOf(isPlain), (cues) => {
      fc.pre(!rolls(cues))
      assert.deepEqual(back(writeSrt(cues)), cues)
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(
      cuesOf((text) => !/\{\\|[:：]|-->/.test(text)),
      (cues) => {
        fc.pre(!rolls(cues))
        assert.deepEqual(back(writeVtt(cues)), cues)
      },
    ),
    { numRuns: 500 },
  )
})
