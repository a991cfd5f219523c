// Reading and writing subtitles: damaged files, and properties over generated ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSubtitles } from '#shared/subtitles/decode.ts'
import { parseSubtitles } from '#shared/subtitles/parse.ts'
import { type WrittenCue, writeSrt, writeVtt } from '#shared/subtitles/write.ts'

const T = (from: string, to: string) => `00:00:0${from},000 --> 00:00:0${to},000`
const plain = (text: string) => parseSubtitles(text).cues.map(({ startUs, endUs, text: words }) => [startUs / 1e6, endUs / 1e6, words])
const figures = (text: string) => {
  const { cues, skipped, droppedOverlaps } = parseSubtitles(text)
  return [cues.length, skipped, droppedOverlaps]
}

for (const [name, text, cues] of [
  ['without a final newline', `1\n${T('1', '2')}\nHello`, [[1, 2, 'Hello']]],
  [
    'without an empty line between cues',
    `1\n${T('1', '2')}\nHello\n2\n${T('3', '4')}\nyou`,
    [
      [1, 2, 'Hello'],
      [3, 4, 'you'],
    ],
  ],
  [
    'without numbers',
    `${T('1', '2')}\nA\n${T('3', '4')}\nB\n\n${T('5', '6')}\nC`,
    [
      [1, 2, 'A'],
      [3, 4, 'B'],
      [5, 6, 'C'],
    ],
  ],
  [
    'with texts that are numbers',
    `1\n${T('1', '2')}\n42\n\n2\n${T('3', '4')}\nThe answer is\n42\n\n3\n${T('5', '6')}\n7`,
    [
      [1, 2, '42'],
      [3, 4, 'The answer is\n42'],
      [5, 6, '7'],
    ],
  ],
  [
    'with a number and no numbers of cues',
    `${T('1', '2')}\n42\n${T('3', '4')}\nB`,
    [
      [1, 2, '42'],
      [3, 4, 'B'],
    ],
  ],
  [
    'with an empty line inside a text, and one after a number',
    `9\n${T('1', '2')}\nA\n\nB\n\n9\n\n${T('3', '4')}\nC`,
    [
      [1, 2, 'A\nB'],
      [3, 4, 'C'],
    ],
  ],
  ['with odd line ends, zero bytes and a mark', `\uFEFF1\r${T('1', '2')}\rA\0B\r\r`, [[1, 2, 'AB']]],
  ['with short fractions and fields', '1:2:3,004 -> 1:2:4.5\nA', [[3723.004, 3724.5, 'A']]],
  ['with hundreds of hours', '123:00:00,000 --> 123:00:01,000\nA', [[442_800, 442_801, 'A']]],
  [
    'out of order and overlapping',
    `${T('4', '6')}\nC\n\n${T('1', '3')}\nA\n\n${T('1', '2')}\nlost\n\n${T('2', '5')}\nB`,
    [
      [1, 3, 'A'],
      [3, 5, 'B'],
      [5, 6, 'C'],
    ],
  ],
  ['with markup', `${T('1', '2')} X1:10\n{\\an8}<i>A</i> &amp;lt; <b\n5 < 6 <3 <00:00:01.500>B`, [[1, 2, 'A &lt; <b\n5 < 6 <3 B']]],
  ['with arrows in the text', `${T('1', '2')}\na --> b\nx: 1 -> y`, [[1, 2, 'a --> b\nx: 1 -> y']]],
] as const)
  test(`subtitles ${name} are read`, () => assert.deepEqual(plain(text), cues))

test('WebVTT has names of cues, comments, settings, speakers and times without hours', () => {
  const text = `WEBVTT - title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nnot shown\n\nintro\n00:01.500 --> 00:02.000 align:left\n<v.loud Ann Lee>Hi</v>\n\nNOTE x\n\nsecond\n00:03.000 --> 00:04.000\nNOTE that this is text`
  assert.deepEqual(parseSubtitles(text), {
    cues: [
      { startUs: 1_500_000, endUs: 2_000_000, text: 'Hi', speaker: 'Ann Lee' },
      { startUs: 3_000_000, endUs: 4_000_000, text: 'NOTE that this is text', speaker: '' },
    ],
    skipped: 0,
    droppedOverlaps: 0,
  })
  assert.deepEqual(plain('WEBVTT\n00:01.000 --> 00:02.000\nA'), [[1, 2, 'A']])
})

test('a name that begins several cues is their speaker', () => {
  const cue = (second: number, text: string) => `${T(String(second), String(second + 1))}\n${text}\n`
  const { cues } = parseSubtitles([cue(1, 'ANN: Hi'), cue(2, 'Bob: Once only'), cue(3, 'ANN: Bye'), cue(4, '12: 30')].join('\n'))
  assert.deepEqual(
    cues.map(({ speaker, text }) => [speaker, text]),
    [
      ['ANN', 'Hi'],
      ['', 'Bob: Once only'],
      ['ANN', 'Bye'],
      ['', '12: 30'],
    ],
  )
})

test('damaged cues are counted and cost themselves only', () => {
  assert.deepEqual(
    figures(`${T('2', '1')}\nA\n\n${T('3', '3')}\nB\n\n00:61:00,000 --> 00:00:05,000\nC\n\n${T('5', '6')}\n\n\n${T('7', '8')}\nD`),
    [1, 4, 0],
  )
  assert.deepEqual(figures(`${T('1', '5')}\nA\n\n${T('2', '3')}\nB`), [1, 0, 1])
  for (const text of [
    '',
    'no cues',
    '<html><!-- a --></html>',
    '[Events]\nDialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,Hi',
    '\n\n1\n\n',
  ])
    assert.deepEqual(figures(text), [0, 0, 0])
})

test('files of every usual encoding are decoded', () => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nGrüße… 你好'
  assert.equal(decodeSubtitles(Buffer.from(text)), text)
  const wide = Buffer.from(text, 'utf16le')
  assert.equal(decodeSubtitles(Buffer.concat([Buffer.from([0xff, 0xfe]), wide])), text)
  assert.equal(decodeSubtitles(wide), text)
  assert.equal(decodeSubtitles(Buffer.from(wide).swap16()), text)
  assert.equal(decodeSubtitles(Buffer.from([0x4a, 0xfc, 0x85])), 'Jü…')
})

test('reading takes linear time for the worst texts ', () => {
  const size = 500_000
  for (const piece of [
    '<',
    '<b',
    '<b>',
    '{\\',
    '&#',
    '1\n',
    '-->',
    '->\n',
    'a: ',
    ':',
    '1:',
    ' ',
    '\n',
    'NOTE\n\n',
    `${T('1', '2')}\n`,
    `${T('1', '2')}\nA: b\n`,
  ]) {
    const body = piece.repeat(Math.floor(size / piece.length))
    for (const text of [body, `WEBVTT\n\n${T('1', '2')}\n${body}`]) {
      const from = process.cpuUsage()
      parseSubtitles(text)
      const { user, system } = process.cpuUsage(from)
      assert.ok(user + system < 2e6, `${piece}: ${(user + system) / 1e6} s`)
    }
  }
})

test('what is written is read as the same cues', () => {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const words = ['Hello', '42', '你好', 'x < y & z', '<i>', 'naïve:x', 'שלום', '-', '🙂', 'a&amp;b']
  for (let round = 0; round < 300; round++) {
    let at = 0
    const cues = Array.from({ length: next(8) }, (): WrittenCue => {
      const startUs = at + next(3) * 1_000
      at = startUs + 1_000 * (1 + next(90_000))
      const text = Array.from({ length: 1 + next(3) }, () =>
        Array.from({ length: 1 + next(4) }, () => words[next(words.length)]!).join(' '),
      )
      return { startUs, endUs: at, text: `w ${text.join('\n')}` }
    })
    const read = (text: string) => parseSubtitles(text).cues.map(({ speaker: _, ...cue }) => cue)
    assert.deepEqual(read(writeVtt(cues)), cues)
    // SRT has no way to write a text that looks like markup.
    const simple = cues.map((cue) => ({ ...cue, text: cue.text.replaceAll('<i>', 'i').replaceAll('&amp;', '&') }))
    assert.deepEqual(read(writeSrt(simple)), simple)
  }
})

test('written texts cannot end their cue, and times never overlap by rounding', () => {
  const cues = [
    { startUs: 0, endUs: 1_500_499, text: 'a\n\n00:00:09,000 --> 00:00:10,000\nb --> c', original: 'old\n\n<one>' },
    { startUs: 1_500_499, endUs: 1_500_500, text: 'd' },
    { startUs: 2_000_000, endUs: 3_000_000, text: ' \n ' },
  ]
  assert.equal(
    writeVtt(cues),
    'WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.500\na\n00:00:09,000 → 00:00:10,000\nb → c\n<i>old\n&lt;one&gt;</i>\n\n2\n00:00:01.500 --> 00:00:01.501\nd\n',
  )
  assert.equal(writeSrt(cues.slice(1)), '1\n00:00:01,500 --> 00:00:01,501\nd\n')
  assert.equal(writeSrt([]), '')
})
