// Formats besides SRT and WebVTT: recognised by their content, and read without their markup.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SUBTITLE_FORMATS, type SubtitleFormat } from '#shared/subtitles/formats/format-names.ts'
import { type ReadOptions, readSubtitles } from '#shared/subtitles/read.ts'
import { UnreadableSubtitles } from '#shared/subtitles/unreadable.ts'

type Cue = readonly [from: number, to: number, text: string, speaker?: string]
const read = (text: string, options: ReadOptions = {}) => {
  const { cues, format, notices, counts } = readSubtitles(text, options)
  const brief = cues.map(
    ({ startUs, endUs, text, speaker }): Cue => [startUs / 1e6, endUs / 1e6, text, ...(speaker ? [speaker] : [])] as never,
  )
  return { cues: brief, format, notices, skipped: counts.skipped }
}
const right = (name: SubtitleFormat, text: string, cues: readonly Cue[], options: ReadOptions = {}) => {
  const found = read(text, options)
  assert.deepEqual([found.format, found.cues], [name, cues])
  return found
}

const ASS = (events: string, format = 'Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text') =>
  `[Script Info]\r\n; by a program\r\nTitle: Film\r\nScriptType: v4.00+\r\n\r\n[V4+ Styles]\r\nFormat: Name, Fontname, Fontsize\r\nStyle: Default,Arial,20\r\n\r\n[Events]\r\nFormat: ${format}\r\n${events}\r\n\r\n[Fonts]\r\nfontname: a.ttf\r\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,no cue\r\n`
const line = (text: string, { name = '', effect = '', kind = 'Dialogue', from = '0:00:01.00', to = '0:00:02.50' } = {}) =>
  `${kind}: 0,${from},${to},Default,${name},0,0,0,${effect},${text}`

test('ASS: styles, breaks, speakers, comments, commas', () => {
  right('ass', ASS(line('{\\pos(10,20)\\c&HFF00&}Hello, {\\i1}Ann{\\i0}!\\NHow\\hare you?', { name: 'Bob' })), [
    [1, 2.5, 'Hello, Ann!\nHow are you?', 'Bob'],
  ])
  right('ass', ASS(`${line('Shown')}\n${line('hidden', { kind: 'Comment' })}`), [[1, 2.5, 'Shown']])
  right('ass', ASS('Dialogue: 0:00:03.00,0:00:04.00,Ann,One, two', 'Start, End, Actor, Text'), [[3, 4, 'One, two', 'Ann']])
  right('ass', line('without headings'), [[1, 2.5, 'without headings']])
  assert.equal(read(ASS(`${line('a')}\n${line('b', { from: 'x' })}`)).skipped, 1)
})

test('ASS: what is drawn is not read, and the answer says so', () => {
  const drawn = `${line('{\\an7\\p1}m 0 0 l 100 0 100 100{\\p0}')}\n${line('{\\p2}m 0 0 l 1 1{\\p0}Words', { from: '0:00:05.00', to: '0:00:06.00' })}`
  const { notices, skipped } = right('ass', ASS(drawn), [[5, 6, 'Words']])
  assert.deepEqual([notices, skipped], [['One drawing was left out.'], 0])
})

test('ASS: karaoke is one line, also where a program wrote it as effects', () => {
  right('ass', ASS(line('{\\k20}La {\\kf30}la {\\ko10}land')), [[1, 2.5, 'La la land']])
  const sung = [
    line('{\\k20}La {\\k30}la', { kind: 'Comment', effect: 'karaoke' }),
    line('{\\fad(1,1)}La ', { effect: 'fx' }),
    line('la', { effect: 'fx' }),
  ]
  right('ass', ASS(sung.join('\n')), [[1, 2.5, 'La la']])
})

test('SSA: the older version', () => {
  const ssa = `[Script Info]\nScriptType: v4.00\n\n[V4 Styles]\nFormat: Name\n\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,NTP,0000,0000,0000,!Effect,Hello\\nthere\nDialogue: Marked=0,0:00:03.00,0:00:04.00,Default,Ann,0000,0000,0000,,Bye\n`
  right('ssa', ssa, [
    [1, 2, 'Hello\nthere'],
    [3, 4, 'Bye', 'Ann'],
  ])
})

test('SBV of YouTube', () => {
  right('sbv', '0:00:01.000,0:00:02.500\nHello\nthere[br]you\n\n0:01:03.000,0:01:04.000\nBye\n', [
    [1, 2.5, 'Hello\nthere\nyou'],
    [63, 64, 'Bye'],
  ])
})

test('MicroDVD: codes, breaks, and pictures in a second from the file, the film or an assumption', () => {
  const text = '{1}{1}25\n{25}{50}{y:i}Hello|{Y:b}there\n{100}{}/Bye\n{150}{175}End\n'
  right('microdvd', text, [
    [1, 2, 'Hello\nthere'],
    [4, 6, 'Bye'],
    [6, 7, 'End'],
  ])
  const unstated = '{50}{100}Hello\n'
  const { notices } = right('microdvd', unstated, [[1, 2, 'Hello']], { filmRate: 50 })
  assert.match(notices.join(), /50 in a second as in the film/)
  assert.match(read(unstated).notices.join(), /23\.976 in a second, which was assumed/)
})

test('LRC: a line lasts until the next one; several times, an offset and times of words', () => {
  right(
    'lrc',
    '[ar:Singer]\n[ti:Song]\n[offset:-500]\n[00:01.00]One <00:01.50>two\n[00:03.00]\n[00:04.00][00:20.00]Chorus\n[00:06.50]Last\n',
    [
      [1.5, 3.5, 'One two'],
      [4.5, 7, 'Chorus'],
      [7, 15, 'Last'],
      [20.5, 28.5, 'Chorus'],
    ],
  )
})

const TTML = (body: string, { root = '', head = '' } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made -->\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:tts="http://www.w3.org/ns/ttml#styling" ${root}>\n<head>${head}</head>\n<body><div>\n${body}\n</div></body>\n</tt>\n`
const P = (text: string, attributes = 'begin="1s" end="2s"') => `<p ${attributes}>${text}</p>`

test('TTML: breaks, spans, blanks, entities of XML, and text that looks like markup', () => {
  right('ttml', TTML(P('Hello\n      <span tts:fontStyle="italic">there</span><br/>  you &amp; &lt;i&gt;me&lt;/i&gt; &#233;')), [
    [1, 2, 'Hello there\nyou & <i>me</i> é'],
  ])
  right('ttml', TTML(P('one\ntwo', 'xml:space="preserve" begin="1s" dur="2s"')), [[1, 3, 'one\ntwo']])
  right('ttml', TTML(P('<metadata>no</metadata><ttm:desc>a <b>remark</b></ttm:desc>漢<span tts:ruby="text">かん</span>字')), [
    [1, 2, '漢字'],
  ])
  right('ttml', TTML(P('<![CDATA[a < b]]>')), [[1, 2, 'a < b']])
})

test('TTML: times in every form', () => {
  const at = (attributes: string, root = '') => read(TTML(P('a', attributes), { root })).cues[0]?.slice(0, 2)
  assert.deepEqual(at('begin="00:00:01.500" end="00:00:02.25"'), [1.5, 2.25])
  assert.deepEqual(at('begin="00:00:01:15" end="00:00:02:00"', 'ttp:frameRate="30"'), [1.5, 2])
  assert.deepEqual(at('begin="30f" end="60f"', 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"'), [1.001, 2.002])
  assert.deepEqual(at('begin="15000000t" end="20000000t"', 'ttp:tickRate="10000000"'), [1.5, 2])
  assert.deepEqual(at('begin="1500ms" dur="0.5s"'), [1.5, 2])
  assert.deepEqual(at('begin="0.5m"'), [30, 38], 'an open end')
  assert.deepEqual(at('begin="x" end="y"'), undefined)
  const nested = TTML('').replace(
    '<div>',
    `<div begin="10s">${P('a')}<p><span begin="3s" end="4s">b</span> <span begin="4s" end="5s">c</span></p>`,
  )
  right('ttml', nested, [
    [11, 12, 'a'],
    [13, 14, 'b'],
    [14, 15, 'c'],
  ])
  right('ttml', TTML(P('<span begin="0s">La</span> <span begin="0.5s">la</span>')), [[1, 2, 'La la']])
})

test('TTML: elements that follow each other, and "and" signs that begin no reference', () => {
  const inSequence = (body: string) => TTML(body).replace('<div>', '<div timeContainer="seq" begin="10s">')
  right('ttml', inSequence('<p dur="2s">a</p><p begin="1s" dur="1s">b</p><p end="3s">c</p>'), [
    [10, 12, 'a'],
    [13, 14, 'b'],
    [14, 17, 'c'],
  ])
  const parallel = '<div timeContainer="par"><p dur="1s">a</p><p begin="2s" dur="2s">b</p></div><p dur="1s">c</p>'
  right('ttml', inSequence(parallel), [
    [10, 11, 'a'],
    [12, 14, 'b'],
    [14, 15, 'c'],
  ])
  right('ttml', TTML(P('Tom & Ann &amp; <![CDATA[R&D]]> &#38; A&B;')).replace('A&B;', 'A&B'), [[1, 2, 'Tom & Ann & R&D & A&B']])
})

test('TTML: speakers by their metadata, older namespaces, prefixes', () => {
  const head = '<metadata><ttm:agent type="person" xml:id="a"><ttm:name type="full">Ann Lee</ttm:name></ttm:agent></metadata>'
  right(
    'ttml',
    TTML(
      `${P('Hi', 'ttm:agent="a" begin="1s" end="2s"')}${P('Bye', 'ttm:agent="b" begin="3s" end="4s"')}${P('<span ttm:agent="a">Me</span>', 'begin="5s" end="6s"')}`,
      { head },
    ),
    [
      [1, 2, 'Hi', 'Ann Lee'],
      [3, 4, 'Bye'],
      [5, 6, 'Me', 'Ann Lee'],
    ],
  )
  right(
    'ttml',
    `<tt:tt xmlns:tt="http://www.w3.org/2006/10/ttaf1"><tt:body><tt:div><tt:p begin="1s" end="2s">Hi</tt:p></tt:div></tt:body></tt:tt>`,
    [[1, 2, 'Hi']],
  )
})

test('TTML that is hostile or damaged is refused with the reason', () => {
  const refused = (text: string, why: RegExp) =>
    assert.throws(
      () => readSubtitles(text),
      (error) => error instanceof UnreadableSubtitles && why.test(error.message) && /Save it again/.test(error.message),
    )
  const bomb = TTML(P('&b;')).replace('<!-- made -->', '<!DOCTYPE tt [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>')
  refused(bomb, /declares a document type/)
  refused(TTML(P('&unknown;')), /XML is damaged/)
  refused(TTML(P('<b>open')), /XML is damaged/)
  refused(TTML('<div>'.repeat(100)), /nested more than 64 deep/)
  refused(TTML('<br/>'.repeat(250_000)), /more than 200,000 elements/)
})

test('the format with the most lines wins, although the text of a cue looks like another', () => {
  const srt = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n`
  for (const text of ['[00:12]Song', '{1}{2}x', '0:00:01.000,0:00:02.000', 'Dialogue: 0,1', '<tt a="1">', '[Events]'])
    assert.deepEqual([read(srt(text)).format, read(srt(text)).cues.map(([, , text]) => text)], ['srt', [text, 'Bye']])
})

/** Hundredths of a second, which every format has. */
const clock = (centis: number, mark: string, digits: number) => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(centis / 360_000)}:${two((centis / 6000) % 60)}:${two((centis / 100) % 60)}${mark}${String(centis % 100)
    .padStart(2, '0')
    .padEnd(digits, '0')}`
}
type Made = { readonly from: number; readonly to: number; readonly lines: readonly string[] }
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const WRITERS: { readonly [F in SubtitleFormat]: (cues: readonly Made[]) => string } = {
  srt: (cues) =>
    cues.map(({ from, to, lines }, at) => `${at + 1}\n${clock(from, ',', 3)} --> ${clock(to, ',', 3)}\n${lines.join('\n')}\n`).join('\n'),
  vtt: (cues) =>
    `WEBVTT\n\n${cues.map(({ from, to, lines }) => `${clock(from, '.', 3)} --> ${clock(to, '.', 3)}\n${lines.map(xml).join('\n')}\n`).join('\n')}`,
  ass: (cues) =>
    ASS(cues.map(({ from, to, lines }) => line(lines.join('\\N'), { from: clock(from, '.', 2), to: clock(to, '.', 2) })).join('\n')),
  ssa: (cues) => WRITERS.ass(cues).replace('v4.00+', 'v4.00'),
  sbv: (cues) => cues.map(({ from, to, lines }) => `${clock(from, '.', 3)},${clock(to, '.', 3)}\n${lines.join('\n')}\n`).join('\n'),
  ttml: (cues) =>
    TTML(cues.map(({ from, to, lines }) => P(lines.map(xml).join('<br/>'), `begin="${from / 100}s" end="${to / 100}s"`)).join('\n')),
  microdvd: (cues) => `{1}{1}100\n${cues.map(({ from, to, lines }) => `{${from}}{${to}}${lines.join('|')}`).join('\n')}`,
  lrc: (cues) =>
    cues.map(({ from, to, lines }) => `[${clock(from, '.', 2).slice(3)}]${lines.join(' ')}\n[${clock(to, '.', 2).slice(3)}]`).join('\n'),
}

test('random cues that are written in a format are read back', () => {
  const words = fc
    .array(fc.constantFrom('Hello', 'world', 'déjà', '你好', 'a & b', '5 < 6', 'x,y', 'no. 7', '(c)', 'NOTE', '-'), {
      minLength: 1,
      maxLength: 5,
    })
    .map((all) => all.join(' '))
  const cue = fc.record({
    pause: fc.integer({ min: 1, max: 300 }),
    length: fc.integer({ min: 50, max: 500 }),
    lines: fc.array(words, { minLength: 1, maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(cue, { minLength: 1, maxLength: 25 }), (all) => {
      let now = 0
      // A number makes each text another one: equal ones may be running captions.
      const cues = all.map(({ pause, length, lines }, at) => {
        const from = now + pause
        now = from + length
        return { from, to: now, lines: [`${at}: ${lines[0]}`, ...lines.slice(1)] }
      })
      for (const format of SUBTITLE_FORMATS)
        right(
          format,
          WRITERS[format](cues),
          cues.map(({ from, to, lines }) => [from / 100, to / 100, lines.join(format === 'lrc' ? ' ' : '\n')]),
        )
    }),
    { numRuns: 100 },
  )
})

test('hostile bytes of every format do not fail, and take linear time', () => {
  const pieces = [
    '[',
    '{',
    '{1}{',
    '{1}{2}',
    '[00:01.00]',
    '[00:01.00]x\n',
    'Dialogue: ',
    'Dialogue: 0,0:00:01.00,0:00:02.00,,,,,,,{\\p1}\n',
    'Format: ,',
    '<tt><p>',
    '<tt ',
    '<?',
    '{\\p1}',
    '{\\k',
    '0:00:01.000,0:00:02.000\n',
    ',',
    '\\N',
    '|',
    '/',
    '\xe9',
    '\x81\x40',
    '\xb0\xa1\n',
    '\x1b$B',
    '\0a',
    '<?xml encoding="',
    '{a:',
    '<',
    '\xff\xfe',
  ]
  for (const piece of pieces)
    for (const before of ['', line('a'), '<tt xmlns="x"><body><div>', '{1}{2}a\n', '[00:01.00]a\n']) {
      const bytes = Buffer.from(`${before}${piece.repeat(300_000 / piece.length)}`, 'latin1')
      const start = process.cpuUsage()
      try {
        readSubtitles(bytes)
      } catch (error) {
        assert.ok(error instanceof UnreadableSubtitles, String(error))
      }
      const seconds = process.cpuUsage(start).user / 1e6
      assert.ok(seconds < 10, `${JSON.stringify(before + piece)}: ${seconds} s`)
    }
})

test('random bytes and mixed lines never fail in another way than a refusal', () => {
  const lines = fc.constantFrom(
    ...[
      'WEBVTT',
      '1',
      '00:00:01,000 --> 00:00:02,000',
      line('{\\p1}x'),
      '[Events]',
      'Format: Text',
      '{1}{1}25',
      '{5}{}a|b',
      '[00:01.00]x',
      '<tt>',
      '<p begin="1s">',
      '</p>',
      '</tt>',
      '0:00:01.000,0:00:02.000',
      '',
    ],
  )
  const text = fc.array(fc.oneof(lines, fc.string({ unit: 'binary' })), { maxLength: 20 }).map((all) => Buffer.from(all.join('\n')))
  fc.assert(
    fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 500 })), (bytes) => {
      try {
        for (const { startUs, endUs, text } of readSubtitles(bytes).cues)
          assert.ok(startUs < endUs && text.trim() !== '' && Number.isSafeInteger(endUs))
      } catch (error) {
        if (!(error instanceof UnreadableSubtitles)) throw error
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a file of very many lines is refused with the way out', () => {
  for (const line of ['1', '[00:01.00]a', 'a'])
    assert.throws(() => readSubtitles(`${line}\n`.repeat(120_000)), {
      message: /has 120,001 lines; subtitles have at most 100,000\. Split the file\./,
    })
})
