import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSsml } from '#shared/text/ssml/is-ssml.ts'
import { parseSsml } from '#shared/text/ssml/parse.ts'
import { SsmlRefusal } from '#shared/text/ssml/refusal.ts'
import type { SsmlSpan } from '#shared/text/ssml/writer.ts'
import { cpuMs } from '#test/fuzz/texts/text-entrances.ts'

const brief = ({ voice, language, text, pauseMsAfter, speed, gainDb, endsParagraph, marks }: SsmlSpan) =>
  [
    ...[text, pauseMsAfter || '', speed ?? '', gainDb || '', voice ?? '', language ?? '', marks.map((name) => `@${name}`).join('')],
    endsParagraph ? '¶' : '',
  ]
    .join('|')
    .replace(/\|+$/, '')
const read = (inside: string, language: string | null = 'en') => parseSsml(`<speak>${inside}</speak>`, language)

test('a document begins with its root element, perhaps behind a declaration', () => {
  for (const text of ['<speak>a</speak>', ' <speak/>', '\ufeff<speak xml:lang="de">', '<?xml version="1.0"?>\n<speak>', '<!DOCTYPE speak>'])
    assert.ok(isSsml(text), text)
  for (const text of ['<speaker 1> Hello.', 'a <speak>', '<p>a</p>', 'speak', '<?xml version="1.0"?><svg/>']) assert.ok(!isSsml(text), text)
})

/** SSML, its spans, and a part of each notice. */
const TABLE: readonly (readonly [written: string, spans: readonly string[], ...notices: string[]])[] = [
  ['Hello  big\n world', ['Hello big world|||||||¶']],
  ['a &lt;b&gt; &amp; &#233;<![CDATA[ <c> ]]><!-- d --><?e f?>g', ['a <b> & é <c> g|||||||¶']],
  ['a<break/>b<break time="1.5s"/>c<break time="90s"/>', ['a|500', 'b|1500', 'c|60000||||||¶'], 'at most 60 s'],
  ['<break strength="strong"/><break time="250ms"/>a<break strength="none"/>b', ['ab|||||||¶']],
  ['a<break time="soon"/>b', ['a|500', 'b|||||||¶'], '"soon" is none of SSML'],
  ['<p>One.</p><p>Two</p> Three', ['One.\n\nTwo\n\nThree|||||||¶']],
  ['<s>One.</s><s>Two</s><s>“Three!”</s> Four', ['One. Two\n\n“Three!” Four|||||||¶']],
  ['<sub alias="World Wide Web">WWW</sub>!', ['[[WWW|World Wide Web]]!|||||||¶']],
  ['<sub alias="a [b]">c</sub> <sub>d</sub>', ['a [b] d|||||||¶'], 'without an alias'],
  ['<phoneme alphabet="ipa" ph="təˈmɑːtəʊ">tomato</phoneme>.', ['[[tomato|/təˈmɑːtəʊ/]].|||||||¶']],
  ['<phoneme alphabet="x-sampa" ph="t@&quot;mA:t@U">tomato</phoneme>', ['[[tomato|/təˈmɑːtəʊ/]]|||||||¶']],
  ['<phoneme alphabet="pinyin" ph="ma1">ma</phoneme>', ['ma|||||||¶'], 'neither IPA nor X-SAMPA'],
  ['<phoneme ph="a/b">c</phoneme>', ['c|||||||¶'], 'neither IPA'],
  ['a <prosody rate="slow">b <prosody rate="50%">c</prosody></prosody> d', ['a', 'b||0.85', 'c||0.425', 'd|||||||¶']],
  ['<prosody rate="+20%" volume="-6dB">a</prosody>', ['a||1.2|-6||||¶']],
  ['<prosody volume="50">a</prosody><prosody volume="silent">b</prosody>', ['a|||-6.020599913279624', 'b|||-90||||¶']],
  ['<prosody rate="quick" pitch="+2st">a</prosody>', ['a|||||||¶'], '"quick"', 'No engine follows the pitch'],
  ['I <emphasis>am</emphasis>. “<emphasis level="strong">No</emphasis>”', ['I', 'am.||0.93', '“No”||0.87|||||¶']],
  ['a <voice name="Ann">b</voice> c', ['a', 'b||||Ann', 'c|||||||¶']],
  ['a <lang xml:lang="fr">b</lang>', ['a', 'b|||||fr||¶']],
  ['<p xml:lang="fr">b</p>', ['b|||||fr||¶']],
  ['a <mark name="one"/><mark name="two"/>b<break/> <mark name="three"/>', ['a', 'b|500|||||@one@two|¶']],
  ['<amazon:effect name="whispered">a</amazon:effect><x/>', ['a|||||||¶'], 'not part of SSML 1.1: amazon:effect, x. Their text was read.'],
  ['<metadata><a>b</a></metadata><lexicon uri="c"/>d<desc>e</desc>', ['d|||||||¶'], 'loads no <lexicon>'],
  ['<sub alias="a"><emphasis>b</emphasis> c</sub>', ['[[b c|a]]|||||||¶'], 'Elements inside of <sub>'],
  ['<say-as interpret-as="ordinal">3</say-as> of <say-as interpret-as="characters">may</say-as>', ['third of m a y|||||||¶']],
  ['<say-as interpret-as="date" format="dmy">28.11.2026</say-as>', ['the twenty eighth of November twenty twenty six|||||||¶']],
  ['<say-as interpret-as="date" format="dmy">28.13.2026</say-as>', ['28.13.2026|||||||¶'], 'was not read as date in the format dmy'],
  ['<say-as interpret-as="riddle">a</say-as>', ['a|||||||¶'], 'no interpret-as "riddle"'],
  ['', []],
  ['<break/>...', []],
]

test('each element becomes what the spans of manuscripts have', () => {
  for (const [written, expected, ...notices] of TABLE) {
    const ssml = read(written)
    assert.deepEqual(ssml.spans.map(brief), expected, written)
    assert.equal(ssml.notices.length, notices.length, `${written}: ${ssml.notices.join(' ')}`)
    for (const [index, part] of notices.entries()) assert.ok(ssml.notices[index]!.includes(part), `${ssml.notices[index]} has ${part}`)
  }
})

test('the document names its language, and marks and pauses have a place before and after all words', () => {
  const ssml = parseSsml(
    '<?xml version="1.0"?><speak version="1.1" xml:lang="de-DE"><break time="2s"/>am <say-as interpret-as="date">3.5.2026</say-as><mark name="end"/></speak>',
  )
  assert.equal(ssml.language, 'de-DE')
  assert.equal(ssml.pauseMsBefore, 2000)
  assert.deepEqual(ssml.marksAfter, ['end'])
  assert.deepEqual(
    ssml.spans.map(({ text, language }) => [text, language]),
    [['am dritten Mai zweitausendsechsundzwanzig', null]],
  )
})

test('say-as in an unknown language says how to name it', () => {
  const {
    spans: [span],
    notices,
  } = read('<say-as interpret-as="cardinal">12</say-as>', null)
  assert.equal(span!.text, '12')
  assert.match(notices.join(' '), /its language is unknown. Name it with xml:lang/)
})

test('a fragment needs no root element', () => {
  assert.deepEqual(parseSsml('Hello<break/>you').spans.map(brief), ['Hello|500', 'you|||||||¶'])
})

test('what could load, grow or never end is refused with the way out', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['<!DOCTYPE speak [<!ENTITY a "b">]><speak>&a;</speak>', /Remove the DOCTYPE/],
    ['<speak>&nbsp;</speak>', /damaged: .*entity/i],
    ['<speak><audio src="https://example.com/a.mp3">a</audio></speak>', /<audio>.*Remove it/],
    ['<speak>a & b</speak>', /Write & as &amp;/],
    ['<speak>a', /damaged/],
    ['<speak>a</speak><speak>b</speak>', /damaged/],
    ['<?xml version="1.0"?><svg/>', /root element is not <speak>/],
    ['<speak><mark/></speak>', /mark needs a name/],
    [`<speak>${'<p>'.repeat(70)}${'</p>'.repeat(70)}</speak>`, /more than 64 deep/],
    [`<speak>${'<voice name="a">b</voice>c'.repeat(3000)}</speak>`, /more than 5000 times/],
    [`<speak>${'a'.repeat(500_000)}</speak>`, /more than 500000 characters/],
    [`<speak>${'<p/>'.repeat(100_001)}</speak>`, /more than 100000 elements/],
  ]
  for (const [text, why] of refused)
    assert.throws(
      () => parseSsml(text, 'en'),
      (error) => error instanceof SsmlRefusal && why.test(error.message),
      text.slice(0, 80),
    )
})

test('any text is read or refused, and no letter of plain text is lost', () => {
  const piece = fc.constantFrom(
    ...[
      '<speak>',
      '</speak>',
      '<p>',
      '</p>',
      '<s>',
      '</s>',
      '<break/>',
      '<break time="1s"/>',
      '<mark name="m"/>',
      '<voice name="Ann">',
      '</voice>',
    ],
    ...[
      '<prosody rate="slow">',
      '</prosody>',
      '<sub alias="x">',
      '</sub>',
      '<say-as interpret-as="date">',
      '</say-as>',
      '<x',
      ' y="',
      '">',
      '&',
      '&lt;',
    ],
    ...['&#1;', ']]>', '<!--', '-->', '<![CDATA[', '<?', '?>', 'word', ' ', '\n', '3/4', '[[', '|', ']]', '\u0000', '\ud800', 'é'],
  )
  const outcome = (text: string) => {
    try {
      return parseSsml(text)
    } catch (error) {
      assert.ok(error instanceof SsmlRefusal, String(error))
      return null
    }
  }
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void outcome(pieces.join(''))))
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<p>w</p>', '<s>w</s>', '<emphasis>w</emphasis>', 'w ', 'w<break/>', '.', '<x>w</x>')),
      (pieces) => {
        const { spans: read } = parseSsml(`<speak>${pieces.join('')}</speak>`, 'en')
        const count = (text: string) => text.match(/w/g)?.length ?? 0
        assert.equal(count(read.map(({ text }) => text).join(' ')), count(pieces.join('').replaceAll(/<[^>]*>/g, '')))
        for (const { text } of read) assert.match(text, /w/)
      },
    ),
  )
})

test('the time is linear in the length', () => {
  const units = [
    'a<break/>',
    '<p>a</p>',
    '<s>a</s>',
    '<x>a</x>',
    'a ',
    '<sub alias="b">a</sub>',
    '<say-as interpret-as="date">3</say-as>',
    '<',
    '&',
    '<a b="',
  ]
  for (const unit of units) {
    const timeOf = (chars: number) => {
      const text = `<speak>${unit.repeat(chars / unit.length)}</speak>`
      return cpuMs(() => {
        try {
          parseSsml(text, 'en')
        } catch {}
      })
    }
    timeOf(20_000)
    const [short, long] = [timeOf(20_000), timeOf(200_000)]
    assert.ok(long < 40 * Math.max(short, 5), `${unit}: ${short} ms and ${long} ms`)
  }
})
