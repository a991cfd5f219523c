// The phonemes of a word: from two dictionaries, the checked one first, by its part of speech where it has several readings; from its stem and
// its ending; or letter by letter. The rules are those of misaki 0.9, with which the data was made. Pure.

import type { JsonTable } from '../json-table.ts'
import { ED, type Ending, ING, S } from './endings.ts'
import { isStressed, PRIMARY, SECONDARY, type Stress, withStress } from './stress.ts'

/** Context after a word: the next sound, or the end of the clause; and the next word in small letters, '' at the end. */
export type Following = { readonly sound: 'vowel' | 'consonant' | 'end'; readonly word: string }
/** `before`: the word before it in small letters, '' at the start. */
export type EnglishWord = {
  readonly text: string
  readonly tag: string
  readonly stress: Stress | null
  readonly before: string
  readonly following: Following
}

/** Phonemes, or a table of them by part of speech. */
type Entry = string | Readonly<Record<string, unknown>>
type Found = string | null

/** A reading for the end of a clause. */
const AT_END = 'None'
const USUAL = 'DEFAULT'
const ENDINGS: readonly Ending[] = [S, ED, ING]
const ASCII_LETTERS = /^[A-Za-z]+$/
const LETTERS = /^\p{L}+$/u

export type Lexicon = {
  readonly isBritish: boolean
  /** The phonemes that the dictionaries have for a word, without rules for its neighbours or its endings; null without an entry. */
  readonly entry: (word: EnglishWord) => Found
  /** The same of a word that is known for certain, in its usual reading. */
  readonly usual: (text: string) => string
  /** The names of the letters, the last one with the main stress; null for a letter without a name. */
  readonly spelled: (text: string) => Found
  /** By entry, stem and ending; null for an unknown word. */
  readonly find: (word: EnglishWord) => Found
}

/** `gold`: checked by people. `silver`: made by rules. */
export function createLexicon(gold: JsonTable, silver: JsonTable, isBritish: boolean): Lexicon {
  const entryIn = (table: JsonTable, text: string): Entry | undefined => {
    const value = table.get(text) ?? table.get(otherCase(text))
    return typeof value === 'string' ? value : isRecord(value) ? value : undefined
  }
  const checked = (text: string) => entryIn(gold, text)
  const isListed = (text: string) => checked(text) !== undefined || entryIn(silver, text) !== undefined

  function isKnown(text: string): boolean {
    if (isListed(text)) return true
    if (!ASCII_LETTERS.test(text)) return false
    // Letters alone, and capitals after the first letter, are names of letters.
    return text.slice(1) === text.slice(1).toUpperCase()
  }

  function spelled(text: string): Found {
    const names = [...text].filter((letter) => LETTERS.test(letter)).map((letter) => checked(letter.toUpperCase()))
    if (names.length === 0 || !names.every((name) => typeof name === 'string')) return null
    const weak = withStress(names.join(''), 0)
    const last = weak.lastIndexOf(SECONDARY)
    return last < 0 ? weak : `${weak.slice(0, last)}${PRIMARY}${weak.slice(last + 1)}`
  }

  function entry({ text, tag, stress, following }: EnglishWord): Found {
    const isLowered = text === text.toUpperCase() && checked(text) === undefined
    const key = isLowered ? text.toLowerCase() : text
    const isName = isLowered && tag === 'NNP'
    const found = checked(key) ?? (isName ? undefined : entryIn(silver, key))
    const phonemes = typeof found === 'object' ? readingOf(found, tag, following) : found
    if (phonemes === undefined || (isName && !isStressed(phonemes))) return spelled(key) ?? phonemes ?? null
    return withStress(phonemes, stress)
  }

  /** Finds the entry of a word without the rules for endings. */
  function knownEntry(word: EnglishWord): Found {
    const { text } = word
    if (isKnown(text)) return entry(word)
    // A possessive of a plural sounds like the plural.
    const plural = text.endsWith("s'") && isKnown(`${text.slice(0, -2)}'s`) ? `${text.slice(0, -2)}'s` : text.replace(/'$/, '')
    return plural !== text && isKnown(plural) ? entry({ ...word, text: plural }) : null
  }

  function inflected(word: EnglishWord): Found {
    for (const ending of ENDINGS) {
      const stem = ending.stems(word.text).find(isKnown)
      if (stem === undefined) continue
      const stress = ending === ING ? (word.stress ?? 0.5) : word.stress
      const phonemes = entry({ ...word, text: stem, stress })
      return phonemes === null || phonemes === '' ? null : ending.added(phonemes, isBritish, stem)
    }
    return null
  }

  return {
    isBritish,
    entry,
    usual: (text) => entry({ text, tag: '', stress: null, before: '', following: { sound: 'consonant', word: '' } }) ?? '',
    spelled,
    find(word) {
      const small = word.text.toLowerCase()
      const asSmall = { ...word, text: small }
      const isSmall = readsAsSmall(word, isListed) && (isListed(small) || inflected(asSmall) !== null)
      const read = isSmall ? asSmall : word
      return knownEntry(read) ?? inflected(read)
    },
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A small word answers for its capitalised form and the reverse; '' for other words. */
function otherCase(text: string): string {
  if (text.length < 2) return ''
  const small = text.toLowerCase()
  const capitalised = `${small[0]!.toUpperCase()}${small.slice(1)}`
  return text === small ? (capitalised === small ? '' : capitalised) : text === capitalised ? small : ''
}

/** True if a word with capitals is an ordinary word at the start of a sentence or in a heading. Short names are not. */
function readsAsSmall({ text, tag }: EnglishWord, isListed: (text: string) => boolean): boolean {
  const letters = text.replaceAll("'", '')
  if (text.length < 2 || text === text.toLowerCase() || isListed(text) || !LETTERS.test(letters)) return false
  if (tag === 'NNP' && text.length <= 7) return false
  return text === text.toUpperCase() || letters.slice(1) === letters.slice(1).toLowerCase()
}

/** Undefined for a reading that is spelled. */
function readingOf(entry: Readonly<Record<string, unknown>>, tag: string, following: Following): string | undefined {
  const has = (key: string) => Object.hasOwn(entry, key)
  const key = following.sound === 'end' && has(AT_END) ? AT_END : has(tag) ? tag : wordClass(tag)
  const reading = entry[has(key) ? key : USUAL]
  return typeof reading === 'string' ? reading : undefined
}

/** The kind of word that the dictionaries name. */
export function wordClass(tag: string): string {
  if (tag.startsWith('VB')) return 'VERB'
  if (tag.startsWith('NN')) return 'NOUN'
  if (tag.startsWith('RB')) return 'ADV'
  return tag.startsWith('JJ') ? 'ADJ' : tag
}
