// A line of a dub: its row, its form in the API, and the types of both, from one place. A new field is a column of a migration and its lines here.
import { z } from 'zod'
import { secondsOf, usOf } from './dub.ts'

const Us = z.int().min(0)
export const LineCheck = z.object({
  drift: z.number(),
  flagged: z.boolean(),
  recognized: z.string(),
  measured_start_us: Us.nullable(),
  measured_end_us: Us.nullable(),
  /** Faults of the line, such as `words` or `timing`. */
  faults: z.array(z.string()).default([]),
})
export type LineCheck = z.output<typeof LineCheck>

/** Times are integer microseconds from the start of the picture. */
const Line = z.object({
  /** Never changes; a new line gets an id that the dub has not used. */
  id: z.string(),
  startUs: Us,
  endUs: Us,
  text: z.string(),
  textOriginal: z.string(),
  /** Such as `Speaker 1`; empty while unknown. */
  speakerId: z.string(),
  /** A profile, `auto:<speaker>`, or empty. */
  profileId: z.string(),
  qc: LineCheck.nullable(),
})
export type DubLine = Readonly<z.output<typeof Line>>

/** Values of a new line for the fields that are not given. */
export const NEW_LINE = { speakerId: '', profileId: '', qc: null } satisfies Partial<DubLine>

const FIELDS = Object.keys(Line.shape) as (keyof DubLine)[]
/** Fields with their columns of `dub_segment`. */
export const LINE_COLUMNS: readonly { readonly field: keyof DubLine; readonly column: string }[] = FIELDS.map((field) => ({
  field,
  column: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}))
/** The values of all that a person can edit, in the order of the fields. */
export const editedValues = (line: DubLine): unknown[] =>
  FIELDS.filter((field) => !['id', 'textOriginal', 'qc'].includes(field)).map((field) => line[field])

const LATEST_SECONDS = 100 * 3600
const Seconds = z.number().min(0).max(LATEST_SECONDS)
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid Unicode')
export const MAX_DUB_LINE_CHARS = 10_000
/** A line as a client sends it. */
export const SentLine = z.strictObject({
  id: z.union([z.string().min(1).max(64), z.int().min(0)]),
  start: Seconds,
  end: Seconds,
  // In the language of the film.
  text: text(MAX_DUB_LINE_CHARS),
  speaker_id: text(128).default(''),
  // Absent: the voice that the line has.
  profile_id: text(128).nullish(),
})
export type SentLine = z.output<typeof SentLine>

/** True if the times and the text that a client sent are those of the line that the studio has. */
export const isAsStored = ({ start, end, text }: SentLine, old: DubLine | undefined): old is DubLine =>
  old !== undefined && old.startUs === usOf(start) && old.endUs === usOf(end) && (old.textOriginal || old.text) === text

/** The line that a client sent; fields that it did not send stay as in `old`, which has the same id. The check stays with times and text. */
export function mergedLine(sent: SentLine, old: DubLine | undefined): DubLine {
  const { id, start, end, text, speaker_id, profile_id } = sent
  return {
    ...NEW_LINE,
    ...old,
    ...{ id: String(id), startUs: usOf(start), endUs: usOf(end), textOriginal: text, speakerId: speaker_id },
    ...(typeof profile_id === 'string' && { profileId: profile_id }),
    ...(isAsStored(sent, old) ? { text: old.text, qc: old.qc } : { text, qc: null }),
  }
}

/** A line in the replies of the API and in `job_data`. */
export const DubLineRow = z
  .object({
    id: z.union([z.string(), z.int()]),
    start: z.number(),
    end: z.number(),
    text: z.string(),
    text_original: z.string(),
    speaker_id: z.string(),
    profile_id: z.string().optional(),
    qc_drift: z.number().optional(),
    qc_flagged: z.boolean().optional(),
    qc_recognized: z.string().optional(),
    qc_faults: z.array(z.string()).optional(),
    qc_measured_start: z.number().nullish(),
    qc_measured_end: z.number().nullish(),
  })
  .meta({ id: 'DubLineRow' })
export type DubLineRow = z.output<typeof DubLineRow>

/** Imported lines have numbers as ids; others have texts. */
export const apiIdOf = (id: string): string | number => (/^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id)

export const lineRow = ({ id, startUs, endUs, text, textOriginal, speakerId, profileId, qc }: DubLine): DubLineRow => ({
  id: apiIdOf(id),
  start: secondsOf(startUs),
  end: secondsOf(endUs),
  text,
  text_original: textOriginal,
  speaker_id: speakerId,
  ...(profileId !== '' && { profile_id: profileId }),
  ...(qc && {
    qc_drift: qc.drift,
    qc_flagged: qc.flagged,
    qc_recognized: qc.recognized,
    qc_faults: qc.faults,
    qc_measured_start: qc.measured_start_us === null ? null : secondsOf(qc.measured_start_us),
    qc_measured_end: qc.measured_end_us === null ? null : secondsOf(qc.measured_end_us),
  }),
})
