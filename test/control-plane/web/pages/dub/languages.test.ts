// Languages of dubs by their English names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, languageName } from '#control-plane/web/pages/dub/languages.ts'

test('the names that are written down are those of Intl, in the order of the names', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  for (const { code, name } of LANGUAGES) assert.equal(name, names.of(code), code)
  const order = LANGUAGES.map(({ name }) => name)
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one.localeCompare(other, 'en')),
  )
  assert.deepEqual([LANGUAGES.length, languageName('pt_BR'), languageName('not a code')], [72, 'Brazilian Portuguese', 'not a code'])
  // Voices name their language as people wrote it, and Intl takes such a name for an unknown code.
  assert.equal(languageName('English'), 'English')
})
