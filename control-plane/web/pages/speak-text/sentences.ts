// The sentences of a take in the text of the field, which may have been changed since. Pure.
import type { SpokenTake } from '#control-plane/web/lib/api-types.ts'
import type { Draft } from '../speak/draft.ts'

export type Sentence = SpokenTake['parts'][number]
/** A stretch of the text: a sentence of the take, or (null) words that it does not have. */
export type MarkedText = { from: number; to: number; sentence: Sentence | null }
export type Compared = {
  stretches: readonly MarkedText[]
  /** sentences to speak until the take has this text; 0 if it has */
  changed: number
}

/** Characters in which a sentence that has moved is searched for. */
const NEAR = 10_000
/** The take of another text shares less than this with it. */
const LEAST_SHARE = 0.3
const HAS_WORD = /[\p{L}\p{N}]/u
const PAUSE = /\[pause[^[\]]{0,50}\]/gi
const ENDS = /[.!?…。！？](?=\s|$)|\n+/g

function commonStart(one: string, other: string) {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function commonEnd(one: string, other: string, most: number) {
  let at = 0
  while (at < most && one.charCodeAt(one.length - 1 - at) === other.charCodeAt(other.length - 1 - at)) at++
  return at
}

/** Words between sentences, without pauses and blanks around them; null for none. */
function changedIn(text: string, from: number, to: number): MarkedText | null {
  const words = text.slice(from, to).replaceAll(PAUSE, (tag) => ' '.repeat(tag.length))
  if (!HAS_WORD.test(words)) return null
  const start = from + words.length - words.trimStart().length
  return { from: start, to: from + words.trimEnd().length, sentence: null }
}

/** Sentences of changed words, roughly. */
const countIn = (words: string) => Math.max(1, words.split(ENDS).filter((part) => HAS_WORD.test(part)).length)

/** Null if the take has another text. */
export function compared(text: string, take: Pick<SpokenTake, 'text' | 'parts'>): Compared | null {
  const start = commonStart(text, take.text)
  const end = commonEnd(text, take.text, Math.min(text.length, take.text.length) - start)
  const moved = text.length - take.text.length
  const found: MarkedText[] = []
  let at = 0
  let shared = 0
  for (const sentence of take.parts) {
    const { from, to } = sentence
    let place = -1
    if (to <= start) place = from
    else if (from >= take.text.length - end) place = from + moved
    else {
      const words = take.text.slice(from, to)
      const near = text.slice(Math.max(at, 0), at + NEAR).indexOf(words)
      place = near < 0 ? -1 : at + near
    }
    if (place < at) continue
    at = place + to - from
    shared += to - from
    found.push({ from: place, to: at, sentence })
  }
  const length = Math.min(text.trim().length, take.text.trim().length)
  if (found.length === 0 || shared < LEAST_SHARE * length) return null
  const stretches: MarkedText[] = []
  let changed = 0
  let before = 0
  for (const stretch of [...found, null]) {
    const words = changedIn(text, before, stretch?.from ?? text.length)
    if (words) {
      stretches.push(words)
      changed += countIn(text.slice(words.from, words.to))
    }
    if (stretch) {
      stretches.push(stretch)
      before = stretch.to
    }
  }
  const partsLeft = new Set(found.map(({ sentence }) => sentence?.part))
  const isShorter = take.parts.some(({ part }) => !partsLeft.has(part))
  return { stretches, changed: changed === 0 && isShorter ? 1 : changed }
}

/** The sentence around a place of the text. */
export const stretchAt = (stretches: readonly MarkedText[], at: number) => stretches.find(({ from, to }) => at >= from && at <= to) ?? null

/** The sentence that is heard. `at`: seconds */
export function soundingAt(parts: readonly Sentence[], at: number): Sentence | null {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle]?.start ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return parts[low - 1] ?? null
}

/** True if the draft asks for the settings that the take was made with. */
export function hasSettingsOf(draft: Draft, settings: SpokenTake['settings']) {
  const { engine, voice, language, instruct, speed, seed } = draft
  const asked = (name: string) => String(settings[name] ?? '')
  return (
    engine === asked('engine') &&
    voice === (asked('voice') || asked('profile_id')) &&
    language === asked('language') &&
    instruct === asked('instruct') &&
    Number(speed) === Number(settings['speed'] ?? 1) &&
    (seed === '' || seed === asked('seed'))
  )
}
