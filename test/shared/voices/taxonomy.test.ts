// The list of archetypes: its counts, rules and bytes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { describe } from '#shared/voices/describe.ts'
import { instructOf } from '#shared/voices/recipe.ts'
import { buildArchetypes } from '#shared/voices/taxonomy.ts'
import { USE_CASES } from '#shared/voices/use-cases.ts'

const all = buildArchetypes()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** A change of it changes what callers have stored: ids, recipes or samples. */
const DIGEST = 'e5c3e48183a28221aee83a8f146a76d78e65858a19ba1f26e411ea67d60627d5'

test('1,126 archetypes: 51 featured first, then 571 English and 504 Chinese ones', () => {
  const count = (of: (one: (typeof all)[number]) => boolean) => all.filter(of).length
  assert.deepEqual([all.length, count(({ is_featured }) => is_featured)], [1_126, 51])
  assert.ok(all.slice(0, 51).every(({ is_featured }) => is_featured))
  assert.deepEqual([count(({ id }) => id.startsWith('feat_')), count(({ id }) => id.startsWith('ml_'))], [24, 27])
  const generated = all.slice(51)
  assert.ok(generated.every(({ id, instruct, language }) => id === `a_${sha256(`${instruct}|${language}`).slice(0, 10)}`))
  // 42 persons x 11 accents + 12 persons x 11 accents whispering = 594, of which 23 are featured.
  assert.equal(generated.filter(({ language }) => language === 'English').length, 594 - 23)
  assert.equal(generated.filter(({ language }) => language === 'Chinese').length, 42 * 12)
  assert.equal(generated.filter(({ facets }) => facets.whisper).length, 132)
})

test('ids, names within a language, and recipes are unique', () => {
  for (const key of [
    ({ id }: (typeof all)[number]) => id,
    ({ name, language }: (typeof all)[number]) => `${name}|${language}`,
    ({ instruct, language }: (typeof all)[number]) => `${instruct}|${language}`,
  ])
    assert.equal(new Set(all.map(key)).size, all.length)
  assert.ok(all.every(({ id }) => /^(feat_[0-9]{2}_[a-z_]+|ml_[a-z]{2}_[a-z]+|a_[0-9a-f]{10})$/.test(id)))
})

test('nine languages have three roles with texts of their own', () => {
  const languages = Map.groupBy(all.slice(24, 51), ({ language }) => language)
  assert.deepEqual(
    [...languages.keys()],
    ['Spanish', 'French', 'German', 'Italian', 'Portuguese', 'Russian', 'Hindi', 'Japanese', 'Korean'],
  )
  for (const roles of languages.values())
    assert.deepEqual(
      roles.map(({ name, language }) => name.replace(`${language} `, '')),
      ['Narrator', 'Explainer', 'Companion'],
    )
  assert.equal(new Set(all.slice(24, 51).map(({ sample_script }) => sample_script)).size, 27)
})

test('a description of the recipe of any archetype gives its choices', () => {
  for (const { instruct, attrs } of all) {
    const found = describe(instruct)
    assert.deepEqual([found.attrs, found.unmatched, instructOf(attrs)], [attrs, [], instruct])
  }
})

test('implausible voices are left out', () => {
  const pairs = new Set(all.map(({ facets }) => `${facets.age}, ${facets.pitch}`))
  assert.equal(pairs.size, 21)
  for (const absent of ['child, very low pitch', 'child, low pitch', 'teenager, very low pitch', 'elderly, very high pitch'])
    assert.ok(!pairs.has(absent), absent)
})

test('names, use cases and icons of generated archetypes', () => {
  const of = (instruct: string, language = 'English') => {
    const found = all.find((one) => one.instruct === instruct && one.language === language)!
    return [found.name, found.use_case]
  }
  assert.deepEqual(of('male, elderly, low pitch, american accent'), ['Deep elderly man, American', 'narration'])
  assert.deepEqual(of('female, elderly, moderate pitch, whisper, indian accent'), ['Elderly woman, whispering, Indian', 'narration'])
  assert.deepEqual(of('male, child, moderate pitch'), ['Boy', 'characters'])
  assert.deepEqual(of('female, middle-aged, very high pitch'), ['Very bright middle-aged woman', 'characters'])
  assert.deepEqual(of('female, young adult, high pitch'), ['Bright young woman', 'social'])
  assert.deepEqual(of('female, young adult, low pitch'), ['Deep young woman', 'conversational'])
  assert.deepEqual(of('female, elderly, moderate pitch'), ['Elderly woman', 'entertainment'])
  assert.deepEqual(of('male, middle-aged, moderate pitch, british accent'), ['Middle-aged man, British', 'advertisement'])
  assert.deepEqual(of('female, middle-aged, moderate pitch, 青岛话', 'Chinese')[1], 'informative', 'a dialect is no accent')
  assert.deepEqual(of('male, teenager, high pitch, 四川话', 'Chinese'), ['Bright teenage boy, Sichuan dialect', 'characters'])
  for (const { use_case, icon } of all) assert.equal(USE_CASES.find(({ id }) => id === use_case)?.icon, icon)
})

test('the list is the same on every machine', () => assert.equal(sha256(JSON.stringify(all)), DIGEST))
