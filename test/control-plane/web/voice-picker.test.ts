// The rows of the list of voices, and the name of a chosen voice for the studio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { describedVoices, foundVoices, languagesOf, voiceGroups } from '#control-plane/web/voice-picker/groups.ts'
import { hasVoice, voiceFields, voiceOf, voiceValue } from '#control-plane/web/voice-picker/rows.ts'

const engine = (id: string, voices: [string, string, string][], more: object = {}) =>
  ({
    ...{ id, display_name: id.toUpperCase(), available: true, hint: null, supports_cloning: false },
    voices: voices.map(([voice, name, language]) => ({ id: voice, name, language })),
    ...more,
  }) as unknown as SpeechEngines['backends'][number]
const profiles: ProfileVoice[] = [{ id: 'p1', voice_id: 'p1', name: 'José', type: 'profile', language: 'es' }]
const engines = [
  engine('many', [
    ['slt', 'Sally', 'en-US'],
    ['eva', 'Eva', 'de'],
    ['any', 'Anyone', '*'],
  ]),
  engine('few', [['slt', 'SLT (US, female)', 'en']]),
  engine('tone', [['tone', 'Tone', '*']]),
  engine('stands-in', [['slt', 'SLT', 'en']], { hint: 'Another voice answers.' }),
  engine('clones', [], { supports_cloning: true }),
]
const voices = { profiles, engines }
const namesOf = (groups: ReturnType<typeof voiceGroups>) => groups.map(({ id, rows }) => [id, ...rows.map(({ name }) => name)])
const all = { text: '', language: '', kept: '', isForSaved: false }

test('saved voices come first, then the engines that speak now; a search keeps the order', () => {
  const groups = voiceGroups(voices)
  assert.deepEqual(namesOf(groups), [
    ['mine', 'José'],
    ['few', 'SLT (US, female)'],
    ['many', 'Sally', 'Eva', 'Anyone'],
  ])
  assert.deepEqual(languagesOf(groups), ['es', 'en', 'de'])
  assert.deepEqual(namesOf(foundVoices(groups, { ...all, text: ' jose ' })), [['mine', 'José']])
  assert.deepEqual(namesOf(foundVoices(groups, { ...all, text: 'many a' })), [['many', 'Sally', 'Eva', 'Anyone']])
  const german = { ...all, language: 'de-AT' }
  assert.deepEqual(namesOf(foundVoices(groups, german)), [
    ['mine', 'José'],
    ['many', 'Eva', 'Anyone'],
  ])
  assert.deepEqual(namesOf(foundVoices(groups, { ...german, isForSaved: true, kept: 'few:slt' })), [
    ['few', 'SLT (US, female)'],
    ['many', 'Eva', 'Anyone'],
  ])
  assert.deepEqual(
    describedVoices(groups[0]!, [{ id: 'p1', kind: 'clone', description: 'calm', instruct: '' } as never]).rows.map(({ about }) => about),
    ['Cloned · calm'],
  )
})

test('a built-in voice is named with its engine, and found by its name alone', () => {
  assert.equal(voiceOf(voices, 'many:slt')?.name, 'Sally')
  assert.equal(voiceOf(voices, 'eva')?.value, 'many:eva')
  assert.equal(voiceOf(voices, 'few:eva'), null)
  assert.deepEqual([hasVoice(voices, 'José'), hasVoice(voices, 'slt'), hasVoice(voices, 'Tom')], [true, true, false])
  assert.deepEqual([voiceValue('few', 'slt'), voiceValue('', 'p1'), voiceValue('few', '')], ['few:slt', 'p1', ''])
  assert.deepEqual(voiceFields('few:slt', 'many', engines), { engine: 'few', voice: 'slt' })
  assert.deepEqual(voiceFields('p1', 'clones', engines), { engine: 'clones', voice: 'p1' })
  assert.deepEqual(voiceFields('p1', 'few', engines), { engine: '', voice: 'p1' })
  assert.deepEqual(voiceFields('', 'clones', engines), { engine: '', voice: '' })
  assert.deepEqual(voiceFields('gone:slt', '', engines), { engine: '', voice: 'gone:slt' })
})
