// A direction in everyday language as words of the taxonomy. Pure.
import { z } from 'zod'
import { DIMENSIONS, type Dimension, SYNONYMS, TAXONOMY, type Tokens } from './taxonomy.ts'

/** The order in which a speech engine reads the words. */
const SPOKEN_ORDER: readonly Dimension[] = ['emotion', 'energy', 'pace', 'intimacy', 'formality']
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'without', 'less', "don't", "isn't"])
/** Between a negation and the word that it negates: "not too fast", "not at all angry". */
const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'at', 'all', 'so', 'too', 'very', 'be', 'sound', 'any', 'overly', 'quite', 'that'])
const FAST: readonly string[] = ['urgent', 'frantic', 'quick', 'rushed']
const SLOW: readonly string[] = ['calm', 'relaxed', 'slow']
const RATES = { fast: 1.1, slow: 0.92, usual: 1 } as const

/** By word. A value of two dimensions belongs to the first one. */
const WORDS: ReadonlyMap<string, { readonly dimension: Dimension; readonly value: string }> = new Map(
  DIMENSIONS.toReversed().flatMap((dimension) =>
    TAXONOMY[dimension].flatMap((value) =>
      [value, ...(SYNONYMS[`${dimension}.${value}`] ?? [])].map((word) => [word, { dimension, value }] as const),
    ),
  ),
)

/** The taxonomy words that a text names, itself or by a synonym, except negated ones. English only. */
export function textTokens(text: string): Tokens {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}'-]+/gu) ?? []
  const found = words.flatMap((word, at) => {
    const meaning = WORDS.get(word)
    return meaning && !isNegated(words, at) ? [meaning] : []
  })
  return ordered((dimension) => found.filter((one) => one.dimension === dimension).map(({ value }) => value))
}

function isNegated(words: readonly string[], at: number): boolean {
  let before = at - 1
  while (before >= 0 && at - before <= 3 && FILLERS.has(words[before]!)) before--
  return NEGATIONS.has(words[before] ?? '')
}

const Values = z.array(z.string().max(100)).max(50).nullish()
const Reply = z.object({ energy: Values, emotion: Values, pace: Values, intimacy: Values, formality: Values })
const REPLY_CHARS = 10_000

/** The taxonomy words of a reply of a language model; null when it is not the requested JSON. Other words are dropped. */
export function replyTokens(reply: string): Tokens | null {
  // Some models wrap JSON in a sentence or a code block.
  const text = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1)
  if (text === '' || text.length > REPLY_CHARS) return null
  try {
    const parsed = Reply.parse(JSON.parse(text))
    return ordered((dimension) => (parsed[dimension] ?? []).map((value) => value.trim().toLowerCase()))
  } catch {
    return null
  }
}

function ordered(valuesOf: (dimension: Dimension) => readonly string[]): Tokens {
  const entries = DIMENSIONS.map((dimension) => {
    const values = valuesOf(dimension)
    return [dimension, TAXONOMY[dimension].filter((value) => values.includes(value))] as const
  })
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0))
}

/** Advice of a direction for speech engines, translators and the fitting of lines. */
export function adviceOf(tokens: Tokens) {
  const words = [...new Set(SPOKEN_ORDER.flatMap((dimension) => tokens[dimension] ?? []))]
  const instruct_prompt = words.join(', ')
  return {
    instruct_prompt,
    translate_hint: instruct_prompt === '' ? '' : `The line is spoken in this manner: ${instruct_prompt}.`,
    rate_bias: words.some((word) => FAST.includes(word))
      ? RATES.fast
      : words.some((word) => SLOW.includes(word))
        ? RATES.slow
        : RATES.usual,
  }
}
