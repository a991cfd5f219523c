// Properties for every text: the normaliser is total, idempotent and linear, and leaves brackets and plain text as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normaliseText } from '#shared/text/normalise/normalise.ts'

const WITH_TABLES = ['en', 'en-GB', 'de', 'fr', 'es', 'it', 'pt-BR', 'pt-PT', 'nl', 'pl', 'ru']
const LANGUAGES = [...WITH_TABLES, 'hi', 'cs', 'ja', 'hu', 'xx', '']
/** Pieces of what the rules look for, to be glued in any order. */
const PIECES =
  '#|¢|er|#5|Le|Ce|secolo|World War|S.A.|Mon.|Dr.|Mr|St.|No.|no.|etc.|e.g.|z. B.|p. ex.|M.|Mme|Sr.|n°|U.S.|A.|B.C|Louis|Henry|Chapter|siglo|Kapitel|I|V|XIV|XIXe|IX.|January|Jan.|May|Mai|mayo|de|of|the|der|am|Uhr|p.m.|am|h|s|km|km/h|m²|%|°C|°|$|€|US$|USD|EUR|million|Mio.|k|bn|st|th|er|º|ª|½|¾|0|1|2|3|5|10|21|007|100|1990|2024|1,000|1.000|3.14|3,14|1/2|12:34|2024-01-05|1.2.3|99999999999999999999|-|–|−|.|,|:|/| |  |\u00a0|\n|(|)|"|\'|’|[|]|[5]|a|X|é|ß|ا|漢|\u0301|\ud83d\ude00|\ud83d|٣|²|+|+49 |(212) |555-|0148|tel. |call |=|×|x|*|§|±|≈|~|<|24/7|80s|4/15|on |@|#Tag|a@b.de|www.|.com|https://|mi|/month|µm|.5|p. m.|ᵉʳ|zł|тыс.|руб.|₽|№|mln|nr|t/m|uur|u|г.|году|в|-й|-летний|-letni|-jarige|roku|r.|w|w.|wieku|век|гг.|мая|maja|mei|godz.|т.|е.|ul.|dhr.|г-н|min.|lata|miejsce'.split(
    '|',
  )
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((parts) => parts.join(''))
const texts = fc.oneof({ weight: 3, arbitrary: pieces }, fc.string({ unit: 'binary', maxLength: 60 }))
const language = fc.constantFrom(...LANGUAGES)
const outside = (text: string) => text.replace(/\[[^\]]*\]/g, '')
const RUNS = { numRuns: 2_000 }

test('a second pass changes nothing', () => {
  fc.assert(
    fc.property(texts, language, (text, tag) => {
      const once = normaliseText(text, tag)
      assert.equal(normaliseText(once, tag), once)
    }),
    RUNS,
  )
})

test('brackets keep their text and their order', () => {
  const brackets = (text: string) => text.match(/\[[^\]]*\]/g) ?? []
  fc.assert(
    fc.property(texts, language, (text, tag) => assert.deepEqual(brackets(normaliseText(text, tag)), brackets(text))),
    RUNS,
  )
})

test('a language with tables leaves no digit outside of brackets', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(...WITH_TABLES), (text, tag) => assert.doesNotMatch(outside(normaliseText(text, tag)), /[0-9½¾]/)),
    RUNS,
  )
})

test('text without digits, full stops and titles comes back unchanged', () => {
  const plain = fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => !/[\p{N}.]|\p{L}[+#]/u.test(text))
  fc.assert(
    fc.property(plain, language, (text, tag) => assert.equal(normaliseText(text, tag), text)),
    { numRuns: 1_000 },
  )
  const prose = 'The quick  brown fox\r\n— “jumps” over the lazy dog… NASA & friends; drôle, e\u0301te\u0301!\t\u00a0\n\n'
  for (const tag of LANGUAGES) assert.equal(normaliseText(prose, tag), prose, tag)
})

test('the time is linear in the length of the text', () => {
  const units = [
    '1',
    '1-',
    '1.',
    '1,',
    '1,000',
    '1/',
    '1:',
    'a.',
    'A.',
    'U.S. ',
    '[',
    '[1',
    'Dr. ',
    'X',
    'Louis ',
    'IV ',
    '$',
    '$1 ',
    '-1',
    ' ',
    'M. \n',
    'May 5 ',
    'n°',
    '½',
    '1990s-',
    '+1 ',
    '(1',
    '1+',
    '1x',
    '1 000 ',
    '0 12 ',
    'a',
    "'",
    'etc.)',
  ]
  for (const unit of units) {
    for (const tag of ['en', 'fr', 'nl', 'pl', 'ru']) {
      const timeOf = (length: number) => {
        const text = unit.repeat(Math.ceil(length / unit.length))
        const start = process.cpuUsage()
        normaliseText(text, tag)
        const { user, system } = process.cpuUsage(start)
        return (user + system) / 1000
      }
      const taken = timeOf(20_000)
      // A quadratic pass over this length takes seconds.
      assert.ok(taken < 1_000, `${JSON.stringify(unit)} in ${tag}: ${taken} ms`)
    }
  }
})

test('a chain of figures as long as a book ends', () => {
  for (const [tag, unit] of [
    ['en', '1990s-'],
    ['de', '90er-'],
    ['en', '1-'],
    ['en', '1x'],
    ['fr', '17/'],
  ] as const)
    assert.doesNotMatch(normaliseText(unit.repeat(40_000), tag), /\d/, unit)
})
