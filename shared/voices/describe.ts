// Finds the choices of a designed voice in free text, by rules and without a model. The text is scanned once from left to right; at each
// place the longest phrase wins and is consumed.
import { composed } from '#shared/text/unicode/compose.ts'
import { DECADES, HINTS, type Meaning } from './hints.ts'
import { AUTO, CATEGORIES, hasIdeographs, phrasesOf, VOCABULARY, type VoiceCategory, type VoiceChoices } from './words.ts'

export type Match = { readonly category: VoiceCategory; readonly token: string /** In lower case. */; readonly phrase: string }
export type VoiceMatches = {
  readonly attrs: VoiceChoices
  /** The tokens in the order of the categories, joined by ', '. */
  readonly instruct: string
  /** In the order of the categories. */
  readonly matched: readonly Match[]
  /** Parts between commas and full stops in which nothing was recognised, in lower case. */
  readonly unmatched: readonly string[]
}

const CHOICES = Map.groupBy(
  CATEGORIES.flatMap((category) =>
    VOCABULARY[category].flatMap((word) => phrasesOf(word).map((phrase) => ({ category, token: word.token, phrase }))),
  ),
  ({ phrase }) => phrase,
)
/** The age that "girl" implies is weaker than a stated one. */
const MEANINGS: ReadonlyMap<string, readonly Meaning[]> = new Map([
  ...HINTS,
  ...[...CHOICES].map(([phrase, choices]): [string, readonly Meaning[]] => [
    phrase,
    choices.map(({ category, token }) => ({ category, token, ...(choices.length > 1 && category === 'Age' && { isWeak: true as const }) })),
  ]),
])
/** A stated age contains "old", which alone means elderly. */
const MEANINGLESS = ['years old', 'year old', 'years-old', 'year-old']
const byFirst = (phrases: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(
    phrases.toSorted((a, b) => b.length - a.length),
    (phrase) => phrase[0]!,
  )
/** By first character, longest first. Ideographs have no word boundaries. */
const WHOLE_WORDS = byFirst([...[...MEANINGS.keys()].filter((phrase) => !hasIdeographs(phrase)), ...MEANINGLESS])
const IDEOGRAPHIC = byFirst([...MEANINGS.keys()].filter(hasIdeographs))
const AGES = [
  /[0-9]{1,3}[ -]?(?:years?[ -]olds?|yrs?[ -]old|y\/?o|years? of age)(?![\p{L}\p{N}])|[0-9]{1,3}岁/uy,
  /(?:aged?|age of) [0-9]{1,3}(?![\p{L}\p{N}])/uy,
  /(?<=(?:man|woman|boy|girl|lady|gentleman|person|male|female) )of [0-9]{1,3}(?=$|[,.、。]| (?:with|who|and|in|from|speaking) )/uy,
  // A part of its own, as in "male, 45".
  /(?<=^|^ |[,、。] ?|\. )[0-9]{1,3}(?= ?(?:$|[,、。]|\.(?![0-9])))/uy,
  /in (?:his|her|their|the|my) (?:early |mid |mid-|late )?(?:[1-9]0s|(?:teen|twentie|thirtie|fortie|fiftie|sixtie|seventie|eightie|ninetie)s)(?![\p{L}\p{N}])/uy,
]
const AGE_BEGINS = /[0-9aio]/
const WORD_CHARACTER = /[\p{L}\p{N}]/u
const isInWord = (character: string | undefined) => character !== undefined && WORD_CHARACTER.test(character)
const SEPARATOR = /[,.、。]/

const NEGATIONS = new Set(['not', 'no', 'non', 'without', 'never', 'neither', 'nor', 'cannot', 'avoid', 'minus'])
/** Words that may stand between a negation and what it negates. */
const BETWEEN = new Set(
  'a an the any too very so really overly particularly that be have has sound sounding speak with at all in'.split(' '),
)
const LOOK_BACK = 60
const CHINESE_NEGATION = /(?:不|不是|不要|没|没有|无|非|别)(?:太|很)?$/

/** Any text, in time that grows with its length. */
export function describe(text: string): VoiceMatches {
  const normal = composed(text, 'NFKC').toLowerCase().replaceAll('’', "'")
  const found = new Map<VoiceCategory, Match & Pick<Meaning, 'isWeak'>>()
  const recognised: number[] = []
  let [end, wasNegated] = [0, false]
  for (let index = 0; index < normal.length; index++) {
    const phrase = phraseAt(normal, index)
    if (phrase === null) continue
    const before = lastPart(normal.slice(Math.max(end, index - LOOK_BACK), index))
    wasNegated = isNegated(before, wasNegated && index - end <= LOOK_BACK)
    end = index + phrase.length
    index = end - 1
    if (wasNegated) continue
    const meanings = meaningsOf(phrase)
    if (meanings.length > 0) recognised.push(end - 1)
    for (const { category, token, isWeak } of meanings) {
      const earlier = found.get(category)
      if (!earlier || (earlier.isWeak && !isWeak)) found.set(category, { category, token, phrase, ...(isWeak && { isWeak }) })
    }
  }
  if (found.has('ChineseDialect')) found.delete('EnglishAccent')
  const matched = CATEGORIES.flatMap((category): Match[] => {
    const match = found.get(category)
    return match ? [{ category, token: match.token, phrase: match.phrase }] : []
  })
  const attrs = Object.fromEntries(CATEGORIES.map((category) => [category, found.get(category)?.token ?? AUTO])) as VoiceChoices
  return { attrs, instruct: matched.map(({ token }) => token).join(', '), matched, unmatched: unmatchedParts(normal, recognised) }
}

/** The longest phrase that begins here; null if none does. */
function phraseAt(text: string, at: number): string | null {
  const ideographic = IDEOGRAPHIC.get(text[at]!)?.find((phrase) => text.startsWith(phrase, at))
  if (ideographic !== undefined) return ideographic
  if (isInWord(text[at - 1])) return null
  for (const pattern of AGE_BEGINS.test(text[at]!) ? AGES : []) {
    pattern.lastIndex = at
    const age = pattern.exec(text)
    if (age) return age[0]
  }
  return WHOLE_WORDS.get(text[at]!)?.find((phrase) => text.startsWith(phrase, at) && !isInWord(text[at + phrase.length])) ?? null
}

function meaningsOf(phrase: string): readonly Meaning[] {
  const known = MEANINGS.get(phrase)
  if (known) return known
  const decade = DECADES[phrase.split(' ').at(-1)!]
  const [years = decade] = /[0-9]+/.exec(phrase) ?? []
  return years === undefined ? [] : [{ category: 'Age', token: ageOf(Number(years)) }]
}

function ageOf(years: number): string {
  if (years <= 12) return 'child'
  if (years <= 19) return 'teenager'
  if (years <= 39) return 'young adult'
  return years <= 64 ? 'middle-aged' : 'elderly'
}

/** The text after the last separator; a phrase of another part has no influence. */
const lastPart = (text: string): { readonly text: string; readonly isWhole: boolean } => {
  const parts = text.split(SEPARATOR)
  return { text: parts.at(-1)!, isWhole: parts.length === 1 }
}

/** `before` is the text since the previous phrase; "or" passes the negation of that one on. */
function isNegated({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }, wasNegated: boolean): boolean {
  if (CHINESE_NEGATION.test(text.trimEnd())) return true
  const words = text.split(/[ -]/).filter((word) => word !== '')
  while (words.length > 0 && BETWEEN.has(words.at(-1)!)) words.pop()
  const last = words.at(-1)
  if (last === undefined) return false
  if (NEGATIONS.has(last) || last.endsWith("n't")) return true
  return last === 'or' && words.length === 1 && isWhole && wasNegated
}

function unmatchedParts(text: string, recognised: readonly number[]): string[] {
  let [at, next] = [0, 0]
  const unmatched: string[] = []
  for (const part of text.split(SEPARATOR)) {
    const partEnd = at + part.length
    const isMatched = recognised[next] !== undefined && recognised[next]! < partEnd
    while (recognised[next] !== undefined && recognised[next]! < partEnd) next++
    if (!isMatched && part.trim() !== '') unmatched.push(part.trim())
    at = partEnd + 1
  }
  return unmatched
}
