// Speakers of a dub: their order, which gives each its colour, and names that lines begin with, as in "MARA: Good morning.". Pure.

import type { Draft, Line, StoredDub } from '../dub/lines.ts'
import { own, speakersOf } from '../dub/lines.ts'
import { markedIn } from '../dub-editor/edits.ts'

/** lines: number of lines that begin with it. */
export type FoundName = { readonly name: string; readonly lines: number }

/** A capital or a letter of a script without cases, then at most 40 characters; a space or such a letter follows the colon. */
const PREFIX = /^\s?[-–—]?\s?([\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}.'’ -]{0,40})[:：](?=\s|[\p{Lo}])/u
const MOST_WORDS = 3
const LEAST_TIMES = 2
/** Words before a colon in a sentence that is no name. */
const LEAST_CAPITALS = 2
const MOST_NAME = 60

const isCapitals = (name: string) => name === name.toUpperCase() && name !== name.toLowerCase() && name.length >= LEAST_CAPITALS

function prefixOf(text: string): { name: string; length: number } | null {
  const match = PREFIX.exec(text)
  const name = match?.[1]?.trim() ?? ''
  if (match === null || name === '' || name.split(/\s+/).length > MOST_WORDS) return null
  // A line that is nothing but a name keeps its text.
  return text.slice(match[0].length).trim() === '' ? null : { name, length: match[0].length }
}

/**
 * Names before a colon at the start of lines. A name stands there in at least two lines, or is written in capitals: "Note: …" once is part of a
 * sentence. `kept`: names that a person wants to keep as words.
 */
export function namesIn(lines: readonly Pick<Line, 'source'>[], kept: readonly string[]): FoundName[] {
  const counts = new Map<string, number>()
  for (const { source } of lines) {
    const name = prefixOf(source)?.name
    if (name !== undefined && !kept.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].filter(([name, times]) => times >= LEAST_TIMES || isCapitals(name)).map(([name, times]) => ({ name, lines: times }))
}

/** Text after the name; unchanged without it. */
export function withoutName(text: string, name: string) {
  const found = prefixOf(text)
  return found?.name === name ? text.slice(found.length).trim() : text
}

/** The lines that begin with these names are given to speakers of these names, and lose the names. */
export function withNames(draft: Draft, dub: StoredDub, lines: readonly Line[], names: readonly string[]): Draft {
  const edits = { ...draft.edits }
  const texts = Object.fromEntries(Object.entries(draft.texts).map(([code, byId]) => [code, { ...byId }]))
  const ids: string[] = []
  for (const { id, source } of lines) {
    const name = prefixOf(source)?.name
    if (name === undefined || !names.includes(name)) continue
    ids.push(id)
    edits[id] = { ...own(edits, id), source: withoutName(source, name), speaker: name }
    for (const code of new Set([...Object.keys(texts), ...Object.keys(dub.segments_i18n)])) {
      const text = own(own(texts, code), id) ?? own(own(dub.segments_i18n, code), id)
      const bare = text === undefined ? undefined : withoutName(text, name)
      if (bare !== undefined && bare !== text) texts[code] = { ...own(texts, code), [id]: bare }
    }
  }
  return { ...draft, edits, texts, changed: markedIn(dub, draft, ids) }
}

/** All speakers of a dub that had a line once, in the order in which they were met. */
export const orderOf = (met: readonly string[], lines: readonly Line[]) => {
  const known = new Set(met)
  const more = speakersOf(lines).filter((one) => !known.has(one))
  return more.length === 0 ? met : [...met, ...more]
}

/** Speakers to choose from: those with lines, and those that a person made. */
export function castOf({ met, made }: Pick<Draft, 'met' | 'made'>, lines: readonly Line[]) {
  const present = new Set([...speakersOf(lines), ...made])
  return orderOf([...met, ...made.filter((one) => !met.includes(one))], lines).filter((one) => present.has(one))
}

/** The id of a speaker of this name: an existing one, or null where a new one is to be made. `nameOf`: names as they are shown */
export const speakerNamed = (cast: readonly string[], nameOf: (speaker: string) => string, name: string) =>
  cast.find((one) => nameOf(one).toLowerCase() === name.trim().toLowerCase()) ?? null

export const withSpeaker = (draft: Draft, name: string): Draft => ({
  ...draft,
  made: [...draft.made, name.trim().slice(0, MOST_NAME).toWellFormed()],
})
