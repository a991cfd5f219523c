import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatted } from '#control-plane/features/listening/recognition/transcript/format.ts'
import { toSrt, toVtt } from '#control-plane/features/listening/recognition/transcript/subtitles.ts'

const cue = (start: number, end: number, text = 'x') => ({ start, end, text })
const timesOf = (srt: string) =>
  [...srt.matchAll(/(\d\d),(\d{3}) --> 00:00:(\d\d),(\d{3})/g)].map(([, a, b, c, d]) => [+`${a}${b}`, +`${c}${d}`])

test('no cue ends with its start', () => {
  const segments = [cue(1, 1), cue(1, 1), cue(1.2, 1.2), cue(2, 2.0004), cue(3, 2.5), cue(5, 6), cue(9, 9)]
  assert.deepEqual(timesOf(toSrt(segments)), [
    [1_000, 1_200],
    [1_000, 1_200],
    [1_200, 1_700],
    [2_000, 2_500],
    [3_000, 3_500],
    [5_000, 6_000],
    [9_000, 9_500],
  ])
  assert.match(toVtt([cue(1, 1)]), /00:00:01\.000 --> 00:00:01\.500\nx\n/)
})

test('empty texts have no cue, and numbers stay consecutive', () => {
  assert.equal(toSrt([cue(0, 1, ' '), cue(1, 2, 'a')]), '1\n00:00:01,000 --> 00:00:02,000\na\n')
  assert.equal(toVtt([]), 'WEBVTT\n\n')
})

test('many empty cues take linear time', () => {
  assert.equal(timesOf(toSrt(Array.from({ length: 50_000 }, () => cue(1, 1)))).length, 50_000)
})

test('the text of a transcript is that of the recogniser', () => {
  const segments = [cue(0, 1, '你好'), cue(1, 2, '再见')]
  const transcript = {
    task: 'transcribe',
    temperature: 0,
    text: ' 你好再见',
    language: 'zh',
    segments,
    seconds: 2,
    tookSeconds: 1,
    engine: 'x',
  } as const
  assert.deepEqual(formatted({ ...transcript, notice: null }, 'json', false).text, '{"text":"你好再见"}')
})

test('verbose_json names the language of each segment and speech without words', () => {
  const transcript = { task: 'transcribe', temperature: 0, text: 'Bonjour', language: 'fr', seconds: 9, engine: 'x', notice: null } as const
  const segments = [{ ...cue(0, 1, 'Bonjour'), language: 'fr' }]
  const speechWithoutWords = [{ start: 2, end: 9 }]
  const answer = JSON.parse(formatted({ ...transcript, segments, speechWithoutWords }, 'verbose_json', false).text)
  assert.deepEqual([answer.segments[0].language, answer.speech_without_words], ['fr', speechWithoutWords])
  const plain = JSON.parse(formatted({ ...transcript, segments: [cue(0, 1, 'a')] }, 'verbose_json', false).text)
  assert.ok(!('speech_without_words' in plain) && !('language' in plain.segments[0]))
})
