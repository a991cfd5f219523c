// The vocabulary for voice descriptions. The model supports only these words: free text is searched for them, and other words are rejected
// with suggestions. Pure.

import { Failure } from '#shared/protocol/failure.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { hasIdeographs, phrasesOf, VOCABULARY as VOICE_WORDS } from '#shared/voices/words.ts'

type Category = 'gender' | 'age' | 'pitch' | 'style' | 'accent' | 'dialect'

const wordsIn = (category: keyof typeof VOICE_WORDS) => VOICE_WORDS[category].map((word) => phrasesOf(word) as [string, ...string[]])
/** By category, in the order of the prompt: the word for the model, followed by its synonyms. */
const VOCABULARY: Readonly<Record<Category, readonly (readonly [string, ...string[]])[]>> = {
  gender: wordsIn('Gender'),
  age: wordsIn('Age'),
  pitch: wordsIn('Pitch'),
  style: wordsIn('Style'),
  accent: wordsIn('EnglishAccent'),
  dialect: wordsIn('ChineseDialect'),
}
const CATEGORIES = Object.keys(VOCABULARY) as Category[]
const CHINESE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.values(VOICE_WORDS)
    .flat()
    .map(({ token, chinese }) => [token, chinese ?? token]),
)
/** Words without meaning for the voice. */
const FILLERS = new Set(
  'a an the and with in of or to very speak speaks speaking say said voice voiced sound sounds sounding like please tone pitch accent dialect person speaker english who has is that it style'.split(
    ' ',
  ),
)

/** Each is compared with the whole vocabulary, so a long text of other words would take seconds. */
const MAX_UNKNOWN = 20

type VocabularyWord = { readonly category: Category; readonly value: string; readonly word: string }
const VOCABULARY_WORDS: readonly VocabularyWord[] = CATEGORIES.flatMap((category) =>
  VOCABULARY[category].flatMap(([value, ...others]) => [value, ...others].map((word) => ({ category, value, word }))),
)
  // Longest first: "very low pitch" before "low", "female" before "male".
  .sort((left, right) => right.word.length - left.word.length)

export type VoiceDescription = {
  readonly attributes: Readonly<Partial<Record<Category, string>>>
  /** The first MAX_UNKNOWN words that are not in the vocabulary, with similar words that are. */
  readonly unknown: readonly { readonly word: string; readonly suggestions: readonly string[] }[]
  /** Sentences about attributes that exclude each other. */
  readonly conflicts: readonly string[]
}

/** Finds the attributes in free text. */
export function describeVoice(text: string): VoiceDescription {
  let rest = ` ${composed(text, 'NFKC')
    .toLowerCase()
    .replace(/[\s,;.!?、，。；:()"]+/g, ' ')} `
  const found = new Map<Category, Set<string>>()
  const add = (category: Category, value: string) => found.set(category, (found.get(category) ?? new Set()).add(value))
  for (const { word } of VOCABULARY_WORDS) {
    const needle = hasIdeographs(word) ? word : ` ${word} `
    if (!rest.includes(needle)) continue
    // One word may have two attributes: a girl is female and a child.
    for (const meant of VOCABULARY_WORDS) if (meant.word === word) add(meant.category, meant.value)
    rest = rest.replaceAll(needle, ' ').replaceAll(needle, ' ')
  }
  const conflicts = [...found].flatMap(([category, values]) =>
    values.size > 1 ? [`The attributes ${[...values].join(' and ')} exclude each other. Choose one ${category}.`] : [],
  )
  if (found.has('accent') && found.has('dialect')) conflicts.push('An accent and a Chinese dialect exclude each other. Choose one of them.')
  const unknown = [...new Set(rest.split(' '))]
    .filter((word) => word !== '' && !FILLERS.has(word))
    .slice(0, MAX_UNKNOWN)
    .map((word) => ({ word, suggestions: nearest(word) }))
  return { attributes: Object.fromEntries([...found].map(([category, values]) => [category, [...values][0]!])), unknown, conflicts }
}

/**
 * The instruct line of the prompt in one language; '' without attributes. A dialect makes it Chinese and an accent English, because neither
 * has a word in the other language. Without them `inChinese` decides.
 */
export function toInstruct(attributes: VoiceDescription['attributes'], inChinese: boolean): string {
  const isChinese = attributes.dialect !== undefined || (inChinese && attributes.accent === undefined)
  const words = CATEGORIES.flatMap((category) => attributes[category] ?? [])
  return isChinese ? words.map((word) => CHINESE_WORDS.get(word) ?? word).join('，') : words.join(', ')
}

/**
 * The instruct line for free text. `inChinese`: whether the text to speak is Chinese. Throws INVALID_TASK_PARAMS that lists the unknown words
 * and the vocabulary.
 */
export function parseInstruct(text: string, inChinese: boolean): string {
  const { attributes, unknown, conflicts } = describeVoice(text)
  if (conflicts.length > 0) throw new Failure('INVALID_TASK_PARAMS', `instruct: ${conflicts.join(' ')}`)
  if (unknown.length === 0) return toInstruct(attributes, inChinese)
  const listed = unknown.slice(0, 5).map(({ word, suggestions }) => {
    const hint = suggestions.length > 0 ? ` (did you mean ${suggestions.join(' or ')}?)` : ''
    return `"${word.slice(0, 32)}"${hint}`
  })
  throw new Failure('INVALID_TASK_PARAMS', `instruct: This engine does not support ${listed.join(', ')}. It supports ${allWords()}.`, {
    detail: { unknown, vocabulary: vocabulary() },
  })
}

export const vocabulary = (): Record<Category, string[]> =>
  Object.fromEntries(CATEGORIES.map((category) => [category, VOCABULARY[category].map(([value]) => value)])) as Record<Category, string[]>
const allWords = () =>
  Object.entries(vocabulary())
    .map(([category, values]) => `${category}: ${values.join(', ')}`)
    .join('; ')

/** Up to three words of the vocabulary within a small edit distance. */
function nearest(word: string): string[] {
  const near = VOCABULARY_WORDS.map(({ word: known, value }) => ({ value, edits: editDistance(word, known) }))
    .filter(({ edits }) => edits <= Math.max(1, Math.floor(word.length / 3)))
    .sort((left, right) => left.edits - right.edits)
  return [...new Set(near.map(({ value }) => value))].slice(0, 3)
}

/** Edit distance. Words are cut to 24 letters, because they are foreign input and the cost grows with the product of their lengths. */
function editDistance(left: string, right: string): number {
  const [a, b] = [left.slice(0, 24), right.slice(0, 24)]
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
