// @ts-check
// What edits make of the draft: texts, times, speakers and voices, and lines that are split and joined. Pure.
import { LEAST_SECONDS, own } from '../dub/lines.js'

/** @import { Draft, Edit, Estimate, Line, StoredDub } from '../dub/lines.js' */
/** caret: index in the text at which it is split; null without a choice. at: seconds; null without a choice. @typedef {{ caret: number | null, at: number | null }} Place */

/** As many as the studio stores. */
const MOST_LINES = 5_000
const MOST_CHARS = 5_000
/** The end of a sentence within this share of the text is preferred to a nearer space. */
const NEAR = 0.25
const SENTENCE_END = /[.!?…。！？؟।]["'”’»)\]]?$/u
/** Written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** @param {string} text @param {number} at @returns {[string, string]} */
const cutAt = (text, at) => [text.slice(0, at).trim(), text.slice(at).trim()]

/** Two parts of a text: at the end of a sentence, else between words, near a share of its length. @param {string} text @param {number} share 0 to 1 @returns {[string, string]} */
export function cutNear(text, share) {
  const whole = text.trim()
  const wanted = share * whole.length
  const distance = (/** @type {number} */ at) => Math.abs(at - wanted)
  const nearest = (/** @type {readonly number[]} */ places) =>
    places.reduce((best, at) => (distance(at) < distance(best) ? at : best), places[0] ?? 0)
  const gaps = [...whole.matchAll(/\s+/gu)].map(({ index }) => index)
  const ends = gaps.filter((at) => distance(at) <= NEAR * whole.length && SENTENCE_END.test(whole.slice(Math.max(0, at - 2), at)))
  if (ends.length > 0) return cutAt(whole, nearest(ends))
  if (gaps.length > 0) return cutAt(whole, nearest(gaps))
  if (!UNSPACED.test(whole)) return [whole, '']
  const points = [...whole]
  const count = Math.min(points.length - 1, Math.max(1, Math.round(share * points.length)))
  return [points.slice(0, count).join(''), points.slice(count).join('')]
}

/** @param {string} one @param {string} other */
function joinTexts(one, other) {
  if (one === '' || other === '') return one || other
  return UNSPACED.test(one.slice(-1)) && UNSPACED.test(other[0] ?? '') ? `${one}${other}` : `${one} ${other}`
}

/** @param {Line | undefined} line @param {number} count lines of the dub */
export const canSplit = (line, count) => line !== undefined && count < MOST_LINES && line.end - line.start >= 2 * LEAST_SECONDS

/** @param {readonly Line[]} lines @param {string} id */
export function nextOf(lines, id) {
  const at = lines.findIndex((line) => line.id === id)
  return at < 0 ? undefined : lines[at + 1]
}

/** @param {Line | undefined} line @param {Line | undefined} next */
export const canJoin = (line, next) =>
  line !== undefined &&
  next !== undefined &&
  Math.max(line.source.length + next.source.length, line.target.length + next.target.length) < MOST_CHARS

/** Texts of a line by language. @param {StoredDub} dub @param {Draft} draft @param {string} id */
const textsOf = (dub, draft, id) =>
  [...new Set([...Object.keys(dub.segments_i18n), ...Object.keys(draft.texts)])].flatMap((language) => {
    const text = own(own(draft.texts, language), id) ?? own(own(dub.segments_i18n, language), id)
    return text === undefined ? [] : [{ language, text }]
  })

/** @param {Draft['texts']} texts @param {string} language @param {Readonly<Record<string, string>>} more by id @returns {Draft['texts']} */
const withTexts = (texts, language, more) => ({ ...texts, [language]: { ...own(texts, language), ...more } })

/** @template T @param {Readonly<Record<string, Readonly<Record<string, T>>>>} byLanguage @param {readonly string[]} ids */
const without = (byLanguage, ids) =>
  Object.fromEntries(
    Object.entries(byLanguage).map(([language, entries]) => [
      language,
      Object.fromEntries(Object.entries(entries).filter(([id]) => !ids.includes(id))),
    ]),
  )

/** @param {Draft['estimates']} estimates @param {string} id @param {Readonly<Record<string, number>>} rooms seconds by id @returns {Draft['estimates']} as much for each character as before */
const withRooms = (estimates, id, rooms) =>
  Object.fromEntries(
    Object.entries(estimates).map(([language, entries]) => {
      const known = own(entries, id)
      if (known === undefined) return [language, entries]
      const parts = Object.entries(rooms).map(([one, room]) => [
        one,
        { ...known, ratio: (known.ratio * known.room) / room, room, shorter: '' },
      ])
      return [language, /** @type {Readonly<Record<string, Estimate>>} */ ({ ...entries, ...Object.fromEntries(parts) })]
    }),
  )

/** Lines whose sound is older than their times or voice, in every track. @param {StoredDub} dub @param {Draft} draft @param {readonly string[]} ids @returns {Draft['changed']} */
const markedIn = (dub, draft, ids) => ({
  ...draft.changed,
  ...Object.fromEntries(
    Object.keys(dub.dubbed_tracks).map((language) => [language, [...new Set([...(own(draft.changed, language) ?? []), ...ids])]]),
  ),
})

/** @param {Draft} draft @param {string} code @param {string} id @param {string} text @returns {Draft} */
export const withText = (draft, code, id, text) => ({
  ...draft,
  texts: withTexts(draft.texts, code, { [id]: text }),
  errors:
    own(own(draft.errors, code), id) === undefined
      ? draft.errors
      : { ...draft.errors, ...without({ [code]: own(draft.errors, code) ?? {} }, [id]) },
})

/** @param {Draft} draft @param {StoredDub} dub @param {string} id @param {Edit} edit @returns {Draft} */
export const withEdit = (draft, dub, id, edit) => ({
  ...draft,
  edits: { ...draft.edits, [id]: { ...own(draft.edits, id), ...edit } },
  ...(edit.source === undefined && { changed: markedIn(dub, draft, [id]) }),
})

/** @param {Draft} draft @param {StoredDub} dub @param {string} speaker @param {{ voice: string, lines: readonly Line[] }} how @returns {Draft} */
export const withVoice = (draft, dub, speaker, { voice, lines }) => ({
  ...draft,
  voices: { ...draft.voices, [speaker]: voice },
  changed: markedIn(
    dub,
    draft,
    lines.filter((line) => line.speaker === speaker).map(({ id }) => id),
  ),
})

/** Splits a line in two. The second part gets `newId`. @param {Draft} draft @param {StoredDub} dub @param {Line} line @param {{ code: string, place: Place, newId: string }} how @returns {Draft} */
export function splitLine(draft, dub, line, { code, place: { caret, at }, newId }) {
  const chosen = line.target === '' ? line.source : line.target
  const isChosen = caret !== null && chosen.slice(0, caret).trim() !== '' && chosen.slice(caret).trim() !== ''
  const length = line.end - line.start
  const timeShare = at !== null && at > line.start && at < line.end ? (at - line.start) / length : null
  const [first] = cutNear(line.source || chosen, timeShare ?? 0.5)
  const share = isChosen ? caret / chosen.length : (timeShare ?? first.length / Math.max(1, (line.source || chosen).length))
  const wanted = line.start + (timeShare ?? share) * length
  const middle = Number(Math.min(line.end - LEAST_SECONDS, Math.max(line.start + LEAST_SECONDS, wanted)).toFixed(3))
  const cut = (/** @type {string} */ text) => (isChosen && text === chosen ? cutAt(text, caret) : cutNear(text, share))
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
 * Room for another line: at the moment of the film where no line is, else after the selected line. Null without room.
 * @param {readonly Line[]} lines in their order @param {{ at: number | null, selected: string, duration: number, count: number }} place at: seconds; count: lines of the dub
 * @returns {{ after: Line | undefined, start: number, end: number } | null}
 */
export function roomFor(lines, { at, selected, duration, count }) {
  if (count >= MOST_LINES) return null
  const room = (/** @type {number} */ from, /** @type {Line | undefined} */ after) => {
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

/** Inserts a line without text. @param {Draft} draft @param {string} id @param {NonNullable<ReturnType<typeof roomFor>>} room @returns {Draft} */
export const insertLine = (draft, id, { after, start, end }) => ({
  ...draft,
  added: {
    ...draft.added,
    [id]: { after: after?.id ?? '', source: '', speaker: after?.speaker ?? '', voice: after?.voice ?? '', start, end },
  },
})

/** Joins a line with the next one, which is removed. @param {Draft} draft @param {StoredDub} dub @param {Line} line @param {Line} next @returns {Draft} */
export function joinLines(draft, dub, line, next) {
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

/** Times of a line from what was typed in its fields, or why they are none. @param {Pick<Line, 'start' | 'end'>} line @param {{ start?: string, end?: string }} typed @returns {{ start: number, end: number } | 'number' | 'order'} */
export function typedTimes(line, typed) {
  const [start, end] = [typed.start ?? line.start, typed.end ?? line.end].map((one) => (one === '' ? Number.NaN : Number(one)))
  if (start === undefined || end === undefined || !(start >= 0 && Number.isFinite(end))) return 'number'
  return end - start < LEAST_SECONDS - 1e-6 ? 'order' : { start, end }
}
