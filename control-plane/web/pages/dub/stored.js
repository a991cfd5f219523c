// @ts-check
// What of a draft the studio has by now. It leaves the draft, so that an old draft does not undo what was changed elsewhere since. Pure.
import { own } from './lines.js'

/** @import { Draft, StoredDub } from './lines.js' */

/** The entries that are still open; the same object if all are. @template T @param {Readonly<Record<string, T>>} record @param {(key: string, value: T) => boolean} isOpen @returns {Readonly<Record<string, T>>} */
function open(record, isOpen) {
  const entries = Object.entries(record)
  const left = entries.filter(([key, value]) => isOpen(key, value))
  return left.length === entries.length ? record : Object.fromEntries(left)
}

/** @param {Draft} draft @param {Partial<Draft>} parts @returns {Draft} the same one without a change */
const withParts = (draft, parts) => {
  const isSame = Object.entries(parts).every(([name, value]) => draft[/** @type {keyof Draft} */ (name)] === value)
  return isSame ? draft : { ...draft, ...parts }
}

/** @param {Draft['texts']} texts @param {(language: string, id: string, text: string) => boolean} isOpen @returns {Draft['texts']} */
const openTexts = (texts, isOpen) => {
  const left = Object.entries(texts).map(
    ([language, entries]) => /** @type {const} */ ([language, open(entries, (id, text) => isOpen(language, id, text))]),
  )
  return left.every(([language, entries]) => texts[language] === entries) ? texts : Object.fromEntries(left)
}

/** Without what the studio has. @param {Draft} draft @param {StoredDub} dub @returns {Draft} */
export function withoutStored(draft, dub) {
  if (isSettled(draft)) return draft
  const stored = new Map((dub.segments ?? []).map((line) => [String(line.id), line]))
  const isLine = (/** @type {string} */ id) => stored.has(id) || Object.hasOwn(draft.added, id)
  // Removed before the studio had it; one that others follow has their place.
  const isGone = (/** @type {string} */ id) =>
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
    voices: open(draft.voices, (speaker, voice) => {
      const lines = [...stored.values()].filter((line) => line.speaker_id === speaker)
      return lines.length === 0 || lines.some((line) => (line.profile_id ?? '') !== voice)
    }),
  })
}

/** After the run that it was sent to. What was changed during the run stays. @param {Draft} draft @param {boolean} isDone false: the run failed or was stopped @returns {Draft} */
export function afterRun(draft, isDone) {
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

/** Whether nothing that a person wrote or chose would be lost with the draft. @param {Draft} draft */
export const isSettled = ({ texts, edits, added, removed, voices, names }) =>
  [...Object.values(texts), edits, added, removed, voices, names].every((record) => Object.keys(record).length === 0)
