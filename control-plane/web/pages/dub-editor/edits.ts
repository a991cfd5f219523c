// Edits of the draft: texts, times, speakers and voices, and lines that are split and joined. Pure.

import type { Draft, Edit, Estimate, Line, StoredDub } from '../dub/lines.ts'
import { LEAST_SECONDS, own } from '../dub/lines.ts'

/** caret: index in the text at which it is split; null without a choice. at: seconds; null without a choice. */
export type Place = { caret: number | null; at: number | null }

/** Limit of the studio. */
const MOST_LINES = 5_000
const MOST_CHARS = 5_000
/** The end of a sentence within this share of the text is preferred to a nearer space. */
const NEAR = 0.25
const SENTENCE_END = /[.!?…。！？؟।]["'”’»)\]]?$/u
/** Written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const cutAt = (text: string, at: number): [string, string] => [text.slice(0, at).trim(), text.slice(at).trim()]

/** Two parts of a text: at the end of a sentence, else between words, near a share of its length. `share`: 0 to 1 */
export function cutNear(text: string, share: number): [string, string] {
  const whole = text.trim()
  const wanted = share * whole.length
  const distance = (at: number) => Math.abs(at - wanted)
  const nearest = (places: readonly number[]) => places.reduce((best, at) => (distance(at) < distance(best) ? at : best), places[0] ?? 0)
  const gaps = [...whole.matchAll(/\s+/gu)].map(({ index }) => index)
  const ends = gaps.filter((at) => distance(at) <= NEAR * whole.length && SENTENCE_END.test(whole.slice(Math.max(0, at - 2), at)))
  if (ends.length > 0) return cutAt(whole, nearest(ends))
  if (gaps.length > 0) return cutAt(whole, nearest(gaps))
  if (!UNSPACED.test(whole)) return [whole, '']
  const points = [...whole]
  const count = Math.min(points.length - 1, Math.max(1, Math.round(share * points.length)))
  return [points.slice(0, count).join(''), points.slice(count).join('')]
}

function joinTexts(one: string, other: string) {
  if (one === '' || other === '') return one || other
  return UNSPACED.test(one.slice(-1)) && UNSPACED.test(other[0] ?? '') ? `${one}${other}` : `${one} ${other}`
}

/** `count`: lines of the dub */
export const canSplit = (line: Line | undefined, count: number) =>
  line !== undefined && count < MOST_LINES && line.end - line.start >= 2 * LEAST_SECONDS

export function nextOf(lines: readonly Line[], id: string) {
  const at = lines.findIndex((line) => line.id === id)
  return at < 0 ? undefined : lines[at + 1]
}

export const canJoin = (line: Line | undefined, next: Line | undefined) =>
  line !== undefined &&
  next !== undefined &&
  Math.max(line.source.length + next.source.length, line.target.length + next.target.length) < MOST_CHARS

/** Texts of a line by language. */
const textsOf = (dub: StoredDub, draft: Draft, id: string) =>
  [...new Set([...Object.keys(dub.segments_i18n), ...Object.keys(draft.texts)])].flatMap((language) => {
    const text = own(own(draft.texts, language), id) ?? own(own(dub.segments_i18n, language), id)
    return text === undefined ? [] : [{ language, text }]
  })

/** `more`: by id */
const withTexts = (texts: Draft['texts'], language: string, more: Readonly<Record<string, string>>): Draft['texts'] => ({
  ...texts,
  [language]: { ...own(texts, language), ...more },
})

const without = <T>(byLanguage: Readonly<Record<string, Readonly<Record<string, T>>>>, ids: readonly string[]) =>
  Object.fromEntries(
    Object.entries(byLanguage).map(([language, entries]) => [
      language,
      Object.fromEntries(Object.entries(entries).filter(([id]) => !ids.includes(id))),
    ]),
  )

/** `rooms`: seconds by id. Returns as much for each character as before */
const withRooms = (estimates: Draft['estimates'], id: string, rooms: Readonly<Record<string, number>>): Draft['estimates'] =>
  Object.fromEntries(
    Object.entries(estimates).map(([language, entries]) => {
      const known = own(entries, id)
      if (known === undefined) return [language, entries]
      const parts = Object.entries(rooms).map(([one, room]) => [
        one,
        { ...known, ratio: (known.ratio * known.room) / room, room, shorter: '' },
      ])
      return [language, { ...entries, ...Object.fromEntries(parts) } as Readonly<Record<string, Estimate>>]
    }),
  )

/** Lines whose sound is older than their times or voice, in every track. */
export const markedIn = (dub: StoredDub, draft: Draft, ids: readonly string[]): Draft['changed'] => ({
  ...draft.changed,
  ...Object.fromEntries(
    Object.keys(dub.dubbed_tracks).map((language) => [language, [...new Set([...(own(draft.changed, language) ?? []), ...ids])]]),
  ),
})

export const withText = (draft: Draft, code: string, id: string, text: string): Draft => ({
  ...draft,
  texts: withTexts(draft.texts, code, { [id]: text }),
  errors:
    own(own(draft.errors, code), id) === undefined
      ? draft.errors
      : { ...draft.errors, ...without({ [code]: own(draft.errors, code) ?? {} }, [id]) },
})

export const withEdit = (draft: Draft, dub: StoredDub, id: string, edit: Edit): Draft => ({
  ...draft,
  edits: { ...draft.edits, [id]: { ...own(draft.edits, id), ...edit } },
  ...(edit.source === undefined && { changed: markedIn(dub, draft, [id]) }),
})

export const withVoice = (
  draft: Draft,
  dub: StoredDub,
  speaker: string,
  { voice, lines }: { voice: string; lines: readonly Line[] },
): Draft => ({
  ...draft,
  voices: { ...draft.voices, [speaker]: voice },
  changed: markedIn(
    dub,
    draft,
    lines.filter((line) => line.speaker === speaker).map(({ id }) => id),
  ),
})

/** Splits a line in two. The second part gets `newId`. */
export function splitLine(
  draft: Draft,
  dub: StoredDub,
  line: Line,
  { code, place: { caret, at }, newId }: { code: string; place: Place; newId: string },
): Draft {
  const chosen = line.target === '' ? line.source : line.target
  const isChosen = caret !== null && chosen.slice(0, caret).trim() !== '' && chosen.slice(caret).trim() !== ''
  const length = line.end - line.start
  const timeShare = at !== null && at > line.start && at < line.end ? (at - line.start) / length : null
  const [first] = cutNear(line.source || chosen, timeShare ?? 0.5)
  const share = isChosen ? caret / chosen.length : (timeShare ?? first.length / Math.max(1, (line.source || chosen).length))
  const wanted = line.start + (timeShare ?? share) * length
  const middle = Number(Math.min(line.end - LEAST_SECONDS, Math.max(line.start + LEAST_SECONDS, wanted)).toFixed(3))
  const cut = (text: string) => (isChosen && text === chosen ? cutAt(text, caret) : cutNear(text, share))
  const [source, rest] = cut(line.source)
  let texts = draft.texts
  for (const { language, text } of textsOf(dub, draft, line.id)) {
    const [one, other] = language === code ? cut(text) : cutNear(text, share)
    texts = withTexts(texts, language, { [line.id]: one, [newId]: other })
  }
  return {
    ...draft,
    edits: { ...draft.edits, [line.id]: { ...own(draft.edits, line.id), source, end: middle } },
    added: {
      ...draft.added,
      [newId]: { after: line.id, source: rest, speaker: line.speaker, voice: line.voice, start: middle, end: line.end },
    },
    texts,
    estimates: withRooms(draft.estimates, line.id, { [line.id]: middle - line.start, [newId]: line.end - middle }),
    errors: without(draft.errors, [line.id]),
    changed: markedIn(dub, draft, [line.id]),
  }
}

/** Seconds of a line that is inserted, where there is room. */
const NEW_SECONDS = 2
/** Below this, a gap has no room for a word. */
const LEAST_GAP = 0.3

/**
 * Room for another line: at the moment of the film where no line is, else after the selected line. Null without room. `lines`: in their
 * order. `at`: seconds; count: lines of the dub
 */
export function roomFor(
  lines: readonly Line[],
  { at, selected, duration, count }: { at: number | null; selected: string; duration: number; count: number },
): { after: Line | undefined; start: number; end: number } | null {
  if (count >= MOST_LINES) return null
  const room = (from: number, after: Line | undefined) => {
    const next = lines.reduce((least, { start, end }) => (end > from ? Math.min(least, start) : least), duration)
    const end = Number(Math.min(next, from + NEW_SECONDS).toFixed(3))
    return end - from >= LEAST_GAP ? { after, start: Number(from.toFixed(3)), end } : null
  }
  const here =
    at === null
      ? null
      : room(
          at,
          lines.findLast(({ start }) => start <= at),
        )
  const chosen = lines.find(({ id }) => id === selected)
  return here ?? (chosen ? room(chosen.end, chosen) : null)
}

/** Inserts a line without text. */
export const insertLine = (draft: Draft, id: string, { after, start, end }: NonNullable<ReturnType<typeof roomFor>>): Draft => ({
  ...draft,
  added: {
    ...draft.added,
    [id]: { after: after?.id ?? '', source: '', speaker: after?.speaker ?? '', voice: after?.voice ?? '', start, end },
  },
})

/** Joins a line with the next one, which is removed. */
export function joinLines(draft: Draft, dub: StoredDub, line: Line, next: Line): Draft {
  let texts = draft.texts
  const others = new Map(textsOf(dub, draft, next.id).map(({ language, text }) => [language, text]))
  const mine = new Map(textsOf(dub, draft, line.id).map(({ language, text }) => [language, text]))
  for (const language of new Set([...mine.keys(), ...others.keys()]))
    texts = withTexts(texts, language, { [line.id]: joinTexts(mine.get(language) ?? '', others.get(language) ?? '') })
  const start = Math.min(line.start, next.start)
  const end = Math.max(line.end, next.end)
  return {
    ...draft,
    edits: { ...draft.edits, [line.id]: { ...own(draft.edits, line.id), source: joinTexts(line.source, next.source), start, end } },
    removed: { ...draft.removed, [next.id]: true },
    texts,
    estimates: withRooms(without(draft.estimates, [next.id]), line.id, { [line.id]: end - start }),
    errors: without(draft.errors, [line.id, next.id]),
    changed: markedIn(dub, draft, [line.id]),
  }
}
