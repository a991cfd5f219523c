// A kept transcript: its words with their times, in turns of speakers, and what a person changes in them. Pure.

import { fieldOf } from '#control-plane/web/lib/api.ts'

/** Seconds, and the text with the blank before it. */
export type Word = readonly [start: number, end: number, text: string]
/** speaker: '' while unknown */
export type Spoken = { readonly speaker: string; readonly words: readonly Word[] }
export type Content = {
  readonly job: string
  /** name of the recording */
  readonly file: string
  readonly language: string
  /** seconds */
  readonly duration: number
  readonly engine: string
  /** seconds from the request to the transcript; 0 while unknown */
  readonly took: number
  readonly notice: string
  /** kind of work for which a model is missing; '' for none */
  readonly needs: string
  readonly segments: readonly Spoken[]
}
/** Segments that are read together. `first`: the place of the first one */
export type Turn = { readonly speaker: string; readonly start: number; readonly first: number; readonly segments: readonly Spoken[] }
/** Place of words within the transcript. */
export type Found = { readonly segment: number; readonly from: number; readonly to: number }
export type Place = { readonly segment: number; readonly word: number }
export type Share = {
  readonly speaker: string
  readonly seconds: number
  readonly share: number
  readonly turns: number
  readonly start: number
}

const PAUSE_SECONDS = 1.5
const LONG_CHARS = 600
const SENTENCE_END = /[.!?…。！？]["'”’)]*$/u
const MOST_FOUND = 2000

const textIn = (value: unknown, name: string): string => {
  const found = fieldOf(value, name)
  return typeof found === 'string' ? found : ''
}
const secondsOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0)

function wordFrom(value: unknown): Word[] {
  if (!Array.isArray(value) || typeof value[2] !== 'string' || value[2] === '') return []
  const start = secondsOf(value[0])
  return [[start, Math.max(start, secondsOf(value[1])), value[2]]]
}

/** Usable fields of a stored state. */
export function contentFrom(state: unknown): Content {
  const segments: unknown = fieldOf(state, 'segments')
  const spoken = (Array.isArray(segments) ? segments : []).map((one): Spoken => {
    const words: unknown = fieldOf(one, 'words')
    return { speaker: textIn(one, 'speaker'), words: Array.isArray(words) ? words.flatMap(wordFrom) : [] }
  })
  return {
    job: textIn(state, 'job'),
    file: textIn(state, 'file'),
    language: textIn(state, 'language'),
    duration: secondsOf(fieldOf(state, 'duration')),
    engine: textIn(state, 'engine'),
    took: secondsOf(fieldOf(state, 'took')),
    notice: textIn(state, 'notice'),
    needs: textIn(state, 'needs'),
    segments: spoken.filter(({ words }) => words.length > 0),
  }
}

const joined = (words: readonly Word[]) => words.map(([, , text]) => text).join('')
export const textOf = ({ words }: Spoken) => joined(words).trim()
export const startOf = ({ words }: Spoken) => words[0]?.[0] ?? 0
const endOf = ({ words }: Spoken) => words.at(-1)?.[1] ?? 0

export function turnsOf(segments: readonly Spoken[]): Turn[] {
  const turns: { speaker: string; start: number; first: number; segments: Spoken[] }[] = []
  let length = 0
  segments.forEach((segment, at) => {
    const last = turns.at(-1)
    const before = last?.segments.at(-1)
    const continues =
      last !== undefined &&
      before !== undefined &&
      last.speaker === segment.speaker &&
      startOf(segment) - endOf(before) <= PAUSE_SECONDS &&
      !(length >= LONG_CHARS && SENTENCE_END.test(textOf(before)))
    if (continues) last.segments.push(segment)
    else {
      turns.push({ speaker: segment.speaker, start: startOf(segment), first: at, segments: [segment] })
      length = 0
    }
    length += joined(segment.words).length
  })
  return turns
}

/** All of the text, one paragraph a turn. */
export const plainText = ({ segments }: Content) =>
  turnsOf(segments)
    .map(({ speaker, segments: own }) => [speaker ? `${speaker}: ` : '', own.map(textOf).join(' ')].join(''))
    .join('\n\n')

const withSegment = (content: Content, place: number, next: Spoken): Content => ({
  ...content,
  segments: content.segments.map((one, at) => (at === place ? next : one)).filter(({ words }) => words.length > 0),
})

/** The word keeps its times. '' removes it. */
export function withWord(content: Content, place: number, at: number, typed: string): Content {
  const segment = content.segments[place]
  const word = segment?.words[at]
  if (!segment || !word) return content
  const text = typed.replaceAll(/\s+/g, ' ').trim()
  const blank = word[2].startsWith(' ') ? ' ' : ''
  const words = text === '' ? segment.words.toSpliced(at, 1) : segment.words.with(at, [word[0], word[1], blank + text])
  return withSegment(content, place, { ...segment, words })
}

/** Another text for the word that was at a place, wherever it is now; nothing for one that is gone. `start`: its time in seconds */
export function withWordOf(content: Content, start: number, before: Place, typed: string): Content {
  const begins = ({ segment, word }: Place) => content.segments[segment]?.words[word]?.[0] === start
  const at = begins(before) ? before : wordAt(content, start)
  return at && begins(at) ? withWord(content, at.segment, at.word, typed) : content
}

/** In every turn. */
export const withName = (content: Content, from: string, to: string): Content => ({
  ...content,
  segments: content.segments.map((one) => (one.speaker === from ? { ...one, speaker: to } : one)),
})

/** Another speaker for one turn. */
export const withSpeaker = (content: Content, { first, segments }: Turn, speaker: string): Content => ({
  ...content,
  segments: content.segments.map((one, at) => (at >= first && at < first + segments.length ? { ...one, speaker } : one)),
})

/** In the order in which they speak. */
export function sharesOf({ segments }: Content): Share[] {
  const found: Map<string, { seconds: number; turns: number; start: number }> = new Map()
  for (const { speaker, start, segments: own } of turnsOf(segments)) {
    const seconds = own.reduce((sum, one) => sum + endOf(one) - startOf(one), 0)
    const before = found.get(speaker) ?? { seconds: 0, turns: 0, start }
    found.set(speaker, { ...before, seconds: before.seconds + seconds, turns: before.turns + 1 })
  }
  const all = [...found.values()].reduce((sum, { seconds }) => sum + seconds, 0) || 1
  return [...found].map(([speaker, one]) => ({ speaker, ...one, share: one.seconds / all }))
}

/** Places with a text, also across words of one segment. */
export function findIn({ segments }: Content, text: string): Found[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const found: Found[] = []
  segments.forEach(({ words }, segment) => {
    const whole = joined(words).toLowerCase()
    for (let at = whole.indexOf(wanted); at >= 0 && found.length < MOST_FOUND; at = whole.indexOf(wanted, at + wanted.length)) {
      let [from, to, length] = [-1, 0, 0]
      words.forEach(([, , word], index) => {
        const end = length + word.toLowerCase().length
        if (end > at && length < at + wanted.length) {
          from = from < 0 ? index : from
          to = index
        }
        length = end
      })
      if (from >= 0) found.push({ segment, from, to })
    }
  })
  return found
}

/** The word that sounds at a moment, or the last one before it; null before the first. */
export function wordAt({ segments }: Content, seconds: number): Place | null {
  let [low, high] = [0, segments.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (startOf(segments[middle]!) <= seconds) low = middle
    else high = middle - 1
  }
  const segment = segments[low]
  if (!segment || startOf(segment) > seconds) return null
  return {
    segment: low,
    word: Math.max(
      0,
      segment.words.findLastIndex(([start]) => start <= seconds),
    ),
  }
}
