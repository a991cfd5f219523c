// The phonemes of groups of parts, from right to left, because some words sound as what follows requires. Parts that stand together are looked
// up together, the longest first from the right; the lighter half of a compound loses its main stress. Pure.

import { composed } from '#shared/text/unicode/compose.ts'
import type { EnglishWord, Following, Lexicon } from '../words/lexicon.ts'
import { particle } from '../words/particles.ts'
import { isStressed, isVowel, type Stress, weightOfPhonemes, withStress } from '../words/stress.ts'
import type { Group, WordPart } from './parts.ts'

/** Phonemes of a word that the lexicon does not have; undefined while they are not known. */
export type Unknown = (word: string) => string | undefined

const SILENT_SIGNS = /^[',\-._‘’/]+$/
const CLAUSE_MARK = /[;:,.!?—…]/
const CONSONANT = /[bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθT]/
const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const SIGN_WORDS: Readonly<Record<string, string>> = {
  ...{ '/': 'slash', '=': 'equals', '+': 'plus', '&': 'and', '@': 'at', '%': 'percent', '#': 'hash', '*': 'asterisk', '~': 'tilde' },
  ...{ '^': 'caret', '€': 'euros', '£': 'pounds', $: 'dollars', '°': 'degrees' },
}
/** Pieces of a word without an entry: letters, one digit, one sign. */
const PIECE = /\p{L}+(?:['’]\p{L}+)*|\d|[^\s\p{L}\d]/gu
const AT_THE_END: Following = { sound: 'end', word: '' }

/** The phonemes of all groups with single blanks between words. */
export function symbolsOfGroups(groups: readonly Group[], lexicon: Lexicon, unknown: Unknown): string {
  let following = AT_THE_END
  const spoken = groups.toReversed().map((group, fromEnd) => {
    const before = wordOf(groups[groups.length - 2 - fromEnd])
    const phonemes = group.kind === 'said' ? group.phonemes : ofParts(group.parts, lexicon, unknown, { before, following })
    following = followingOf(phonemes, wordOf(group), following)
    return `${phonemes}${group.isSpaced ? ' ' : ''}`
  })
  return spoken.toReversed().join('').replaceAll('ɾ', 'T').replaceAll('ʔ', 't').replace(/ {2,}/g, ' ').trim()
}

const wordOf = (group: Group | undefined): string => (group?.kind === 'parts' ? textOf(group.parts).toLowerCase() : '')
const textOf = (parts: readonly WordPart[]): string => parts.map(({ text }) => text).join('')

/** Context of the word before these phonemes. */
function followingOf(phonemes: string, word: string, after: Following): Following {
  for (const symbol of phonemes) {
    if (isVowel(symbol)) return { sound: 'vowel', word }
    if (CONSONANT.test(symbol)) return { sound: 'consonant', word }
    if (CLAUSE_MARK.test(symbol)) return { sound: 'end', word }
  }
  return { sound: after.sound, word }
}

type Neighbours = Pick<EnglishWord, 'before' | 'following'>
function ofParts(parts: readonly WordPart[], lexicon: Lexicon, unknown: Unknown, { before, following }: Neighbours): string {
  const said: { readonly text: string; readonly phonemes: string }[] = []
  let right = parts.length
  let next = following
  while (right > 0) {
    let left = 0
    let phonemes: string | null = null
    while (left < right && phonemes === null) phonemes = ofWord(parts.slice(left++, right), lexicon, { before, following: next })
    if (phonemes === null && SILENT_SIGNS.test(parts[right - 1]!.text)) phonemes = ''
    if (phonemes === null) return ofUnknown(textOf(parts), lexicon, unknown)
    const whole = parts.slice(left - 1, right)
    said.unshift({ text: whole[0]!.text, phonemes })
    next = followingOf(phonemes, textOf(whole).toLowerCase(), next)
    right = left - 1
  }
  return joined(said, textOf(parts))
}

function ofWord(parts: readonly WordPart[], lexicon: Lexicon, neighbours: Neighbours): string | null {
  const text = composed(textOf(parts).replace(/[‘’]/g, "'"), 'NFKC')
  if (/^\d+$/.test(text)) return [...text].map((digit) => lexicon.usual(DIGITS[Number(digit)]!)).join(' ')
  // The part with the most letters, capitals twice, has the tag of the whole.
  const heaviest = parts.reduce((best, part) => (weightOf(part.text) > weightOf(best.text) ? part : best))
  const stress: Stress | null = text === text.toLowerCase() ? null : text === text.toUpperCase() ? 2 : 0.5
  const word: EnglishWord = { text, tag: heaviest.tag, stress, ...neighbours }
  return particle(word, lexicon) ?? lexicon.find(word)
}
const weightOf = (text: string): number => [...text].reduce((sum, character) => sum + (character === character.toLowerCase() ? 1 : 2), 0)

/** Letters by `unknown`, digits and signs by their names. */
function ofUnknown(text: string, lexicon: Lexicon, unknown: Unknown): string {
  const spoken = (text.match(PIECE) ?? []).map((piece) => {
    if (/\d/.test(piece)) return lexicon.usual(DIGITS[Number(piece)]!)
    if (/\p{L}/u.test(piece)) return unknown(piece) ?? ''
    const words = Object.hasOwn(SIGN_WORDS, piece) ? SIGN_WORDS[piece]! : ''
    return words
      .split(' ')
      .map((word) => (word === '' ? '' : lexicon.usual(word)))
      .join(' ')
  })
  return spoken.filter((phonemes) => phonemes !== '').join(' ')
}

/** Parts of one kind of character are one word, and lose main stresses; others are words of their own. */
function joined(parts: readonly { readonly text: string; readonly phonemes: string }[], text: string): string {
  const kinds = new Set([...text.replace(/[',\-._‘’/]/g, '')].map((each) => (/\p{L}/u.test(each) ? 0 : /\d/.test(each) ? 1 : 2)))
  const isOne = !text.includes('/') && kinds.size < 2
  const spoken = parts.filter(({ phonemes }) => phonemes !== '')
  if (!isOne) return spoken.map(({ phonemes }) => phonemes).join(' ')
  const weakened = new Set<number>()
  if (spoken.length === 2 && spoken[0]!.text.length === 1) weakened.add(1)
  else if (spoken.length > 1 && spoken.filter(({ phonemes }) => isStressed(phonemes)).length > Math.floor((spoken.length + 1) / 2)) {
    const byWeight = spoken.map(({ phonemes }, at) => ({ at, rank: weightOfPhonemes(phonemes) + (isStressed(phonemes) ? 1_000 : 0) }))
    byWeight.sort((left, right) => left.rank - right.rank)
    for (const { at } of byWeight.slice(0, Math.floor(spoken.length / 2))) weakened.add(at)
  }
  return spoken.map(({ phonemes }, at) => (weakened.has(at) ? withStress(phonemes, -0.5) : phonemes)).join('')
}
