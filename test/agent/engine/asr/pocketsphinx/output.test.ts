import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignmentGrammar, createRecognitionParser, dictionaryWords, parseAlignment } from '#agent/engine/asr/pocketsphinx/output.ts'

test('word lines are parsed; silence, noise and pronunciation variants are not separate words', () => {
  const reading = createRecognitionParser()
  const heard = [
    'she read it',
    '<s> 0.000 0.090 1.000000',
    'she 0.100 0.410 0.999900',
    'read(2) 0.420 0.650 0.975502',
    '[NOISE] 0.660 0.700 0.1',
    '++breath++ 0.710 0.740 1e-05',
    'it 0.750 0.880 0.999800',
    '</s> 0.890 1.100 1.000000',
    '',
    'go on',
    '<s> 5.850 5.920 0.999800',
    'go 5.930 6.110 0.999800',
    'on 6.120 6.370 0.743018',
  ].map(reading.push)
  assert.equal(Math.max(...heard), 6.37)
  assert.deepEqual(
    reading.end().map(({ start, end, text }) => [start, end, text]),
    [
      [0.1, 0.88, 'she read it'],
      [5.93, 6.37, 'go on'],
    ],
  )
  assert.deepEqual(reading.end()[0]!.words[1], { start: 0.42, end: 0.65, word: 'read' })
})

test('no words give no segment', () => {
  const reading = createRecognitionParser()
  for (const line of ['', '<s> 0.000 0.090 1.000000', '<sil> 0.1 2.0 1.0', '</s> 2.0 2.1 1.0']) reading.push(line)
  assert.deepEqual(reading.end(), [])
})

test('an aligner line contains frames and words', () => {
  assert.deepEqual(parseAlignment('3 S 0 T -3492 A -2818 L -674 0 -235 -337 <sil> 11 -166 0 she 42 -210 0 and(2) 65'), [
    { start: 0.11, end: 0.42, word: 'she' },
    { start: 0.42, end: 0.65, word: 'and' },
  ])
  for (const line of ['', '3 S 0 T 0 A 0 L 0', 'nonsense']) assert.deepEqual(parseAlignment(line), [])
})

test('a grammar contains only words and no grammar syntax', () => {
  const words = dictionaryWords("It’s <b>“done”</b>; {go} | [now] * 'tis 5.\npublic <x> = a;")
  assert.deepEqual(words, ["it's", 'b', 'done', 'b', 'go', 'now', 'tis', '5', 'public', 'x', 'a'])
  assert.match(alignmentGrammar(words), /^#JSGF V1\.0;\ngrammar said;\npublic <said> = [a-z0-9' ]+;\n$/)
})
