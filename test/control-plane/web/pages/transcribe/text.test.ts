import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileName, paragraphsOf, plainText, toSrt, toVtt } from '#control-plane/web/pages/transcribe/text.ts'

const said = (start: number, end: number, text: string, speaker = '') => ({ start, end, text, speaker })
const transcript = (...segments: ReturnType<typeof said>[]) => ({ language: 'en', duration: 100, segments })

test('a paragraph ends with its speaker, with a pause, and with a sentence when it is long', () => {
  const starts = (...segments: ReturnType<typeof said>[]) => paragraphsOf(segments).map(({ start }) => start)
  assert.deepEqual(starts(said(0, 1, 'One.'), said(1.2, 2, 'Two.')), [0])
  assert.deepEqual(starts(said(0, 1, 'One.', 'A'), said(1, 2, 'Two.', 'B'), said(2, 3, 'Three.', 'A')), [0, 1, 2])
  assert.deepEqual(starts(said(0, 1, 'One.'), said(2.6, 3, 'Two.')), [0, 2.6])
  const long = 'word '.repeat(130)
  assert.deepEqual(starts(said(0, 1, long), said(1, 2, 'and the end.'), said(2, 3, 'New.')), [0, 2])
  assert.deepEqual(paragraphsOf([]), [])
})

test('text and subtitles have the speakers, and no text ends a cue', () => {
  const one = transcript(said(0, 1.5, 'Hello <b> & --> you.', 'Ann'), said(3661.0004, 3662.25, 'Fine\n\nthanks.', 'Bo'))
  assert.equal(plainText(one), 'Ann: Hello <b> & --> you.\n\nBo: Fine\n\nthanks.')
  assert.equal(
    toSrt(one),
    '1\n00:00:00,000 --> 00:00:01,500\nAnn: Hello <b> & → you.\n\n2\n01:01:01,000 --> 01:01:02,250\nBo: Fine thanks.\n',
  )
  assert.match(toVtt(one), /^WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nAnn: Hello &lt;b&gt; &amp; → you\.\n/)
})

test('names of files', () => {
  assert.deepEqual(
    [fileName('talk.mp4', 'srt'), fileName('.wav', 'txt'), fileName('a.b.c', 'vtt')],
    ['talk.srt', 'transcript.txt', 'a.b.vtt'],
  )
})
