// Words that sound as their neighbours require: articles, "to", "in", "used to", words with two meanings, abbreviations and signs. Pure.

import { type EnglishWord, type Lexicon, wordClass } from './lexicon.ts'
import { PRIMARY, SECONDARY } from './stress.ts'

/** Signs that are read as words. */
const SIGNS: Readonly<Record<string, string>> = { '%': 'percent', '&': 'and', '+': 'plus', '@': 'at' }
const METAL = /^(?:acetate|bullets?|crystals?|glass|mines?|oxide|paint|pencils?|pipes?|piping|plates?|poisoning|weights?)$/
const GAS = /^(?:ducts?|gas|drops?|stains?)$/
const TINY = /^(?:amounts?|changes?|details?|differences?|fractions?|fragments?|particles?|quantit(?:y|ies)|traces?)$/
const FISH_AFTER = /^(?:boats?|fishing|fisherm[ae]n|lakes?|lures?|swam|swims?)$/
const FISH_BEFORE = /^(?:black|catch|caught|chilean|grilled|largemouth|sea|smallmouth|striped|white)$/
const isNoun = (tag: string) => tag.startsWith('NN')

type Rule = (word: EnglishWord, lexicon: Lexicon) => string | null
const versus: Rule = ({ tag }, { usual }) => (tag === 'IN' ? usual('versus') : null)
/** The reading of a word for a part of speech. */
const as =
  (tag: string): Rule =>
  (word, { entry }) =>
    entry({ ...word, tag })

/** By the word in small letters. Null: the usual reading. */
const PARTICLES: Readonly<Record<string, Rule>> = {
  a({ tag, following, before }) {
    // "nine a m" is what the text layer makes of "9 a.m."
    const isLetter = tag !== 'DT' || (/^m\.?$/.test(following.word) && before !== '')
    return isLetter ? `${PRIMARY}A` : 'ɐ'
  },
  am({ text, tag, stress, following }, { spelled, usual }) {
    if (isNoun(tag)) return spelled(text)
    return following.sound === 'end' || text !== 'am' || (stress !== null && stress > 0) ? usual('am') : 'ɐm'
  },
  an: ({ text, tag }, { spelled }) => (text === 'AN' && isNoun(tag) ? spelled(text) : 'ɐn'),
  i: ({ text, tag }) => (text === 'I' && tag === 'PRP' ? `${SECONDARY}I` : null),
  by: ({ tag }) => (wordClass(tag) === 'ADV' ? `b${PRIMARY}I` : null),
  to({ text, tag, following }, { usual }) {
    if (text === 'TO' && tag !== 'TO' && tag !== 'IN') return null
    return { end: usual('to'), consonant: 'tə', vowel: 'tʊ' }[following.sound]
  },
  in({ text, tag, following }) {
    if (text === 'IN' && tag === 'NNP') return null
    return `${following.sound === 'end' || tag !== 'IN' ? PRIMARY : ''}ɪn`
  },
  the: ({ text, tag, following }) => (text === 'THE' && tag !== 'DT' ? null : following.sound === 'vowel' ? 'ði' : 'ðə'),
  vs: versus,
  'vs.': versus,
  // Before a name it is a saint, which the text layer has spelled out.
  'st.': ({ following }, { usual }) => (following.sound === 'end' ? usual('street') : null),
  used: (word, lexicon) => {
    const isHabit = word.following.word === 'to' && /^(?:VBD|JJ)$/.test(word.tag)
    return as(isHabit ? 'VBD' : '')({ ...word, text: 'used', stress: null }, lexicon)
  },
  // The dictionaries have the fish.
  bass: (word, lexicon) => as(FISH_AFTER.test(word.following.word) || FISH_BEFORE.test(word.before) ? 'NN' : 'JJ')(word, lexicon),
  lead: ({ following }) => (METAL.test(following.word) ? `l${PRIMARY}ɛd` : null),
  minute: (word, lexicon) => (TINY.test(word.following.word) ? as('JJ')(word, lexicon) : null),
  tear: (word, lexicon) => (GAS.test(word.following.word) ? as('NN')(word, lexicon) : null),
}

/** The phonemes of a word that this file has a rule for; null for any other. */
export function particle(word: EnglishWord, lexicon: Lexicon): string | null {
  const { text } = word
  if (Object.hasOwn(SIGNS, text)) return lexicon.usual(SIGNS[text]!)
  if (isAbbreviation(text)) return lexicon.spelled(text)
  const small = text.toLowerCase()
  return Object.hasOwn(PARTICLES, small) ? PARTICLES[small]!(word, lexicon) : null
}

/** Letters with full stops or hyphens between them, such as U.S., Ph.D and U-S. */
const isAbbreviation = (text: string): boolean => /^(?:\p{L}{1,2}\.)+\p{L}{1,2}\.?$|^(?:\p{Lu}-)+\p{Lu}\.?$/u.test(text)
