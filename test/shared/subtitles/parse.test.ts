// Files as people have them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { timesOf } from '#shared/subtitles/parse/times.ts'
import { UnreadableSubtitles } from '#shared/subtitles/unreadable.ts'
import { parseSubtitles } from '#test/support/texts/parse-subtitles.ts'

const brief = (text: string, mediaUs: number | null = null) =>
  parseSubtitles(text, mediaUs).cues.map(({ startUs, endUs, text }) => [startUs / 1e6, endUs / 1e6, text])
const texts = (text: string) => parseSubtitles(text).cues.map(({ text }) => text)
const T = ['00:00:01,000 --> 00:00:02,000', '00:00:02,000 --> 00:00:03,000', '00:00:03,000 --> 00:00:04,000'] as const
const counts = (text: string, mediaUs: number | null = null) => parseSubtitles(text, mediaUs).counts

test('an ordinary file', () => {
  assert.deepEqual(brief(`1\n${T[0]}\nHello\nworld\n\n2\n${T[1]}\nBye\n`), [
    [1, 2, 'Hello\nworld'],
    [2, 3, 'Bye'],
  ])
  assert.deepEqual(counts(`1\n${T[0]}\nHello\n`), { imported: 1, skipped: 0, droppedOverlaps: 0, clamped: 0, afterEnd: 0 })
})

test('line breaks of every system, a byte order mark, NULs and no final line break', () => {
  for (const end of ['\n', '\r\n', '\r', '\r\r\n', '\r\r\r\n', '\n\r'])
    assert.deepEqual(texts(`\ufeff1${end}${T[0]}${end}He\0llo${end}${end}2${end}${T[1]}${end}Bye`), ['Hello', 'Bye'])
})

test('a blank line after every line, as some programs write them', () => {
  const lines = ['1', T[0], 'Hello', 'there', '', '2', T[1], '42', '', '3', T[2], 'Bye']
  for (const blank of ['\n\n', '\n \n\n']) assert.deepEqual(texts(lines.join(blank)), ['Hello\nthere', '42', 'Bye'])
  assert.deepEqual(texts(`${T[0]}\nHello\n\n42\n\n${T[1]}\nBye`), ['Hello\n42', 'Bye'], 'a number in the text of a file without indexes')
})

test('times in every usual form', () => {
  const us = (line: string) => {
    const times = timesOf(line)
    return times === null || times === 'unreadable' ? times : [times.startUs, times.endUs]
  }
  assert.deepEqual(us('00:00:01,5 --> 00:00:02.25'), [1_500_000, 2_250_000])
  assert.deepEqual(us('1:2:3,004-->1:2:4,0'), [3_723_004_000, 3_724_000_000])
  assert.deepEqual(us('  00:01.000 -> 00:02.000 align:start position:10%'), [1e6, 2e6])
  assert.deepEqual(us('100:00:00,000 --> 123456:00:00,000'), [360_000e6, 444_441_600e6])
  assert.deepEqual(us('00:00:01 --> 00:00:02'), [1e6, 2e6])
  assert.deepEqual(us('00:00:01,123456 --> 00:00:02,000 X1:1 X2:2'), [1_123_000, 2e6])
  for (const translated of [
    '00: 00: 01, 000 -- > 00: 00: 02, 000',
    '00 : 00 : 01 . 000 - - > 00 : 00 : 02 . 000',
    '00:00:01,000 –> 00:00:02,000',
    '00:00:01,000 — > 00:00:02,000',
    '00:00:01,000 ――> 00:00:02,000',
    '00:00:01,000 −−> 00:00:02,000',
    '00:00:01,000 --&gt; 00:00:02,000',
    '00:00:01,000 ---> 00:00:02,000',
    '００：００：０１，０００ －－＞ ００：００：０２，０００',
    '٠٠:٠٠:٠١٫٠٠٠ --> ٠٠:٠٠:٠٢٫٠٠٠',
    '00∶00∶01.000\u00a0–>\u00a000∶00∶02.000',
  ])
    assert.deepEqual(us(translated), [1e6, 2e6], translated)
  for (const broken of [
    '00:00:xx,000 –> 00:00:02,000',
    '00:00:01,000 -- > 2',
    '00:00:xx,000 --> 00:00:02,000',
    '00:00:01,000 --> ',
    '0:0:0:1 --> 0:0:0:2',
  ])
    assert.equal(us(broken), 'unreadable')
  for (const none of ['Hello --> world', '', '12', '12 --> 13', '-->', 'At 00:00:01,000 --> 00:00:02,000', '5 > 4'])
    assert.equal(us(none), null, none)
})

test('cues without a blank line between them', () => {
  assert.deepEqual(texts(`1\n${T[0]}\nHello\n2\n${T[1]}\nBye`), ['Hello', 'Bye'])
  assert.deepEqual(texts(`${T[0]}\nHello\n${T[1]}\nBye`), ['Hello', 'Bye'])
})

test('an index that is missing, repeated, out of order or part of the text', () => {
  assert.deepEqual(texts(`${T[0]}\nHello\n\n${T[1]}\nBye`), ['Hello', 'Bye'])
  assert.deepEqual(texts(`7\n${T[0]}\nHello\n\n7\n${T[1]}\nBye\n\n3\n${T[2]}\nEnd`), ['Hello', 'Bye', 'End'])
  assert.deepEqual(texts(`1\n${T[0]}\nChapter\n2\nstarts\n\n2\n${T[1]}\nBye`), ['Chapter\n2\nstarts', 'Bye'])
})

test('a text that is only a number', () => {
  assert.deepEqual(texts(`1\n${T[0]}\n42\n\n2\n${T[1]}\n1984`), ['42', '1984'])
  assert.deepEqual(texts(`${T[0]}\n42\n${T[1]}\n1984`), ['42', '1984'])
})

test('a blank line inside of a text does not cut it', () => {
  assert.deepEqual(texts(`1\n${T[0]}\nHello\n\nworld\n \n!\n\n2\n${T[1]}\nBye`), ['Hello\nworld\n!', 'Bye'])
})

test('cues are skipped and counted when their times or their text are unusable', () => {
  const broken = `1\n00:00:05,000 --> 00:00:04,000\nback\n\n2\n00:00:05,000 --> 00:00:05,000\nempty\n\n3\n00:00:xx --> 00:00:06,000\nbad\n\n4\n${T[0]}\n<i></i>\n\n5\n${T[1]}\nBye`
  assert.deepEqual(texts(broken), ['Bye'])
  assert.equal(counts(broken).skipped, 4)
})

test('overlaps move the start of the later cue, or join what lies inside of the earlier one', () => {
  const file = '00:01.000 --> 00:05.000\na\n\n00:02.000 --> 00:06.000\nb\n\n00:03.000 --> 00:04.000\nc\n\n00:05.500 --> 00:07.000\nd\n'
  assert.deepEqual(brief(file), [
    [1, 5, 'a\nc'],
    [5, 6, 'b'],
    [6, 7, 'd'],
  ])
  assert.equal(counts(file).droppedOverlaps, 0)
  const same = '00:01.000 --> 00:02.000\na\n\n00:01.000 --> 00:03.000\nb\n\n00:00.500 --> 00:01.000\nfirst\n'
  assert.deepEqual(brief(same), [
    [0.5, 1, 'first'],
    [1, 2, 'a'],
    [2, 3, 'b'],
  ])
})

test('cues with one time are joined, and equal ones of several layers are kept once', () => {
  const at = (from: number, to: number, text: string) => `00:00:${from}.000 --> 00:00:${to}.000\n${text}\n\n`
  assert.deepEqual(brief(at(10, 12, 'top\nmost') + at(10, 12, 'bottom') + at(10, 12, 'third')), [[10, 12, 'top\nmost\nbottom\nthird']])
  const layers = at(10, 12, 'one\ntwo') + at(10, 12, 'one\ntwo') + at(10, 12, 'two') + at(12, 13, 'next')
  assert.deepEqual(brief(layers), [
    [10, 12, 'one\ntwo'],
    [12, 13, 'next'],
  ])
  assert.equal(counts(layers).droppedOverlaps, 2)
})

test('a sign that is shown for long does not swallow what is said under it', () => {
  const at = (from: number, to: number, text: string) => `00:00:${from}.000 --> 00:00:${to}.000\n${text}\n\n`
  assert.deepEqual(brief(at(10, 59, 'SIGN') + at(20, 22, 'a') + at(30, 32, 'b') + at(30, 31, 'c')), [
    [10, 20, 'SIGN'],
    [20, 22, 'a'],
    [30, 32, 'b\nc'],
  ])
  assert.deepEqual(brief(at(10, 59, 'SIGN') + at(10, 12, 'a') + at(20, 22, 'b')), [
    [10, 12, 'SIGN\na'],
    [20, 22, 'b'],
  ])
})

test('no word is lost or doubled where cues overlap', () => {
  const spans = fc.array(fc.record({ from: fc.nat(90), length: fc.integer({ min: 1, max: 60 }) }), { maxLength: 30 })
  fc.assert(
    fc.property(spans, (all) => {
      const clock = (seconds: number) => `00:0${Math.floor(seconds / 60)}:${seconds % 60}.000`
      const file = all.map(({ from, length }, word) => `${clock(from)} --> ${clock(from + length)}\nword${word}\n`).join('\n')
      const words = texts(file).flatMap((text) => text.split('\n'))
      assert.deepEqual(words.toSorted(), all.map((_, word) => `word${word}`).toSorted())
      let end = 0
      for (const [startUs, endUs] of brief(file) as [number, number, string][]) {
        assert.ok(startUs >= end && endUs > startUs)
        end = endUs
      }
    }),
    { numRuns: 500 },
  )
})

test('cues end with the film', () => {
  const file = `${T[0]}\na\n\n${T[1]}\nb\n\n${T[2]}\nc\n`
  assert.deepEqual(brief(file, 2_500_000), [
    [1, 2, 'a'],
    [2, 2.5, 'b'],
  ])
  assert.deepEqual(counts(file, 2_500_000), { imported: 2, skipped: 0, droppedOverlaps: 0, clamped: 1, afterEnd: 1 })
})

test('WebVTT: header, notes, styles, regions, identifiers and settings', () => {
  const file = `WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE\n${T[0]}\nnot a cue\n\nintro-1\n00:01.000 --> 00:02.000 line:0\nHello\n\nNOTE single\n\n2\n00:02.000 --> 00:03.000\nNOTEbook\n`
  assert.deepEqual(texts(file), ['Hello', 'NOTEbook'])
  assert.deepEqual(texts(`WEBVTT\n${T[0]}\nHello`), ['Hello'])
  // In SRT the same words are text.
  for (const word of ['NOTE', 'STYLE', 'REGION'])
    assert.deepEqual(texts(`1\n${T[0]}\n${word}\nto all\n\n2\n${T[1]}\n${word} this`), [`${word}\nto all`, `${word} this`])
  assert.deepEqual(texts(`1\n${T[0]}\nHello\n\nNOTE this\n\n2\n${T[1]}\nBye`), ['Hello\nNOTE this', 'Bye'])
})

test('markup is removed, and what only looks like markup is not', () => {
  const one = (text: string) => texts(`${T[0]}\n${text}`)[0]
  assert.equal(one('{\\an8}<font color="#fff">Hello</font> <b>big</b> <i>world'), 'Hello big world')
  assert.equal(one('<c.loud>Hey</c> <00:00:01.500>you<br/>there'), 'Hey you\nthere')
  assert.equal(one('5 < 6 and 7 > 3'), '5 < 6 and 7 > 3')
  assert.equal(one('a<b and c>d'), 'a<b and c>d')
  assert.equal(one('<b never closed'), '<b never closed')
  assert.equal(one('{curly} {\\open'), '{curly} {\\open')
  assert.equal(
    one('Fish &amp; chips &lt;3 &#233; &#x1F600; &nbsp;&unknown; &#0; &#xD800;'),
    'Fish & chips <3 é 😀  &unknown; &#0; &#xD800;',
  )
  assert.equal(one('&amp;lt;'), '&lt;')
  assert.equal(one('go --> there'), 'go --> there')
  assert.equal(one('{\\pos(1,2)}Pos{\\i0} \\Nnext\\hline\\nlast'), 'Pos\nnext line\nlast')
  assert.equal(one('Open C:\\New\\hosts now'), 'Open C:\\New\\hosts now')
})

test('speakers: voice tags, and names that start at least two cues', () => {
  const speakers = (text: string) => parseSubtitles(text).cues.map(({ speaker, text }) => [speaker, text])
  assert.deepEqual(speakers(`${T[0]}\n<v.loud Ann &amp; Bob>Hi</v>\n\n${T[1]}\nBye`), [
    ['Ann & Bob', 'Hi'],
    [null, 'Bye'],
  ])
  assert.deepEqual(speakers(`${T[0]}\nJOHN: Hi\n\n${T[1]}\n- JOHN: Bye\n\n${T[2]}\nOnce: never`), [
    ['JOHN', 'Hi'],
    ['JOHN', 'Bye'],
    [null, 'Once: never'],
  ])
  assert.deepEqual(speakers(`${T[0]}\nIt is 12:30\n\n${T[1]}\nIt is 12:30\n\n${T[2]}\n王：你好`), [
    [null, 'It is 12:30'],
    [null, 'It is 12:30'],
    [null, '王：你好'],
  ])
  assert.deepEqual(speakers(`${T[0]}\nAnn:\n\n${T[1]}\nAnn:`), [
    [null, 'Ann:'],
    [null, 'Ann:'],
  ])
})

test('files of other kinds have no cues', () => {
  const html = '<!doctype html><html><body><p>00:01 is a time</p></body></html>'
  for (const text of [html, '', '\n\n', 'WEBVTT', '{"a":1}', '1\n2\n3'])
    assert.deepEqual(parseSubtitles(text), { cues: [], counts: { imported: 0, skipped: 0, droppedOverlaps: 0, clamped: 0, afterEnd: 0 } })
})

test('many lines in one cue, and a word of 200 letters', () => {
  const many = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')
  assert.deepEqual(texts(`${T[0]}\n${many}`), [many])
  assert.deepEqual(texts(`${T[0]}\n${'x'.repeat(200)}`), ['x'.repeat(200)])
})

test('hostile texts take linear time', () => {
  const size = 500_000
  const hostile = [
    'a',
    '<',
    '<b',
    '{\\',
    '&',
    '&#',
    '0',
    '0:',
    '00:00:01,000 -',
    ' ',
    '\n',
    '1\n',
    '- A: ',
    '\r',
    '<v ',
    '-->',
    '- ',
    '00: ',
    '٠',
    '\\N',
    '\r\r\n',
    `${T[0]}\n`,
    `${T[0]}\nx\n`,
    'WEBVTT\n\nNOTE\n',
  ]
  const userSeconds = (run: () => unknown) => {
    const before = process.cpuUsage()
    run()
    return process.cpuUsage(before).user / 1e6
  }
  for (const piece of hostile) {
    const text = piece.repeat(size / piece.length)
    const read = (source: string) => {
      try {
        parseSubtitles(source)
      } catch (error) {
        assert.ok(error instanceof UnreadableSubtitles) // too many lines
      }
    }
    const seconds = userSeconds(() => {
      read(`${T[0]}\n${text}`)
      read(text)
    })
    assert.ok(seconds < 10, `${JSON.stringify(piece)}: ${seconds} s`)
  }
  const inside = Array.from({ length: 33_000 }, (_, at) => `00:00:01,000 --> 00:00:02,000\n${at}\n\n`).join('')
  assert.ok(userSeconds(() => parseSubtitles(inside)) < 10)
  const line = `${T[0]}\n${'Hello <b>world</b> &amp; all. '.repeat(70_000)}`
  assert.ok(line.length > 2_000_000)
  assert.ok(userSeconds(() => parseSubtitles(line)) < 10)
})

test('cues of any text are in order, apart, not empty and counted', () => {
  const piece = fc.constantFrom(
    '\n',
    '\n\n',
    '1\n',
    T[0],
    T[1],
    '00:05.000 --> 00:01.000',
    '00:xx --> ',
    'Hello',
    '<i>',
    '</i>',
    '&lt;',
    '{\\an8}',
    'A: ',
    'WEBVTT',
    'NOTE',
    ' ',
    '-->',
    '\0',
    '\u2028',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
        fc.string({ unit: 'binary' }),
      ),
      fc.option(fc.nat(4_000_000)),
      (text, mediaUs) => {
        const { cues, counts } = parseSubtitles(text, mediaUs)
        let from = 0
        for (const { startUs, endUs, text } of cues) {
          assert.ok(from <= startUs && startUs < endUs && endUs <= (mediaUs ?? Infinity))
          assert.notEqual(text.trim(), '')
          assert.doesNotMatch(text, /\n\s*\n|[\r\0]/)
          from = endUs
        }
        assert.equal(counts.imported, cues.length)
      },
    ),
    { numRuns: 2_000 },
  )
})
