// Parts of English pronunciation: the table of entries, notation, unknown words.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createEnglish } from '#agent/engine/speech/english/english.ts'
import { openJsonTable } from '#agent/engine/speech/english/json-table.ts'
import { ipaOfSymbols, symbolsOfIpa } from '#agent/engine/speech/english/notation.ts'
import { createUnknownWords } from '#agent/engine/speech/english/unknown.ts'
import { withStress } from '#agent/engine/speech/english/words/stress.ts'
import { systemClock } from '#shared/runtime/clock.ts'

test('a table finds every value of an object as JSON.parse does, and no other', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 40 })
  fc.assert(
    fc.property(objects, fc.string(), (object, other) => {
      const json = JSON.stringify(object)
      const table = openJsonTable(new TextEncoder().encode(json))
      const parsed = JSON.parse(json) as Record<string, unknown>
      for (const [key, value] of Object.entries(parsed)) assert.deepEqual(table.get(key), value)
      assert.deepEqual(table.get(other), Object.hasOwn(parsed, other) ? parsed[other] : undefined)
    }),
  )
  const inner = openJsonTable(new TextEncoder().encode('{"a":1,"b":{"c":[2,"}"]}}')).table('b')
  assert.deepEqual(inner.get('c'), [2, '}'])
})

test('what is no object is refused', () => {
  for (const text of ['', '[]', '{"a', '{"a":1', 'null'])
    assert.throws(() => openJsonTable(new TextEncoder().encode(text)), RangeError, text)
})

test('IPA becomes the symbols of a variety, and a sound that English lacks is refused', () => {
  assert.equal(symbolsOfIpa('tʃiːz', false), 'ʧˈiz')
  assert.equal(symbolsOfIpa('ˈɡoʊt', true), 'ɡˈQt')
  assert.equal(symbolsOfIpa('təˈmɑːtoʊ', false), 'təmˈɑtO')
  assert.equal(symbolsOfIpa('ʘa', false), null)
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (ipa) => void symbolsOfIpa(ipa, false)))
})

test('symbols become IPA without a letter that IPA does not have', () => {
  assert.equal(ipaOfSymbols('həlˈO wˈɜɹld'), 'həlˈoʊ wˈɜːld')
  assert.doesNotMatch(ipaOfSymbols('ʧʤAIOQWYT'), /[AIOQWYTʧʤ]/)
})

test('stress is raised, lowered and removed', () => {
  assert.deepEqual(
    ([-2, -1, 0, 1, 2] as const).map((stress) => withStress('kˈæt', stress)),
    ['kæt', 'kˌæt', 'kˌæt', 'kˈæt', 'kˈæt'],
  )
  assert.deepEqual([withStress('kæt', 0.5), withStress('kæt', 2), withStress('kæt', null)], ['kˌæt', 'kˈæt', 'kæt'])
})

test('unknown words are pronounced by the network, in capitals and with accents too, and noises by their letters', async (t) => {
  const unknown = createUnknownWords({ clock: systemClock, program: null })
  t.after(() => unknown.close())
  const words = ['Zorblatt', 'Schnörkel', 'shh', 'www', 'x'.repeat(500), '漢字']
  const found = await unknown.find(words, 'en-us')
  assert.deepEqual([...found.keys()], words)
  assert.match(found.get('Zorblatt')!, /z.*ɹ.*b.*l/)
  assert.deepEqual([found.get('shh'), found.get('漢字')], ['ʃ', ''])
  assert.deepEqual(await unknown.find(words, 'en-us'), found)
  assert.match((await unknown.find(['Zorblatt'], 'en-gb')).get('Zorblatt')!, /z/)
  await assert.rejects(unknown.find(['Quibbledorf'], 'en-us', AbortSignal.abort()))
})

const english = createEnglish({ clock: systemClock, program: null })
after(() => english.close())
test('any text has symbols of the alphabet only', async () => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.stringMatching(/^(?:[A-Za-z'’.-]{1,12} ?){0,12}$/))
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const symbols = await english.symbols(text, 'en-us')
      assert.ok(symbols.length < 40 * (text.length + 1))
    }),
    { numRuns: 60 },
  )
})
