import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENGINES } from '#shared/engines.ts'
import { sayAs } from '#shared/text/ssml/say-as.ts'
import { breakMs, emphasisRate, rateOf, volumeDb } from '#shared/text/ssml/values.ts'
import { ipaOfXSampa } from '#shared/text/ssml/x-sampa.ts'

/** interpret-as, format, language, what is written, the text before it, and what is said. */
const SAID: readonly (readonly [as: string, format: string, language: string, text: string, before: string, said: string | null])[] = [
  ['characters', '', 'en', 'NASA-42', '', 'N A S A - four two'],
  ['spell-out', '', '', 'Ab1', '', 'A b 1'],
  ['digits', '', 'en', '2026', '', 'two zero two six'],
  ['digits', '', 'de', '20 26', '', 'zwei null, zwei sechs'],
  ['digits', '', 'en', 'none', '', null],
  ['cardinal', '', 'en', '1999', '', 'one thousand nine hundred ninety nine'],
  ['number', '', 'en', '-1,234.5', '', 'minus one thousand two hundred thirty four point five'],
  ['cardinal', '', 'de', '1.234,5', '', 'eintausendzweihundertvierunddreißig Komma fünf'],
  ['cardinal', '', 'de', '1.234', '', 'eintausendzweihundertvierunddreißig'],
  ['cardinal', '', 'en', 'twelve', '', null],
  ['cardinal', '', 'ja', '12', '', null],
  ['ordinal', '', 'en', '21', '', 'twenty first'],
  ['ordinal', '', 'de', '3.', '', 'dritte'],
  ['fraction', '', 'en', '3/4', '', 'three quarters'],
  ['fraction', '', 'en', '5/37', '', 'five thirty sevenths'],
  ['fraction', '', 'de', '1 1/2', '', 'eineinhalb'],
  ['date', 'mdy', 'en', '11/28/2026', '', 'November twenty eighth, twenty twenty six'],
  ['date', 'dmy', 'en', '11/28/2026', '', null],
  ['date', 'dmy', 'de', '28.11.2026', 'am ', 'achtundzwanzigsten November zweitausendsechsundzwanzig'],
  ['date', '', 'de', '28.11.2026', 'am ', 'achtundzwanzigsten November zweitausendsechsundzwanzig'],
  ['date', 'yyyymmdd', 'en', '20261128', '', 'November twenty eighth, twenty twenty six'],
  ['date', '', 'en', '20261128', '', 'November twenty eighth, twenty twenty six'],
  ['date', '', 'en', 'November 28, 2026', '', 'November twenty eighth, twenty twenty six'],
  ['date', 'my', 'de', '11/2026', '', 'November zweitausendsechsundzwanzig'],
  ['date', 'ym', 'en-US', '2026-11', '', 'November twenty twenty six'],
  ['date', 'y', 'en', '1984', '', 'nineteen eighty four'],
  ['date', 'md', 'fr', '2/1', '', 'premier février'],
  ['time', 'hms12', 'en', '2:30pm', '', 'two thirty P M'],
  ['time', '', 'de', '14:30', '', 'vierzehn Uhr dreißig'],
  ['telephone', '', 'en', '+1 (212) 555-0148', '', 'plus one, two one two, five five five, zero one four eight'],
  ['telephone', '', '', '030 12', '', '0 3 0, 1 2'],
  ['currency', '', 'en', 'USD 12.50', '', 'twelve dollars and fifty cents'],
  ['currency', '', 'en', '$12.50', '', 'twelve dollars and fifty cents'],
  ['currency', '', 'de', '12,50 eur', '', 'zwölf Euro und fünfzig Cent'],
  ['currency', '', 'en', '12 XYZ', '', 'twelve XYZ'],
  ['unit', '', 'en', '10 km', '', 'ten kilometers'],
]
test('say-as says what is written in the language that it is in, or leaves it', () => {
  for (const [as, format, language, text, before, said] of SAID)
    assert.equal(sayAs(text, { as, format, language, before }), said, `${as} ${format} ${language} ${text}`)
})

test('X-SAMPA is IPA, and another sign makes it none', () => {
  const table = {
    't@"mA:t@U': 'təˈmɑːtəʊ',
    'pI"k{n': 'pɪˈkæn',
    'r\\`': 'ɻ',
    'a~': 'a\u0303',
    'Q_"': 'ɒ\u0308',
    l_d: 'l\u032a',
    'b_<': 'ɓ',
    'a.b-c d': 'abc d',
  }
  for (const [written, ipa] of Object.entries(table)) assert.equal(ipaOfXSampa(written), ipa, written)
  for (const other of ['ə', 'a#', 'a_Z']) assert.equal(ipaOfXSampa(other), null, other)
})

test('pauses, rates and volumes are names, numbers or changes', () => {
  const rows: readonly (readonly [number | null, number | null])[] = [
    ...([
      [breakMs('250ms', undefined), 250],
      [breakMs('+1.5 S', undefined), 1500],
      [breakMs('.5s', 'weak'), 500],
      [breakMs('9999s', undefined), 60_000],
    ] as const),
    ...([
      [breakMs(undefined, undefined), 500],
      [breakMs(undefined, 'none'), 0],
      [breakMs('5', undefined), null],
      [breakMs('-1s', undefined), null],
    ] as const),
    ...([
      [rateOf('x-fast'), 1.5],
      [rateOf('80%'), 0.8],
      [rateOf('1.25'), 1.25],
      [rateOf('-10%'), 0.9],
      [rateOf('1000%'), 4],
      [rateOf('-99%'), 0.25],
    ] as const),
    ...([
      [rateOf('constructor'), null],
      [rateOf('80 words'), null],
      [emphasisRate(undefined), 0.93],
      [emphasisRate('loud'), null],
    ] as const),
    ...([
      [volumeDb('+6dB'), 6],
      [volumeDb('-3.5 db'), -3.5],
      [volumeDb('100'), 0],
      [volumeDb('0'), -90],
      [volumeDb('x-soft'), -12],
    ] as const),
    ...([
      [volumeDb('silent'), -90],
      [volumeDb('+99dB'), 12],
      [volumeDb('-100%'), -90],
      [volumeDb('noisy'), null],
    ] as const),
  ]
  for (const [index, [found, expected]] of rows.entries()) assert.equal(found, expected, `row ${index}`)
})

test('the document names the speeds that the table of engines has', () => {
  const text = readFileSync(new URL('../../../../docs/ssml.md', import.meta.url), 'utf8')
  const rows = text.split('\n').flatMap((line) => {
    const [, names, rate] = /^\| (`[^|]+`) \| ([^|]+) \| (?:yes|written)/.exec(line) ?? []
    return names && rate ? [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name!, rate] as const) : []
  })
  const documented = new Map(rows)
  assert.ok(documented.size > 8)
  for (const { id, speeds } of ENGINES)
    if (speeds) assert.equal(documented.get(id), speeds[0] === speeds[1] ? `${speeds[0]}` : `${speeds[0]} to ${speeds[1]}`, id)
})
