// The rules of the check of a voice track, and what shows that a transcript was invented.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatedPhrase, transcriptWarnings } from '#control-plane/features/dubbing/lines/transcribe/loops.rules.ts'
import {
  faultsOf,
  type LineEvidence,
  levelSteps,
  MAX_LEVEL_STEP,
  uncoveredSpeech,
} from '#control-plane/features/dubbing/make/qc/rules/faults.rules.ts'
import { foundLanguage, languageName, languageOfDub } from '#control-plane/features/dubbing/make/qc/rules/language.rules.ts'

const LINE: LineEvidence = {
  isSpoken: true,
  wanted: 'Good morning.',
  recognized: 'good morning',
  characterError: 0,
  late: 0.1,
  speech: 'found',
  isOtherLanguage: false,
  loudness: -20,
  levelStep: 1,
  clipped: 0,
  rate: 1,
  cutUs: 0,
  leakDb: null,
}
const faults = (change: Partial<LineEvidence>) => faultsOf({ ...LINE, ...change }, 0.5)

test('each fault has its own limit, and what was not checked is none', () => {
  assert.deepEqual(faults({}), [])
  for (const [fault, bad, good] of [
    ['missing', { isSpoken: false }, {}],
    ['words', { characterError: 0.51 }, { characterError: 0.5 }],
    ['timing', { late: 0.51 }, { late: 0.5 }],
    ['language', { isOtherLanguage: true }, {}],
    ['level', { levelStep: -4.1 }, { levelStep: 4 }],
    ['clipping', { clipped: 10 }, { clipped: 9 }],
    ['rate', { rate: 1.51 }, { rate: 0.8 }],
    ['cut', { cutUs: 50_001 }, { cutUs: 50_000 }],
    ['leak', { leakDb: -34 }, { leakDb: -36 }],
    ['silence', { loudness: null }, { speech: 'none' }],
    ['silence', { speech: 'none', recognized: '' }, { speech: 'unchecked', recognized: '' }],
    ['repetition', { recognized: 'no no no no' }, { recognized: 'no no no no', wanted: 'No, no, no, no!' }],
  ] as const) {
    assert.deepEqual(faults(bad), [fault])
    assert.deepEqual(faults(good), [])
  }
  const unchecked = { recognized: null, characterError: null, late: null, speech: 'unchecked', levelStep: null, clipped: null } as const
  assert.deepEqual(faults(unchecked), [])
})

test('a louder line differs from the lines around it, and they do not differ from it', () => {
  const faulty = (levels: (number | null)[]) => levelSteps(levels).flatMap((step, at) => (Math.abs(step ?? 0) > MAX_LEVEL_STEP ? [at] : []))
  assert.deepEqual(faulty([-20, -20.5, -10, -19, -20]), [2])
  assert.deepEqual(faulty([-10, -20, -20]), [0])
  assert.deepEqual(faulty([-20, -20, -10]), [2])
  assert.deepEqual(faulty([-20, -20, -20, -30, -30, -30]), [3])
  assert.deepEqual(faulty([-20, -30]), [1])
  assert.deepEqual(levelSteps([-20, null]), [null, null])

  // Parts of 1/64 dB are exact in binary, so that a shift rounds nothing and each comparison stays as it was.
  const decibels = (min: number, max: number) => fc.integer({ min: 64 * min, max: 64 * max }).map((parts) => parts / 64)
  const quiet = fc.array(decibels(-1.5, 1.5), { minLength: 3, maxLength: 30 })
  fc.assert(
    fc.property(quiet, fc.nat(), decibels(9, 20), fc.boolean(), (levels, place, size, isLouder) => {
      assert.deepEqual(faulty(levels), [])
      const at = place % levels.length
      const jumped = levels.map((level, index) => (index === at ? level + (isLouder ? size : -size) : level))
      assert.deepEqual(faulty(jumped), [at])
      const shifted = levelSteps(jumped.map((level) => level - 30))
      for (const [index, step] of levelSteps(jumped).entries()) assert.ok(Math.abs(step! - shifted[index]!) < 1e-9)
    }),
    { numRuns: 200 },
  )
})

test('speech without a line is found, and all of it lies in speech and in no line', () => {
  const at = (startUs: number, endUs: number) => ({ startUs: startUs * 1e5, endUs: endUs * 1e5 })
  assert.deepEqual(uncoveredSpeech([at(0, 20), at(30, 60)], [at(31, 40)]), [at(0, 20), at(43, 60)])
  assert.deepEqual(uncoveredSpeech([at(0, 4)], []), [], 'a short sound may be a breath')
  const span = fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 60 })).map(([from, length]) => at(from, from + length))
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), fc.array(span, { maxLength: 8 }), (speech, lines) => {
      for (const one of uncoveredSpeech(speech, lines)) {
        assert.ok(one.endUs - one.startUs >= 500_000)
        assert.ok(speech.some(({ startUs, endUs }) => startUs <= one.startUs && one.endUs <= endUs))
        assert.ok(lines.every(({ startUs, endUs }) => endUs + 300_000 <= one.startUs || startUs - 300_000 >= one.endUs))
      }
      assert.deepEqual(uncoveredSpeech(speech, speech), [])
    }),
    { numRuns: 200 },
  )
})

test('the language of a line is found by its words, and related languages are not mixed up', () => {
  const german = 'Das ist nicht mein Haus, und ich bin auch nicht mit der Frau hier.'
  const spanish = 'No es para mí, pero la casa de los señores está muy lejos.'
  assert.deepEqual(foundLanguage('es', spanish, german, null), { found: 'de', isOther: true })
  assert.deepEqual(foundLanguage('es-MX', spanish, spanish, null), { found: 'es', isOther: false })
  assert.deepEqual(foundLanguage('es', spanish, 'casa', null), { found: null, isOther: false })
  assert.deepEqual(foundLanguage('es', spanish, null, 'en'), { found: 'en', isOther: true })
  assert.deepEqual(foundLanguage(null, spanish, german, null), { found: 'de', isOther: false })
  // Serbian without a letter of its own is named Russian, and so is its text.
  assert.equal(foundLanguage('sr', 'Добро јутро', 'добар дан', null).isOther, false)
  assert.deepEqual([languageOfDub('und', [german]), languageOfDub('und', ['x']), languageOfDub('fi', [german])], ['de', null, 'fi'])
  assert.deepEqual([languageName('es-MX'), languageName('qqx')], ['Spanish (es-MX)', 'qqx'])
})

test('a phrase that follows itself is found, however long the text', () => {
  assert.equal(repeatedPhrase('Thank you. Thank you. Thank you. Thank you for watching.'), 'thank you')
  assert.equal(repeatedPhrase('Thank you. Thank you. Thank you.'), null)
  assert.equal(repeatedPhrase(`${'word '.repeat(3)}another`), null)
  const words = fc.uniqueArray(fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'), { minLength: 1 })
  fc.assert(
    fc.property(words, fc.integer({ min: 4, max: 9 }), (phrase, times) => {
      assert.equal(repeatedPhrase(phrase.join(' ')), null)
      assert.equal(repeatedPhrase(`so ${`${phrase.join(' ')} `.repeat(times)}`)?.split(' ').length, phrase.length)
    }),
    { numRuns: 100 },
  )
})

test('a transcript that is mostly one phrase, nearly empty or in a loop is warned of once', () => {
  const lines = (...texts: string[]) => texts.map((text, at) => ({ startUs: at * 10e6, endUs: at * 10e6 + 9e6, text }))
  const usual = lines('Good morning.', 'How are you?', 'I am well.', 'Let us begin.', 'We have little time.')
  assert.deepEqual(transcriptWarnings(usual, 60e6), [])
  assert.match(
    transcriptWarnings(lines('Thank you for watching.', 'Hi.', 'Thank you for watching.', 'thank you for watching'), 60e6)[0]!,
    /One phrase is 9\d %/,
  )
  assert.match(transcriptWarnings(usual, 3600e6)[0]!, /Only 1\.3 % of the film/)
  assert.match(transcriptWarnings(lines('Well, la la la la la.', 'Yes, this is something else.'), 60e6)[0]!, /repeats "la"/)
  assert.match(transcriptWarnings([...usual, ...lines('I see.', 'I see.', 'I see.', 'I see.')], 60e6)[0]!, /repeats "i see"/)
})
