// Finds what the studio has of a draft by now. It leaves the draft, so that an old draft does not undo what was changed elsewhere since.
// Pure.

import type { Draft, StoredDub } from './lines.ts'
import { own } from './lines.ts'

/** The entries that are still open; the same object if all are. */
function open<T>(record: Readonly<Record<string, T>>, isOpen: (key: string, value: T) => boolean): Readonly<Record<string, T>> {
  const entries = Object.entries(record)
  const left = entries.filter(([key, value]) => isOpen(key, value))
  return left.length === entries.length ? record : Object.fromEntries(left)
}

/** Returns the same one without a change */
const withParts = (draft: Draft, parts: Partial<Draft>): Draft => {
  const isSame = Object.entries(parts).every(([name, value]) => draft[name as keyof Draft] === value)
  return isSame ? draft : { ...draft, ...parts }
}

const openTexts = (texts: Draft['texts'], isOpen: (language: string, id: string, text: string) => boolean): Draft['texts'] => {
  const left = Object.entries(texts).map(
    ([language, entries]) => [language, open(entries, (id, text) => isOpen(language, id, text))] as const,
  )
  return left.every(([language, entries]) => texts[language] === entries) ? texts : Object.fromEntries(left)
}

/** The draft without what the studio has. */
export function withoutStored(draft: Draft, dub: StoredDub): Draft {
  if (isSettled(draft)) return draft
  const stored = new Map((dub.segments ?? []).map((line) => [String(line.id), line]))
  const speaks = new Set([...stored.values()].map(({ speaker_id: one }) => one))
  const isLine = (id: string) => stored.has(id) || Object.hasOwn(draft.added, id)
  // Removed before the studio had it; one that others follow has their place.
  const isGone = (id: string) =>
    Object.hasOwn(draft.removed, id) && !stored.has(id) && !Object.values(draft.added).some(({ after }) => after === id)
  return withParts(draft, {
    texts: openTexts(draft.texts, (language, id, text) => isLine(id) && own(own(dub.segments_i18n, language), id) !== text),
    edits: open(draft.edits, (id, { source, speaker, start, end }) => {
      const line = stored.get(id)
      if (line === undefined) return isLine(id)
      const isStored =
        (source ?? (line.text_original || line.text)) === (line.text_original || line.text) &&
        (speaker ?? line.speaker_id) === line.speaker_id &&
        (start ?? line.start) === line.start &&
        (end ?? line.end) === line.end
      return !isStored
    }),
    added: open(draft.added, (id) => !stored.has(id) && !isGone(id)),
    removed: open(draft.removed, (id) => isLine(id) && !isGone(id)),
    made: draft.made.some((one) => speaks.has(one)) ? draft.made.filter((one) => !speaks.has(one)) : draft.made,
    voices: open(draft.voices, (speaker, voice) => {
      const lines = [...stored.values()].filter((line) => line.speaker_id === speaker)
      return lines.length === 0 || lines.some((line) => (line.profile_id ?? '') !== voice)
    }),
  })
}

/** The draft after the run that it was sent to. What was changed during the run stays. `false`: the run failed or was stopped */
export function afterRun(draft: Draft, isDone: boolean): Draft {
  const { sent } = draft
  if (!sent) return draft
  if (!isDone) return { ...draft, sent: null }
  const { code, texts, changed } = sent
  return {
    ...draft,
    sent: null,
    texts: openTexts(draft.texts, (language, id, text) => language !== code || own(texts, id) !== text),
    changed: { ...draft.changed, [code]: (own(draft.changed, code) ?? []).filter((id) => !changed.includes(id)) },
  }
}

/** True if nothing that a person wrote or chose would be lost with the draft. */
export const isSettled = ({ texts, edits, added, removed, voices, names, made }: Draft) =>
  made.length === 0 && [...Object.values(texts), edits, added, removed, voices, names].every((record) => Object.keys(record).length === 0)
