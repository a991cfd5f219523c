// The lines of a dub as the table shows them: what the studio has, with what a person changed in this browser. Pure.
import type { DubLineRow } from '#control-plane/features/dubbing/store/line.ts'
import { clock } from '#control-plane/web/lib/format.ts'

/** changes of one line; absent fields are as the studio has them */
export type Edit = { source?: string; speaker?: string; start?: number; end?: number }
/** after: id of the line that it follows, '' for none. voice: a profile. a line that the studio does not have yet */
export type AddedLine = { after: string; source: string; speaker: string; voice: string; start: number; end: number }
/** ratio: spoken length over room for a text of `chars` characters. `shorter` fits better; '' without one. */
export type Estimate = { ratio: number; room: number; chars: number; shorter: string }
export type Draft = {
  /** code of the language; '' until one is chosen */
  target: string
  strategy: string
  /** speakers in the order in which they were met, which gives each a colour for good */
  met: readonly string[]
  /** speakers that a person made, with lines or without */
  made: readonly string[]
  /** names at the start of lines that are words of the line */
  keptNames: readonly string[]
  /** speaker -> name */
  names: Readonly<Record<string, string>>
  /** speaker -> profile; '' is a voice of the engine */
  voices: Readonly<Record<string, string>>
  /** by id of the line */
  edits: Readonly<Record<string, Edit>>
  /** by id */
  added: Readonly<Record<string, AddedLine>>
  /** by id */
  removed: Readonly<Record<string, true>>
  /** by language and id */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** by language and id */
  estimates: Readonly<Record<string, Readonly<Record<string, Estimate>>>>
  /** reasons for lines that were not translated, by language and id */
  errors: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** ids whose sound is older than their voice or times, by language */
  changed: Readonly<Record<string, readonly string[]>>
  /** the run whose end is not known yet */
  sent: Sent | null
}
/** job: that speaks. texts: by id. changed: as in the draft then. */
export type Sent = { job: string; code: string; texts: Readonly<Record<string, string>>; changed: readonly string[] }
/** Line in `job_data` of the history; times in seconds. */
export type StoredLine = DubLineRow
export type FittedLine = { id: string; naturalUs: number; roomUs: number; cutUs: number; pastUs: number; silence: string | null }
export type StoredDub = {
  /** null until the sound was extracted */
  audio_path: string | null
  input_type: string
  duration: number
  segments: readonly StoredLine[] | null
  source_lang: string
  has_bg: boolean
  seg_order?: readonly string[]
  speaker_clones?: Readonly<Record<string, unknown>>
  dubbed_tracks: Readonly<Record<string, unknown>>
  segments_i18n: Readonly<Record<string, Readonly<Record<string, string>>>>
  fit_plans: Readonly<Record<string, { strategy?: string; lines?: readonly FittedLine[] } | null>>
}
/** share: spoken seconds over those that the line has; the line fits up to 1 */
export type Fit = { share: number; seconds: number; room: number; isMeasured: boolean }
export type LineState = 'untranslated' | 'ready' | 'spoken' | 'changed' | 'failed'
export type Line = {
  id: string
  /** from 1 */
  number: number
  /** seconds */
  start: number
  end: number
  speaker: string
  /** profile, '' for a voice of the engine */
  voice: string
  source: string
  target: string
  /** seconds that it has */
  room: number
  /** null while nothing is known */
  fit: Fit | null
  shorter: string
  state: LineState
  error: string
  /** faults in the last check */
  faults: readonly string[]
  /** text that the check recognised */
  understood: string
}

export const EMPTY_DRAFT: Draft = {
  target: '',
  strategy: 'concise',
  met: [],
  made: [],
  keptNames: [],
  names: {},
  voices: {},
  edits: {},
  added: {},
  removed: {},
  texts: {},
  estimates: {},
  errors: {},
  changed: {},
  sent: null,
}

/** A line is at least this long. */
export const LEAST_SECONDS = 0.1
/** Pause that the studio keeps before the next line. */
const GAP_SECONDS = 0.05
/** Share of the room from which a line is long enough to be looked at. */
export const LONG_SHARE = 1.2

/** Own entry of an object under a name that people chose; undefined for names such as `constructor`. */
export const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string) =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined

/** `room`: seconds. Measured once the text was spoken, else estimated from a text that was spoken or translated. */
function fitOf(
  target: string,
  {
    spoken,
    fitted,
    estimate,
    room,
  }: { spoken: string | undefined; fitted: FittedLine | undefined; estimate: Estimate | undefined; room: number },
): Fit | null {
  if (target === '') return null
  const fit = (seconds: number, isMeasured: boolean) => ({ share: seconds / room, room, seconds, isMeasured })
  if (fitted && fitted.naturalUs > 0) {
    const seconds = fitted.naturalUs / 1e6
    return spoken === target ? fit(seconds, true) : fit((seconds * target.length) / Math.max(1, spoken?.length ?? 1), false)
  }
  return estimate ? fit((estimate.ratio * estimate.room * target.length) / Math.max(1, estimate.chars), false) : null
}

type Timed = { readonly start: number; readonly end: number; readonly speaker: string }
/**
 * Seconds that a line has: to the next line of its speaker, or the next one that begins after it has ended, less the pause that the studio keeps
 * between lines; to the end of the film after the last one. The same before and after it is spoken.
 */
export function roomOf({ start, end, speaker }: Timed, later: Iterable<Timed>, duration: number) {
  const slot = Math.max(LEAST_SECONDS, end - start)
  for (const next of later)
    if (next.speaker === speaker || next.start >= end)
      return Math.max(Math.min(slot, Math.max(LEAST_SECONDS, next.start - start)), next.start - GAP_SECONDS - start)
  return Math.max(slot, duration - start)
}

/** The lines with those that were added and without those that were removed, as the studio will have them. */
export function rowsOf({ segments }: Pick<StoredDub, 'segments'>, { added, removed }: Pick<Draft, 'added' | 'removed'>): StoredLine[] {
  const stored = segments ?? []
  const known = new Set(stored.map(({ id }) => String(id)))
  const followers: Map<string, StoredLine[]> = new Map()
  for (const [id, { after, source, speaker, voice, start, end }] of Object.entries(added)) {
    if (known.has(id)) continue
    // The line before it may be gone since.
    const place = known.has(after) || Object.hasOwn(added, after) ? after : ''
    const line = { id, start, end, text: source, text_original: source, speaker_id: speaker, profile_id: voice }
    followers.set(place, [...(followers.get(place) ?? []), line])
  }
  if (followers.size === 0 && Object.keys(removed).length === 0) return [...stored]
  const rows: StoredLine[] = []
  const add = (line: StoredLine) => {
    const id = String(line.id)
    if (!Object.hasOwn(removed, id)) rows.push(line)
    addAfter(id)
  }
  const addAfter = (id: string) => {
    const lines = followers.get(id) ?? []
    followers.delete(id) // each once, even if lines were said to follow each other
    for (const line of lines.sort((one, other) => one.start - other.start)) add(line)
  }
  addAfter('')
  for (const line of stored) add(line)
  return rows
}

/** Inputs that lines were made of. */
export type Reading = { dub: StoredDub; draft: Draft; language: string; lines: readonly Line[] }

/** True if nothing but texts and edits of single lines differs. */
const isNear = (last: Reading, dub: StoredDub, draft: Draft, language: string) => {
  const of = (byLanguage: Readonly<Record<string, unknown>>) => own(byLanguage, language)
  return (
    last.dub === dub &&
    last.language === language &&
    (['added', 'removed', 'voices'] as const).every((name) => last.draft[name] === draft[name]) &&
    (['estimates', 'errors', 'changed'] as const).every((name) => of(last.draft[name]) === of(draft[name]))
  )
}

/** Makes the lines of one editor after each change. A line that did not change is the same object as before, so that a key costs one line. */
export function createLineReader() {
  let last: Reading | null = null
  return (dub: StoredDub, draft: Draft, language: string) => {
    last = { dub, draft, language, lines: linesOf(dub, draft, language, last) }
    return last.lines
  }
}

/** `language`: code of the target. `last`: whose unchanged lines are used again */
export function linesOf(dub: StoredDub, draft: Draft, language: string, last: Reading | null = null): Line[] {
  const near = last && isNear(last, dub, draft, language) ? last : null
  const lastTexts = own(near?.draft.texts, language)
  const isEdited = (line: StoredLine | undefined) =>
    line !== undefined && own(draft.edits, String(line.id)) !== own(near?.draft.edits, String(line.id))
  const fitted = new Map((own(dub.fit_plans, language)?.lines ?? []).map((line) => [line.id, line]))
  const spokenTexts = own(dub.segments_i18n, language)
  const [texts, estimates, errors] = [own(draft.texts, language), own(draft.estimates, language), own(draft.errors, language)]
  const changed = new Set(own(draft.changed, language) ?? [])
  const hasTrack = own(dub.dubbed_tracks, language) !== undefined
  const voices = new Map((dub.segments ?? []).map((line) => [line.speaker_id, line.profile_id]))
  const rows = rowsOf(dub, draft)
  const timed = (line: StoredLine): Timed => {
    const edit = own(draft.edits, String(line.id))
    return { start: edit?.start ?? line.start, end: edit?.end ?? line.end, speaker: edit?.speaker ?? line.speaker_id }
  }
  function* after(index: number) {
    for (let at = index + 1; at < rows.length; at++) yield timed(rows[at] as StoredLine)
  }
  return rows.map((line, index) => {
    const id = String(line.id)
    const before = near?.lines[index]
    const edit = own(draft.edits, id)
    const { start, end, speaker } = timed(line)
    const room = roomOf({ start, end, speaker }, after(index), dub.duration)
    // Other lines limit the room of this one.
    if (before && before.room === room && own(texts, id) === own(lastTexts, id) && !isEdited(line)) return before
    const spoken = own(spokenTexts, id)
    const target = own(texts, id) ?? spoken ?? ''
    const fit = own(errors, id) === undefined ? fitOf(target, { spoken, fitted: fitted.get(id), estimate: own(estimates, id), room }) : null
    const isSpoken = hasTrack && spoken !== undefined
    const isChanged = isSpoken && (spoken !== target || changed.has(id))
    const isSilent = isSpoken && !isChanged && fitted.get(id)?.silence === 'no-take'
    return {
      id,
      number: index + 1,
      start,
      end,
      speaker,
      voice: own(draft.voices, speaker) ?? (speaker === line.speaker_id ? line.profile_id : voices.get(speaker)) ?? '',
      source: edit?.source ?? (line.text_original || line.text),
      target,
      room,
      fit,
      shorter: own(estimates, id)?.shorter ?? '',
      state: target === '' ? 'untranslated' : isChanged ? 'changed' : isSilent ? 'failed' : isSpoken ? 'spoken' : 'ready',
      error: own(errors, id) ?? '',
      faults: isSpoken && !isChanged ? (line.qc_faults ?? []) : [],
      understood: line.qc_recognized ?? '',
    }
  })
}

/** True if a person should look at a line. */
export const needsReview = (line: Line) =>
  line.error !== '' || line.state === 'failed' || line.faults.length > 0 || (line.fit !== null && line.fit.share > LONG_SHARE)

export function filtered(lines: readonly Line[], { find, speaker, onlyReview }: { find: string; speaker: string; onlyReview: boolean }) {
  const wanted = find.trim().toLowerCase()
  return lines.filter(
    (line) =>
      (speaker === '' || line.speaker === speaker) &&
      (!onlyReview || needsReview(line)) &&
      (wanted === '' || line.source.toLowerCase().includes(wanted) || line.target.toLowerCase().includes(wanted)),
  )
}

/** The speakers in the order in which they begin. */
export const speakersOf = (lines: readonly Line[]) => [...new Set(lines.map(({ speaker }) => speaker))]

/** A moment of a film: 2:53.8 or 1:02:03.4. `digits`: most decimals */
export const moment = (seconds: number, digits: number = 1) => clock(seconds, digits)
