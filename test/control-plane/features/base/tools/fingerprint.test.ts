// The fingerprints of segments. The hexadecimal values were computed with sha1sum from the texts beside them.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type DubSegment, fingerprintOf, float, planSegments } from '#control-plane/features/base/tools/fingerprint.rules.ts'

const NO_TRACK = { lang: null, voiceMatch: null }
const BARE = '"effect_preset": "broadcast", "instruct": "", "profile_id": ""'
const GOLDEN: readonly [DubSegment, { lang: string | null; voiceMatch: string | null }, string, string][] = [
  [{ text: 'Hello' }, NO_TRACK, `{"direction": "", ${BARE}, "speed": "", "target_lang": "", "text": "Hello"}`, '99a908a3b87c4488'],
  [
    { text: 'Grüße, "Welt"\n', target_lang: 'de', speed: 1, instruct: null, direction: '' },
    NO_TRACK,
    `{"direction": "", ${BARE}, "speed": 1.0, "target_lang": "de", "text": "Grüße, \\"Welt\\"\\n"}`,
    '47130e2048543e02',
  ],
  [
    {
      ...{ text: 'Hola', target_lang: 'es', profile_id: 'ab12cd34', instruct: 'low' },
      ...{ speed: 1.25, direction: 'calm', effect_preset: 'warm' },
    },
    { lang: 'es', voiceMatch: 'consistent' },
    '{"direction": "calm", "effect_preset": "warm", "instruct": "low", "profile_id": "ab12cd34", "speed": 1.25, "target_lang": "es", "text": "Hola", "track_lang": "es", "voice_match": "consistent"}',
    'a75e53b7c80e7bef',
  ],
  [
    { text: 'tiny \\ \u0001', speed: 0.00001 },
    { lang: 'pt-BR', voiceMatch: 'per_line' },
    `{"direction": "", ${BARE}, "speed": 1e-05, "target_lang": "", "text": "tiny \\\\ \\u0001", "track_lang": "pt-BR"}`,
    'f395b20b61a40659',
  ],
  [{ speed: 1e16 }, NO_TRACK, `{"direction": "", ${BARE}, "speed": 1e+16, "target_lang": "", "text": ""}`, '466909e44143ba18'],
  [
    { speed: 0.0001, text: true },
    { lang: '', voiceMatch: '' },
    `{"direction": "", ${BARE}, "speed": 0.0001, "target_lang": "", "text": true}`,
    'b41c140d5b0230d1',
  ],
]

test('the hashed text and the fingerprint of each kind of segment', () => {
  for (const [segment, track, text, expected] of GOLDEN) {
    assert.equal(createHash('sha1').update(text).digest('hex').slice(0, 16), expected, text)
    assert.equal(fingerprintOf(segment, track), expected, text)
  }
})

test('null, an empty text and an absent field are equal; so are 1 and 1.0, and the usual preset and none', () => {
  const of = (segment: DubSegment) => fingerprintOf({ text: 'x', ...segment }, NO_TRACK)
  const plain = of({})
  for (const same of [{ instruct: '' }, { instruct: null }, { profile_id: '' }, { effect_preset: 'broadcast' }, { effect_preset: '' }])
    assert.equal(of(same), plain, JSON.stringify(same))
  assert.equal(of({ speed: 1 }), of({ speed: 1.0 }))
  for (const other of [{ speed: 1 }, { speed: '1' }, { instruct: ' ' }, { effect_preset: 'raw' }, { text: 'X' }, { direction: 'calm' }])
    assert.notEqual(of(other), plain, JSON.stringify(other))
})

test('numbers are written as floats', () => {
  for (const [value, text] of [
    ...([
      [0, '0.0'],
      [-0, '-0.0'],
      [1, '1.0'],
      [-2, '-2.0'],
      [1.5, '1.5'],
      [0.1, '0.1'],
      [0.0001, '0.0001'],
      [0.00001, '1e-05'],
    ] as const),
    ...([
      [1e15, '1000000000000000.0'],
      [1e16, '1e+16'],
      [1.5e17, '1.5e+17'],
      [1e22, '1e+22'],
      [5e-324, '5e-324'],
    ] as const),
  ])
    assert.equal(float(value), text)
})

test('a plan compares with the stored fingerprints by id', async () => {
  const segments: DubSegment[] = [
    { id: 'a', text: 'A' },
    { id: 2, text: 'B' },
    { text: 'no id' },
    { id: '', text: 'empty' },
    { id: '__proto__', text: 'C' },
  ]
  const first = await planSegments(segments, {}, NO_TRACK)
  assert.deepEqual([first.stale, first.fresh, first.total], [['a', '2', '__proto__'], [], 5])
  assert.deepEqual(Object.keys(first.fingerprints), ['2', 'a', '__proto__'])
  const again = await planSegments(
    [
      { id: 'a', text: 'A' },
      { id: 2, text: 'changed' },
    ],
    { ...first.fingerprints, gone: 'x' },
    NO_TRACK,
  )
  assert.deepEqual([again.stale, again.fresh], [['2'], ['a']])
  assert.deepEqual((await planSegments([{ id: 'constructor', text: '' }], {}, NO_TRACK)).stale, ['constructor'])
})
