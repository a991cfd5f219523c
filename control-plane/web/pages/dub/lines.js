// @ts-check
// The lines of a dub as the table shows them: what the studio has, with what a person changed in this browser. Pure.

/** @typedef {{ source?: string, speaker?: string, start?: number, end?: number }} Edit of one line; absent fields are as the studio has them */
/** after: id of the line that it follows, '' for none. voice: a profile. @typedef {{ after: string, source: string, speaker: string, voice: string, start: number, end: number }} AddedLine a line that the studio does not have yet */
/** ratio: spoken length over room for a text of `chars` characters. `shorter` fits better; '' without one. @typedef {{ ratio: number, room: number, chars: number, shorter: string }} Estimate */
/**
 * @typedef {object} Draft
 * @property {string} target code of the language; '' until one is chosen
 * @property {string} strategy
 * @property {Readonly<Record<string, string>>} names speaker -> name
 * @property {Readonly<Record<string, string>>} voices speaker -> profile; '' is a voice of the engine
 * @property {Readonly<Record<string, Edit>>} edits by id of the line
 * @property {Readonly<Record<string, AddedLine>>} added by id
 * @property {Readonly<Record<string, true>>} removed by id
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} texts by language and id
 * @property {Readonly<Record<string, Readonly<Record<string, Estimate>>>>} estimates by language and id
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} errors why lines were not translated, by language and id
 * @property {Readonly<Record<string, readonly string[]>>} changed ids whose sound is older than their voice or times, by language
 * @property {Sent | null} sent the run whose end is not known yet
 */
/** job: that speaks. texts: by id. changed: as in the draft then. @typedef {{ job: string, code: string, texts: Readonly<Record<string, string>>, changed: readonly string[] }} Sent */
/** As `job_data` of the history has it; times in seconds. @typedef {import('../../../features/dubbing/store/line.ts').DubLineRow} StoredLine */
/** @typedef {{ id: string, naturalUs: number, roomUs: number, cutUs: number, pastUs: number, silence: string | null }} FittedLine */
/**
 * @typedef {object} StoredDub
 * @property {string | null} audio_path null until the sound was extracted
 * @property {string} input_type
 * @property {number} duration
 * @property {readonly StoredLine[] | null} segments
 * @property {string} source_lang
 * @property {boolean} has_bg
 * @property {readonly string[]} [seg_order]
 * @property {Readonly<Record<string, unknown>>} [speaker_clones]
 * @property {Readonly<Record<string, unknown>>} dubbed_tracks
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} segments_i18n
 * @property {Readonly<Record<string, { strategy?: string, lines?: readonly FittedLine[] } | null>>} fit_plans
 */
/** @typedef {{ share: number, seconds: number, room: number, isMeasured: boolean }} Fit share: spoken seconds over those that the line has; the line fits up to 1 */
/** @typedef {'untranslated' | 'ready' | 'spoken' | 'changed' | 'failed'} LineState */
/**
 * @typedef {object} Line
 * @property {string} id
 * @property {number} number from 1
 * @property {number} start seconds
 * @property {number} end
 * @property {string} speaker
 * @property {string} voice profile, '' for a voice of the engine
 * @property {string} source
 * @property {string} target
 * @property {Fit | null} fit null while nothing is known
 * @property {string} shorter
 * @property {LineState} state
 * @property {string} error
 * @property {readonly string[]} faults of the last check
 * @property {string} understood what the check recognised
 */

/** @type {Draft} */
export const EMPTY_DRAFT = {
  target: '',
  strategy: 'concise',
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
/** From here on a line is long enough to be looked at. */
export const LONG_SHARE = 1.2

/** What an object has under a name that people chose; undefined for names such as `constructor`. @template T @param {Readonly<Record<string, T>> | undefined} record @param {string} name */
export const own = (record, name) => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)

/** In seconds: `moreRoom` is what the line got since, `mostRoom` what it has up to the next line. @param {string} target @param {{ spoken: string | undefined, fitted: FittedLine | undefined, estimate: Estimate | undefined, moreRoom: number, mostRoom: number }} from @returns {Fit | null} */
function fitOf(target, { spoken, fitted, estimate, moreRoom, mostRoom }) {
  if (target === '') return null
  const fit = (/** @type {number} */ share, /** @type {number} */ room, /** @type {boolean} */ isMeasured) => ({
    share,
    room,
    seconds: share * room,
    isMeasured,
  })
  if (fitted && fitted.roomUs > 0 && fitted.naturalUs > 0) {
    const room = Math.max(LEAST_SECONDS, Math.min(mostRoom, fitted.roomUs / 1e6 + moreRoom))
    const share = fitted.naturalUs / 1e6 / room
    return spoken === target ? fit(share, room, true) : fit((share * target.length) / Math.max(1, spoken?.length ?? 1), room, false)
  }
  return estimate ? fit((estimate.ratio * target.length) / Math.max(1, estimate.chars), estimate.room, false) : null
}

/**
 * The lines with those that were added and without those that were removed, as the studio will have them.
 * @param {Pick<StoredDub, 'segments'>} dub @param {Pick<Draft, 'added' | 'removed'>} draft @returns {StoredLine[]}
 */
export function rowsOf({ segments }, { added, removed }) {
  const stored = segments ?? []
  const known = new Set(stored.map(({ id }) => String(id)))
  /** @type {Map<string, StoredLine[]>} */
  const followers = new Map()
  for (const [id, { after, source, speaker, voice, start, end }] of Object.entries(added)) {
    if (known.has(id)) continue
    // The line before it may be gone since.
    const place = known.has(after) || Object.hasOwn(added, after) ? after : ''
    const line = { id, start, end, text: source, text_original: source, speaker_id: speaker, profile_id: voice }
    followers.set(place, [...(followers.get(place) ?? []), line])
  }
  if (followers.size === 0 && Object.keys(removed).length === 0) return [...stored]
  /** @type {StoredLine[]} */
  const rows = []
  const add = (/** @type {StoredLine} */ line) => {
    const id = String(line.id)
    if (!Object.hasOwn(removed, id)) rows.push(line)
    addAfter(id)
  }
  const addAfter = (/** @type {string} */ id) => {
    const lines = followers.get(id) ?? []
    followers.delete(id) // each once, even if lines were said to follow each other
    for (const line of lines.sort((one, other) => one.start - other.start)) add(line)
  }
  addAfter('')
  for (const line of stored) add(line)
  return rows
}

/** What lines were made of. @typedef {{ dub: StoredDub, draft: Draft, language: string, lines: readonly Line[] }} Reading */

/** Whether nothing but texts and edits of single lines differs. @param {Reading} last @param {StoredDub} dub @param {Draft} draft @param {string} language */
const isNear = (last, dub, draft, language) => {
  const of = (/** @type {Readonly<Record<string, unknown>>} */ byLanguage) => own(byLanguage, language)
  return (
    last.dub === dub &&
    last.language === language &&
    /** @type {const} */ (['added', 'removed', 'voices']).every((name) => last.draft[name] === draft[name]) &&
    /** @type {const} */ (['estimates', 'errors', 'changed']).every((name) => of(last.draft[name]) === of(draft[name]))
  )
}

/** Makes the lines of one editor after each change. A line that did not change is the same object as before, so that a key costs one line. */
export function createLineReader() {
  /** @type {Reading | null} */
  let last = null
  return (/** @type {StoredDub} */ dub, /** @type {Draft} */ draft, /** @type {string} */ language) => {
    last = { dub, draft, language, lines: linesOf(dub, draft, language, last) }
    return last.lines
  }
}

/** @param {StoredDub} dub @param {Draft} draft @param {string} language code of the target @param {Reading | null} [last] whose unchanged lines are used again @returns {Line[]} */
export function linesOf(dub, draft, language, last = null) {
  const near = last && isNear(last, dub, draft, language) ? last : null
  const lastTexts = own(near?.draft.texts, language)
  const isEdited = (/** @type {StoredLine | undefined} */ line) =>
    line !== undefined && own(draft.edits, String(line.id)) !== own(near?.draft.edits, String(line.id))
  const fitted = new Map((own(dub.fit_plans, language)?.lines ?? []).map((line) => [line.id, line]))
  const spokenTexts = own(dub.segments_i18n, language)
  const [texts, estimates, errors] = [own(draft.texts, language), own(draft.estimates, language), own(draft.errors, language)]
  const changed = new Set(own(draft.changed, language) ?? [])
  const hasTrack = own(dub.dubbed_tracks, language) !== undefined
  const voices = new Map((dub.segments ?? []).map((line) => [line.speaker_id, line.profile_id]))
  const startOf = (/** @type {StoredLine} */ line) => own(draft.edits, String(line.id))?.start ?? line.start
  return rowsOf(dub, draft).map((line, index, rows) => {
    const id = String(line.id)
    const next = rows[index + 1]
    const before = near?.lines[index]
    // The next line limits the room of this one.
    if (before && own(texts, id) === own(lastTexts, id) && !isEdited(line) && !isEdited(next)) return before
    const edit = own(draft.edits, id)
    const [start, end] = [startOf(line), edit?.end ?? line.end]
    const moreRoom = end - start - (line.end - line.start)
    const mostRoom = edit === undefined || next === undefined ? Number.POSITIVE_INFINITY : Math.max(end, startOf(next)) - start
    const speaker = edit?.speaker ?? line.speaker_id
    const spoken = own(spokenTexts, id)
    const target = own(texts, id) ?? spoken ?? ''
    const fit =
      own(errors, id) === undefined
        ? fitOf(target, { spoken, fitted: fitted.get(id), estimate: own(estimates, id), moreRoom, mostRoom })
        : null
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
      fit,
      shorter: own(estimates, id)?.shorter ?? '',
      state: target === '' ? 'untranslated' : isChanged ? 'changed' : isSilent ? 'failed' : isSpoken ? 'spoken' : 'ready',
      error: own(errors, id) ?? '',
      faults: isSpoken && !isChanged ? (line.qc_faults ?? []) : [],
      understood: line.qc_recognized ?? '',
    }
  })
}

/** Whether a person should look at a line. @param {Line} line */
export const needsReview = (line) =>
  line.error !== '' || line.state === 'failed' || line.faults.length > 0 || (line.fit !== null && line.fit.share > LONG_SHARE)

/** @param {readonly Line[]} lines @param {{ find: string, speaker: string, onlyReview: boolean }} filter */
export function filtered(lines, { find, speaker, onlyReview }) {
  const wanted = find.trim().toLowerCase()
  return lines.filter(
    (line) =>
      (speaker === '' || line.speaker === speaker) &&
      (!onlyReview || needsReview(line)) &&
      (wanted === '' || line.source.toLowerCase().includes(wanted) || line.target.toLowerCase().includes(wanted)),
  )
}

/** The speakers in the order in which they begin. @param {readonly Line[]} lines */
export const speakersOf = (lines) => [...new Set(lines.map(({ speaker }) => speaker))]

/** A moment of a film: 2:53.8 or 1:02:03.4. @param {number} seconds */
export function moment(seconds) {
  const tenths = Math.round(seconds * 10)
  const [hours, minutes, rest] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, tenths % 600]
  const tail = `${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}
