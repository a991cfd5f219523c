// The marks that reach a voice, against what piper-tts 1.8 gives to its voices for the same texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PiperConfig } from '#agent/engine/tts/piper/config.ts'
import { toPiperIds, toPiperMarks } from '#agent/engine/tts/piper/symbols.ts'
import { piperConfig } from '#test/support/models/piper-model.ts'

test('brackets and quotation marks are silent, dashes are semicolons, and of several marks the first counts', () => {
  const cases: Readonly<Record<string, string>> = {
    'ʃiː sˈɛd, "aɪ ɹˈiːd (ðɪs)" — ænd ðˈɛn: ɡˈoʊ': 'ʃiː sˈɛd, aɪ ɹˈiːd ðɪs; ænd ðˈɛn: ɡˈoʊ',
    '¿kˈe tˈal?': 'kˈe tˈal?',
    '¡ˈola! bjˈen; «sˈi».': 'ˈola! bjˈen; sˈi.',
    'wˈʌt?! nˈoʊ!? jˈɛs??': 'wˈʌt? nˈoʊ! jˈɛs?',
    'wˈeɪt... wˈeɪt…': 'wˈeɪt. wˈeɪt.',
    'ʋˌəh dˈoː hɛː॥': 'ʋˌəh dˈoː hɛː.',
    'tˈɛkst – wˈɪð': 'tˈɛkst; wˈɪð',
    '“kwˈoʊɾᵻd” tˈɛkst': 'kwˈoʊɾᵻd tˈɛkst',
  }
  for (const [ours, theirs] of Object.entries(cases)) assert.equal(toPiperMarks(ours), theirs)
})

test('names of a configuration that every object has are no symbols', () => {
  const config = PiperConfig.parse(JSON.parse(piperConfig({ vowel_clusters: [[...'toString'], ['a', 'b']] })))
  assert.deepEqual(toPiperIds('toString', { ...config, phoneme_id_map: { '^': [1], _: [0], $: [2], t: [3] } }), {
    ids: [1, 0, 3, 0, 3, 0, 2],
    dropped: 6,
  })
})
