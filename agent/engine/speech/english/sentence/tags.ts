// Parts of speech in the tags of the Penn Treebank, from left to right, by an averaged perceptron: every feature of a word gives weights to
// tags, and the largest sum wins. A word that had one tag in training has an entry of its own.

import { z } from 'zod'
import type { JsonTable } from '../json-table.ts'

export type Tagger = (words: readonly string[]) => string[]

const Weights = z.record(z.string(), z.number())
const START = ['-START2-', '-START-'] as const
const END = ['-END-', '-END2-'] as const
const UNKNOWN = 'NN'

export function createTagger(model: JsonTable): Tagger {
  const tags = z.array(z.string()).parse(model.get('tags'))
  const words = new Set(z.array(z.string()).parse(model.get('vocab')))
  const known = model.table('tagdict')
  const table = model.table('weights')
  const numbers = new Map(tags.map((tag, number) => [tag, number]))
  /** Features that were found: pairs of a tag and its weight. */
  const found = new Map<string, Float64Array>()
  const scores = new Float64Array(tags.length)

  function weightsOf(feature: string): Float64Array | undefined {
    const kept = found.get(feature)
    if (kept) return kept
    const weights = Weights.optional().parse(table.get(feature))
    if (!weights) return undefined
    const pairs = Float64Array.from(Object.entries(weights).flatMap(([tag, weight]) => [numbers.get(tag) ?? 0, weight]))
    found.set(feature, pairs)
    return pairs
  }
  function best(features: readonly string[]): string {
    scores.fill(0)
    let isKnown = false
    for (const feature of features) {
      const pairs = weightsOf(feature) ?? []
      for (let at = 0; at < pairs.length; at += 2) scores[pairs[at]!]! += pairs[at + 1]!
      isKnown ||= pairs.length > 0
    }
    // Tags are in alphabetical order, and the last of equal ones wins.
    let winner = 0
    for (let tag = 1; tag < tags.length; tag++) if (scores[tag]! >= scores[winner]!) winner = tag
    return isKnown ? tags[winner]! : UNKNOWN
  }

  return (sentence) => {
    const classes = sentence.map((word) => (words.has(classOf(word)) ? classOf(word) : `<${shapeOf(word)}>`))
    const around = [...START, ...classes, ...END]
    let [before, last]: readonly string[] = START
    const found = sentence.map((word, at) => {
      const given = known.get(word)
      const tag = typeof given === 'string' ? given : best(featuresOf(word, at, around, before!, last!))
      before = last
      last = tag
      return tag
    })
    return found.map((tag, at) => corrected(tag, sentence[at - 1] ?? '', found[at - 1] ?? ''))
  }
}

const SUBJECT = /^(?:I|he|she|they|we)$/i
const LINKING = /^(?:am|are|be|been|feels?|felt|is|was|were)$/i
/** No noun follows a modal verb, a subject, or without an article a linking verb: the tagger takes "object" and "content" for nouns there. */
function corrected(tag: string, before: string, tagBefore: string): string {
  if (tag === 'NN') return tagBefore === 'MD' ? 'VB' : SUBJECT.test(before) ? 'VBP' : LINKING.test(before) ? 'JJ' : tag
  return tag === 'NNS' && SUBJECT.test(before) ? 'VBZ' : tag
}

/** `around`: the classes of the words with two before and two after the sentence. */
function featuresOf(word: string, at: number, around: readonly string[], before: string, last: string): string[] {
  const [second, first, own, next, afterNext] = around.slice(at, at + 5) as [string, string, string, string, string]
  return [
    ...['b', `s3=${word.slice(-3)}`, `p1=${word[0]}`, `w=${own}`, `sh=${shapeOf(word)}`, at === 0 ? 'i0' : 'i+'],
    ...[`t-1=${last}`, `t-2=${before}`, `t-12=${last},${before}`],
    ...[`w-1=${first}`, `s3-1=${first.slice(-3)}`, `w-2=${second}`],
    ...[`w+1=${next}`, `s3+1=${next.slice(-3)}`, `w+2=${afterNext}`],
  ]
}

function classOf(word: string): string {
  if (word.includes('-') && word[0] !== '-') return '!HYPHEN'
  if (/^\d{4}$/.test(word)) return '!YEAR'
  return /^\d/.test(word) ? '!DIGITS' : word.toLowerCase()
}

function shapeOf(word: string): string {
  if (/^\p{L}+$/u.test(word)) {
    if (word === word.toLowerCase()) return 'x'
    if (word === word.toUpperCase()) return word.length > 1 ? 'XX' : 'X1'
    return word[0] === word[0]!.toUpperCase() && word.slice(1) === word.slice(1).toLowerCase() ? 'Xx' : 'xX'
  }
  if (/^\d+$/.test(word)) return 'd'
  return [...word.slice(0, 4)].map((character) => (/\d/.test(character) ? 'd' : /\p{L}/u.test(character) ? 'x' : character)).join('')
}
