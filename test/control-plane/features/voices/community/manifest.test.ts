// Manifests of strangers: what is valid, what is dropped and why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_ITEMS, parseManifest } from '#control-plane/features/voices/community/manifest.ts'

const HOSTS = ['files.example']
const preset = (more: object = {}) => ({
  type: 'preset',
  id: 'p1',
  name: 'Preset',
  use_case: 'narration',
  instruct: 'male, elderly',
  ...more,
})
const voice = (more: object = {}) => ({
  type: 'voice',
  id: 'v1',
  name: 'Voice',
  use_case: 'social',
  audio: { url: 'https://files.example/a.wav' },
  ...more,
})
const read = (...items: unknown[]) => parseManifest(JSON.stringify({ items }), 'owner/repo', HOSTS)!
const reasonOf = (item: unknown): string => read(item).dropped[0]?.reason ?? 'valid'

test('items are completed, and unknown fields do not pass', () => {
  const { items, dropped } = read(
    preset({ instruct: 'British accent, MALE, 老年', language: undefined, script: 'x', preview_url: 'https://evil.example' }),
    voice({
      source: 'starter',
      license: 'CC0-1.0',
      audio: { url: 'https://cdn.files.example/a.wav', sha256: 'AB'.repeat(32), ref_text: 'Hello.' },
    }),
  )
  assert.deepEqual(dropped, [])
  assert.deepEqual(items[0], {
    type: 'preset',
    id: 'p1',
    name: 'Preset',
    use_case: 'narration',
    language: 'English',
    instruct: 'male, elderly, british accent',
    attrs: { Gender: 'male', Age: 'elderly', Pitch: 'Auto', Style: 'Auto', EnglishAccent: 'british accent', ChineseDialect: 'Auto' },
    facets: { gender: 'male', age: 'elderly', pitch: 'Auto', accent: 'british accent', whisper: false, lang: 'English' },
    sample_script: '',
    icon: '',
    source: '',
    license: '',
    is_community: true,
    preview_url: '/community/items/p1/preview',
    _source_repo: 'owner/repo',
  })
  const [, recording] = items
  assert.ok(recording?.type === 'voice')
  assert.deepEqual(recording.audio, { url: 'https://cdn.files.example/a.wav', sha256: 'ab'.repeat(32), ref_text: 'Hello.' })
  assert.deepEqual([recording.is_community, recording.license], [false, 'CC0-1.0'])
})

test('invalid items are dropped with the reason', () => {
  for (const [item, reason] of [
    [null, /no item|Invalid/],
    ['text', /./],
    [[], /./],
    [{}, /type/],
    [preset({ type: 'other' }), /type/],
    [preset({ id: '../x' }), /^id/],
    [preset({ id: 'a'.repeat(129) }), /^id/],
    [preset({ id: 'é' }), /^id/],
    [preset({ name: '' }), /^name/],
    [preset({ name: 'x'.repeat(81) }), /^name/],
    [preset({ name: 'x\u202ey' }), /^name/],
    [preset({ name: 'x\u0000y' }), /^name/],
    [preset({ name: '\ud800' }), /^name/],
    [preset({ name: { toString: 'x' } }), /^name/],
    [preset({ use_case: 'other' }), /^use_case/],
    [preset({ instruct: '' }), /^instruct/],
    [preset({ instruct: 'male, handsome' }), /^instruct/],
    [preset({ instruct: 'male, female' }), /^instruct/],
    [preset({ instruct: 'male, 男' }), /^instruct/],
    [preset({ instruct: 'british accent, 四川话' }), /^instruct/],
    [preset({ instruct: '__proto__' }), /^instruct/],
    [preset({ sample_script: 'x'.repeat(2001) }), /^sample_script/],
    [voice({ audio: undefined }), /^audio/],
    [voice({ audio: { url: 'http://files.example/a.wav' } }), /^audio\.url/],
    [voice({ audio: { url: 'https://evil.example/a.wav' } }), /^audio\.url/],
    [voice({ audio: { url: 'https://files.example.evil.example/' } }), /^audio\.url/],
    [voice({ audio: { url: 'https://evilfiles.example/' } }), /^audio\.url/],
    [voice({ audio: { url: 'https://u:p@files.example/' } }), /^audio\.url/],
    [voice({ audio: { url: 'https://files.example:8443/' } }), /^audio\.url/],
    [voice({ audio: { url: 'file:///etc/passwd' } }), /^audio\.url/],
    [voice({ audio: { url: 'https://files.example/a', sha256: 'xyz' } }), /^audio\.sha256/],
    [voice({ audio: { url: 'https://files.example/a', ref_text: 'x'.repeat(4001) } }), /^audio\.ref_text/],
  ] as const)
    assert.match(reasonOf(item), reason, JSON.stringify(item))
})

test('names in every script are kept', () => {
  const names = ['Ünïcödé', 'Голос', 'صوت', 'आवाज़', '声音', '声', 'קול', '👩‍🎤 Star', 'ᏣᎳᎩ', '𝔘𝔫𝔦', 'ก'.repeat(80), '😀'.repeat(80)]
  const { items, dropped } = read(...names.map((name, at) => preset({ id: `n${at}`, name })))
  assert.deepEqual(dropped, [])
  assert.deepEqual(
    items.map(({ name }) => name),
    names.map((name) => name.normalize('NFC')),
  )
})

test('an id counts once, and ids that are names of object members are ordinary ones', () => {
  const { items, dropped, droppedCount } = read(
    preset({ name: 'first' }),
    preset({ name: 'second' }),
    preset({ id: '__proto__' }),
    preset({ id: 'constructor' }),
  )
  assert.deepEqual(
    items.map(({ id, name }) => [id, name]),
    [
      ['p1', 'first'],
      ['__proto__', 'Preset'],
      ['constructor', 'Preset'],
    ],
  )
  assert.deepEqual([droppedCount, dropped[0]!.at], [1, 1])
})

test('members that would change the prototype change nothing', () => {
  const text = `{"items":[{"type":"preset","id":"a","name":"A","use_case":"narration","instruct":"male","__proto__":{"is_community":false},
    "constructor":{"prototype":{"polluted":true}},"facets":{"__proto__":{"gender":"x"}}}],"__proto__":{"packs":[]},"packs":[{"id":"k","name":"K","__proto__":{"x":1}}]}`
  const { items, packs } = parseManifest(text, 'owner/repo', HOSTS)!
  assert.equal(items.length, 1)
  assert.equal(items[0]!.is_community, true)
  assert.equal(Object.getPrototypeOf(items[0]), Object.prototype)
  assert.deepEqual(Object.keys(packs[0]!).sort(), ['_source_repo', 'description', 'icon', 'id', 'items', 'name'])
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('texts that are no manifest, deep nesting and very long lists end quickly', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '"x"',
    '1',
    '{',
    '<html>',
    '{"items":{}}',
    '['.repeat(1_000_000),
    `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}x`,
  ])
    assert.equal(parseManifest(text, 'owner/repo', HOSTS), null, text.slice(0, 20))
  const deep = `{"items":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`
  assert.equal(parseManifest(deep, 'owner/repo', HOSTS)!.droppedCount, 1)
  const many = Array.from({ length: 100_000 }, (_, at) => (at % 2 ? {} : { id: `i${at}` }))
  const { items, dropped, droppedCount } = read(...many)
  assert.deepEqual([items.length, droppedCount, dropped.length], [0, 100_000, 101])
  const valid = read(...Array.from({ length: MAX_ITEMS + 5 }, (_, at) => preset({ id: `i${at}` })))
  assert.deepEqual([valid.items.length, valid.droppedCount], [MAX_ITEMS, 5])
})
