import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparedTerm, createDictionary, type Respelling } from '#shared/text/pronunciation/dictionary.ts'
import { phoneObjection } from '#shared/text/pronunciation/phones.ts'
import { pronounce } from '#shared/text/pronunciation/pronounce.ts'

const entry = (term: string, replacement: string, language = '*'): Respelling => ({ term, replacement, language })
const say = (text: string, entries: readonly Respelling[], language = 'en') => createDictionary(entries, language).apply(text)

test('a term matches whole words, in any case, where its own ends are letters or digits', () => {
  const entries = [
    entry('St', 'Saint'),
    entry('feat', 'featuring'),
    entry('.NET', 'dot net'),
    entry('C++', 'C plus plus'),
    entry('3D', 'three D'),
  ]
  assert.equal(say('St. Ives, ST and Sté, Ste, first', entries).text, 'Saint. Ives, Saint and Sté, Ste, first')
  assert.equal(say('a defeat feat. Feats', entries).text, 'a defeat featuring. Feats')
  const nginx = [entry('nginx', 'engine x')]
  assert.equal(say('nginx_x, x_nginx and a_nginx_b', nginx).text, 'nginx_x, x_nginx and a_nginx_b', 'an underscore joins two letters')
  assert.equal(say('_nginx_ nginx_, __nginx', nginx).text, '_engine x_ engine x_, __engine x', 'and is emphasis at an edge')
  assert.equal(say('ASP.NET and C++, in 3D not 13D', entries).text, 'ASPdot net and C plus plus, in three D not 13D')
})

test('scripts without blanks between words need no boundary', () => {
  assert.equal(say('東京都に住む', [entry('東京', 'とうきょう')], 'ja').text, 'とうきょう都に住む')
})

test('the longest term wins, then the entry of the language, then the later one; nothing is replaced twice', () => {
  const entries = [entry('New York', 'NY city'), entry('York', 'yorrk'), entry('city', 'town'), entry('read', 'reed'), entry('read', 'red')]
  assert.deepEqual(say('New York, York city', entries), { text: 'NY city, yorrk town', applied: ['New York', 'York', 'city'] })
  assert.equal(say('read', entries).text, 'red')
  const scoped = [entry('data', 'dah-ta', 'en'), entry('data', 'day-ta'), entry('data', 'daten', 'de')]
  assert.equal(say('data', scoped).text, 'dah-ta')
  assert.equal(say('data', scoped, 'fr').text, 'day-ta')
  assert.equal(say('data', scoped, 'de').text, 'daten')
})

test('apostrophes, hyphens and blanks match in every form that books and keyboards have', () => {
  const entries = [entry("O'Brien", 'oh bryan'), entry('New York', 'NY'), entry('e-mail', 'electronic mail'), entry("l'été", 'summer')]
  const cases: readonly (readonly [text: string, said: string])[] = [
    ...["O'Brien", 'O’Brien', 'OʼBrien', 'O‘Brien', 'O´Brien', 'O`BRIEN', 'O＇Brien', 'O‛Brien'].map((text) => [text, 'oh bryan'] as const),
    ...['e-mail', 'e‐mail', 'e‑mail', 'e–mail', 'e−mail', 'E－mail', 'e\u00ad-mail'].map((text) => [text, 'electronic mail'] as const),
    ...[
      'New York',
      'New  York',
      'New\nYork',
      'New \r\n  York',
      'New\u00a0York',
      'New\u202fYork',
      'New\tYork',
      'New\u3000York',
      'Ne\u00adw York',
    ].map((text) => [text, 'NY'] as const),
    ['l’été', 'summer'],
    ['L’e\u0301te\u0301', 'summer'],
  ]
  for (const [text, said] of cases) {
    assert.equal(say(`“${text}”, and ${text}.`.normalize('NFC'), entries).text, `“${said}”, and ${said}.`, JSON.stringify(text))
    // The other way round: a term as a book has it finds the word as people type it.
    const [plain] = entries.filter(({ replacement }) => replacement === said)
    // A term in capitals is found in capitals only.
    if (text !== text.toUpperCase()) assert.equal(say(plain!.term, [entry(text, said)]).text, said, JSON.stringify(text))
  }
  for (const text of ['New\n\nYork', 'e — mail', 'e - mail', 'O Brien', 'NewYork', 'O’Briens']) assert.equal(say(text, entries).text, text)
  assert.deepEqual(say('O’Brien', entries).applied, ["O'Brien"], 'named as it is written in the dictionary')
  assert.equal(say('Ne\u00adver  O’Brien\u00a0…', entries).text, 'Ne\u00adver  oh bryan\u00a0…', 'what is no term stays as it is')
})

test('a term in capitals is found in capitals only', () => {
  const entries = [entry('US', 'you ess'), entry('IT', 'eye tee'), entry('it', 'itt')]
  assert.equal(say('Come with us. The US, in IT: it is It.', entries).text, 'Come with us. The you ess, in eye tee: itt is itt.')
  assert.equal(say('us, Us and US', [entry('us', 'uhs')]).text, 'uhs, uhs and uhs', 'other terms match in any case')
  assert.equal(say('A cat', [entry('A', 'ay')]).text, 'ay cat', 'a single capital is a letter')
})

test('letters whose lower case is longer keep their place', () => {
  assert.equal(say('İzmir ve İstanbul', [entry('İstanbul', 'city')]).text, 'İzmir ve city')
  assert.equal(say('𝔘 𐐀b', [entry('𐐨B', 'deseret')]).text, '𝔘 deseret')
})

test('inline pronunciations and tags are not changed by the dictionary', () => {
  const dictionary = createDictionary([entry('pause', 'PAUSE'), entry('read', 'reed'), entry('red', 'RED')], 'en')
  const result = pronounce('I [[read|red]] it [pause 500ms] and [[read]], read [laughter] pause', dictionary)
  assert.deepEqual(result, { text: 'I red it [pause 500ms] and read, reed [laughter] PAUSE', applied: ['pause', 'read'], unspoken: [] })
})

test('an inline pronunciation in IPA is for engines that take IPA; others get the word', () => {
  const said = (text: string, alphabet: 'ipa' | 'cmu' | null) => {
    const { text: result, unspoken } = pronounce(text, null, alphabet)
    return [result.replaceAll(/[\uFFF9-\uFFFB]/g, '~'), ...unspoken]
  }
  assert.deepEqual(said('A [[tomato|/təˈmɑː.təʊ/]].', 'ipa'), ['A ~tomato~təˈmɑːtəʊ~.'])
  for (const alphabet of ['cmu', null] as const) assert.deepEqual(said('A [[tomato|/təˈmɑːtəʊ/]].', alphabet), ['A tomato.', 'tomato'])
  for (const text of ['/', '//', '/a/b/', 'and/or', '/a(b)/']) assert.deepEqual(said(`[[x|${text}]]`, 'ipa'), [text], 'no IPA')
})

test('an override is replaced by the text after the bar, or by the word itself', () => {
  const said = (text: string) => pronounce(text, null).text
  assert.equal(said('I [[read|red]] it, [[really]].'), 'I red it, really.')
  for (const text of ['[[]]', '[[a|b|c]]', '[[a', '[a|b]', '[[a|]]', `[[${'x'.repeat(257)}]]`]) assert.equal(said(text), text)
  assert.equal(said('[[[a|b]]]'), '[b]')
})

test('a text without a term is unchanged, and one pass over any text ends', () => {
  const terms = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 5 })), { maxLength: 6 })
  fc.assert(
    fc.property(terms, fc.string({ unit: 'grapheme', maxLength: 60 }), (rows, given) => {
      const text = given.normalize('NFC')
      const entries = rows.map(([term, replacement]) => entry(term, replacement))
      const { text: result, applied } = say(text, entries)
      if (applied.length === 0) assert.equal(result, text)
      const known = rows.map(([term]) => entry(term, term))
      assert.equal(comparedTerm(say(text, known).text), comparedTerm(text), 'a term that is said as it is written changes its form only')
      for (const term of applied) assert.ok(entries.some((row) => row.term === term))
      assert.equal(say(text, []).text, text)
    }),
    { numRuns: 300, seed: 11 },
  )
})

test('phonetic entries are checked by alphabet', () => {
  assert.equal(phoneObjection('cmu', 'T AH0 M EY1 T OW0'), null)
  assert.match(phoneObjection('cmu', 'T AH0 XX')!, /"XX"/)
  assert.match(phoneObjection('cmu', 'K1')!, /"K1"/)
  assert.equal(phoneObjection('ipa', 'təˈmeɪtoʊ'), null)
  for (const text of ['[tə]', 'a|b', 'a\u0000', '/tə/', ' ']) assert.notEqual(phoneObjection('ipa', text), null)
})
