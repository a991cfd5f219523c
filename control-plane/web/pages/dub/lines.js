// @ts-check
// The lines of a dub as the table shows them: what the studio has, with what a person changed in this browser. Pure.

/** @typedef {{ source?: string, speaker?: string, start?: number, end?: number }} Edit of one line; absent fields are as the studio has them */
/** ratio: spoken length over room for a text of `chars` characters. `shorter` fits better; '' without one. @typedef {{ ratio: number, room: number, chars: number, shorter: string }} Estimate */
/**
 * @typedef {object} Draft
 * @property {string} target code of the language; '' until one is chosen
 * @property {string} strategy
 * @property {Readonly<Record<string, string>>} names speaker -> name
 * @property {Readonly<Record<string, string>>} voices speaker -> profile; '' is a voice of the engine
 * @property {Readonly<Record<string, Edit>>} edits by id of the line
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} texts by language and id
 * @property {Readonly<Record<string, Readonly<Record<string, Estimate>>>>} estimates by language and id
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} errors why lines were not translated, by language and id
 * @property {Readonly<Record<string, readonly string[]>>} changed ids whose sound is older than their voice or times, by language
 */
/**
 * @typedef {object} StoredLine as `job_data` of the history has it; times in seconds
 * @property {string | number} id
 * @property {number} start
 * @property {number} end
 * @property {string} text
 * @property {string} text_original
 * @property {string} speaker_id
 * @property {string} [profile_id]
 * @property {readonly string[]} [qc_faults]
 * @property {string} [qc_recognized]
 */
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
 * @property {Readonly<Record<string, { lines?: readonly FittedLine[] } | null>>} fit_plans
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
  texts: {},
  estimates: {},
  errors: {},
  changed: {},
}

/** From here on a line is long enough to be looked at. */
export const LONG_SHARE = 1.2

/** What an object has under a name that people chose; undefined for names such as `constructor`. @template T @param {Readonly<Record<string, T>> | undefined} record @param {string} name */
export const own = (record, name) => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)

/** @param {string} target @param {string | undefined} spoken @param {FittedLine | undefined} fitted @param {Estimate | undefined} estimate @returns {Fit | null} */
function fitOf(target, spoken, fitted, estimate) {
  if (target === '') return null
  const fit = (/** @type {number} */ share, /** @type {number} */ room, /** @type {boolean} */ isMeasured) => ({
    share,
    room,
    seconds: share * room,
    isMeasured,
  })
  if (fitted && fitted.roomUs > 0 && fitted.naturalUs > 0) {
    const share = fitted.naturalUs / fitted.roomUs
    const room = fitted.roomUs / 1e6
    return spoken === target ? fit(share, room, true) : fit((share * target.length) / Math.max(1, spoken?.length ?? 1), room, false)
  }
  return estimate ? fit((estimate.ratio * target.length) / Math.max(1, estimate.chars), estimate.room, false) : null
}

/** @param {StoredDub} dub @param {Draft} draft @param {string} language code of the target @returns {Line[]} */
export function linesOf(dub, draft, language) {
  const fitted = new Map((own(dub.fit_plans, language)?.lines ?? []).map((line) => [line.id, line]))
  const spokenTexts = own(dub.segments_i18n, language)
  const [texts, estimates, errors] = [own(draft.texts, language), own(draft.estimates, language), own(draft.errors, language)]
  const changed = new Set(own(draft.changed, language) ?? [])
  const hasTrack = own(dub.dubbed_tracks, language) !== undefined
  return (dub.segments ?? []).map((line, index) => {
    const id = String(line.id)
    const edit = own(draft.edits, id)
    const speaker = edit?.speaker ?? line.speaker_id
    const spoken = own(spokenTexts, id)
    const target = own(texts, id) ?? spoken ?? ''
    const fit = own(errors, id) === undefined ? fitOf(target, spoken, fitted.get(id), own(estimates, id)) : null
    const isSpoken = hasTrack && spoken !== undefined
    const isChanged = isSpoken && (spoken !== target || changed.has(id))
    const isSilent = isSpoken && !isChanged && fitted.get(id)?.silence === 'no-take'
    return {
      id,
      number: index + 1,
      start: edit?.start ?? line.start,
      end: edit?.end ?? line.end,
      speaker,
      voice: own(draft.voices, speaker) ?? line.profile_id ?? '',
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

/** Of 100 lines and more only those near the view are drawn. @param {{ top: number, height: number, row: number, count: number, around?: number }} view pixels */
export function shownRange({ top, height, row, count, around = 8 }) {
  const first = Math.min(count, Math.floor(top / row)) - around
  return { first: Math.max(0, first), last: Math.min(count, Math.ceil((top + height) / row) + around) }
}

/** A request to speak. @param {readonly Line[]} lines @param {{ code: string, name: string, strategy: string, again: readonly string[] | null }} how again: lines that get a new take; null speaks what changed */
export const speechRequest = (lines, { code, name, strategy, again }) => ({
  segments: lines.map(({ id, start, end, target, speaker, voice }) => ({
    id,
    start,
    end,
    text: target,
    speaker_id: speaker || null,
    profile_id: voice,
  })),
  language: name,
  language_code: code,
  timing_strategy: /** @type {'concise'} */ (strategy),
  ...(again && { regen_only: [...again] }),
})
