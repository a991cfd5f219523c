// Undo and redo of edits: earlier states of the draft. Pure.

import type { AddedLine, Draft, Edit, Line, StoredDub } from '../dub/lines.ts'
import { linesOf, own, rowsOf } from '../dub/lines.ts'

/** An earlier state, and how many amendments it has in it. */
export type Earlier = { draft: Draft; from: number }
/**
 * step: what the last change belongs to; '' for none. amendments: changes of every state that was recorded before them, made when a
 * state is taken.
 */
export type History = {
  past: readonly Earlier[]
  future: readonly Earlier[]
  step: string
  amendments: readonly ((draft: Draft) => Draft)[]
}

const MOST_STEPS = 100
/** Each keeps the lines that the studio had then. */
const MOST_AMENDMENTS = 40
export const EMPTY_HISTORY: History = { past: [], future: [], step: '', amendments: [] }

const earlier = ({ amendments }: History, draft: Draft): Earlier => ({ draft, from: amendments.length })

const taken = ({ amendments }: History, { draft, from }: Earlier) => amendments.slice(from).reduce((now, amend) => amend(now), draft)

/** `before`: the draft before the change */
export function recorded(history: History, before: Draft, step: string): History {
  const { past, step: last } = history
  const isMore = step !== '' && step === last
  return { ...history, past: isMore ? past : [...past, earlier(history, before)].slice(-MOST_STEPS), future: [], step }
}

/** Shows the language in which the change was made. Returns null without an earlier state */
export function undone(history: History, now: Draft): { history: History; draft: Draft } | null {
  const { past, future } = history
  const last = past.at(-1)
  if (last === undefined) return null
  const draft = taken(history, last)
  const next = earlier(history, { ...now, target: draft.target })
  return { history: { ...history, past: past.slice(0, -1), future: [next, ...future], step: '' }, draft }
}

/** Returns null without a later state */
export function redone(history: History, now: Draft): { history: History; draft: Draft } | null {
  const { past, future } = history
  const [first, ...rest] = future
  if (first === undefined) return null
  const draft = taken(history, first)
  return { history: { ...history, past: [...past, earlier(history, { ...now, target: draft.target })], future: rest, step: '' }, draft }
}

/** Changes every state but the present one. The states of long ago are dropped. */
export function amended({ past, future, amendments }: History, amend: (draft: Draft) => Draft): History {
  if (past.length + future.length === 0) return EMPTY_HISTORY
  const all = [...amendments, amend]
  const dropped = Math.max(0, all.length - MOST_AMENDMENTS)
  const kept = (states: readonly Earlier[]) =>
    states.filter(({ from }) => from >= dropped).map(({ draft, from }) => ({ draft, from: from - dropped }))
  return { past: kept(past), future: kept(future), step: '', amendments: all.slice(dropped) }
}

/** The name of a step of typing: letters of one word belong together; a paste, a deleted word and a space do not. */
export function typingStep(field: string, before: string, after: string) {
  const isLetter = Math.abs(after.length - before.length) === 1 && after.split(' ').length === before.split(' ').length
  return isLetter ? `${field} ${after.length > before.length ? 'typed' : 'deleted'}` : ''
}

/**
 * An earlier state of the draft that means the same lines although the studio has stored others since. `before`: what the studio had.
 * `after`: what it has
 */
export function rebased(draft: Draft, before: StoredDub, after: StoredDub): Draft {
  const rows = rowsOf(before, draft)
  const had = new Set(rows.map(({ id }) => String(id)))
  const stored = new Map((after.segments ?? []).map((line) => [String(line.id), line]))
  const edits: Record<string, Edit> = { ...draft.edits }
  const added: Record<string, AddedLine> = { ...draft.added }
  const removed: Record<string, true> = { ...draft.removed }
  const voices: Record<string, string> = { ...draft.voices }
  for (const id of stored.keys()) if (!had.has(id)) removed[id] = true
  for (const [at, row] of rows.entries()) {
    const id = String(row.id)
    const now = stored.get(id)
    const line = { source: row.text_original || row.text, speaker: row.speaker_id, start: row.start, end: row.end }
    const voice = row.profile_id ?? ''
    if (now === undefined) {
      const previous = rows[at - 1]
      added[id] = { ...line, voice, after: previous === undefined ? '' : String(previous.id) }
      continue
    }
    const isSame =
      (now.text_original || now.text) === line.source && now.speaker_id === line.speaker && now.start === line.start && now.end === line.end
    if (!isSame) edits[id] = { ...line, ...own(draft.edits, id) }
    const speaker = own(draft.edits, id)?.speaker ?? line.speaker
    if (voice !== (now.profile_id ?? '') && own(voices, speaker) === undefined) voices[speaker] = voice
  }
  const texts: Record<string, Readonly<Record<string, string>>> = { ...draft.texts }
  for (const [language, now] of Object.entries(after.segments_i18n)) {
    const [mine, earlier] = [own(draft.texts, language), own(before.segments_i18n, language)]
    const changed = [...had].filter((id) => own(mine, id) === undefined && own(earlier, id) !== own(now, id))
    if (changed.length > 0) texts[language] = { ...mine, ...Object.fromEntries(changed.map((id) => [id, own(earlier, id) ?? ''])) }
  }
  return { ...draft, edits, added, removed, voices, texts }
}

/** An earlier state after lines were spoken: those that had other times or another voice are changed. */
export function markedAfter(draft: Draft, dub: StoredDub, code: string, spoken: readonly Line[]): Draft {
  const were = new Map(spoken.map((line) => [line.id, line]))
  const changed = linesOf(dub, draft, code).filter((line) => {
    const was = were.get(line.id)
    return was === undefined || was.start !== line.start || was.end !== line.end || was.speaker !== line.speaker || was.voice !== line.voice
  })
  return { ...draft, changed: { ...draft.changed, [code]: changed.map(({ id }) => id) } }
}
