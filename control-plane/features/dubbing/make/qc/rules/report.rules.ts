// The answer of a check: for each line what was found, what is wrong, and what was not checked and why. Pure.

import type { LineCheck } from '#control-plane/features/dubbing/store/line.ts'
import type { MeasuredLine } from '#control-plane/media/film/mix/check.ts'
import type { CheckEngines } from '../understand.ts'
import type { LineFinding } from '../understanding.ts'
import type { CheckedLine, CheckedTrack } from './checked-track.rules.ts'
import { characterError, driftOf, lateSeconds } from './drift.rules.ts'
import { faultsOf, type LineEvidence, type LineFault, levelSteps } from './faults.rules.ts'
import { foundLanguage } from './language.rules.ts'

export const LINE_CHECKS = ['words', 'timing', 'language', 'level', 'clipping', 'rate', 'cut', 'leak', 'voice'] as const
export type CheckName = (typeof LINE_CHECKS)[number]
export type NotChecked = { readonly check: CheckName; readonly reason: string }
export type LineReport = {
  readonly id: string
  readonly evidence: LineEvidence
  readonly drift: number
  readonly flagged: boolean
  readonly faults: readonly LineFault[]
  readonly measured: LineFinding['measured']
  readonly language: string | null
  readonly time: { readonly slotUs: number; readonly roomUs: number }
  /** Share as in `shareOf`. */
  readonly filled: number
  readonly need: number
  readonly notChecked: readonly NotChecked[]
}
export type CheckInput = {
  readonly track: CheckedTrack
  /** Language of the dub; null while it is not clear. */
  readonly language: string | null
  readonly engines: CheckEngines
  readonly findings: ReadonlyMap<string, LineFinding>
  readonly measures: { readonly lines: ReadonlyMap<string, MeasuredLine>; readonly leakMissing: string | null }
  readonly threshold: number
}
const NO_VOICES = 'Voices are not compared: no engine of this version can.'
const NO_TAKE = 'The line as the engine spoke it was removed, so clipping cannot be found.'
const NO_LANGUAGE = 'The line has too few words that tell its language.'
const NO_SOUND = 'The line has no sound.'
const EMPTY: LineEvidence = {
  isSpoken: false,
  wanted: '',
  recognized: null,
  characterError: null,
  late: null,
  speech: 'unchecked',
  isOtherLanguage: false,
  loudness: null,
  levelStep: null,
  clipped: null,
  rate: 1,
  cutUs: 0,
  leakDb: null,
}

/** Share of a time that a natural length needs; 0 if the time is not known. */
export const shareOf = (naturalUs: number, timeUs: number): number => (timeUs > 0 ? naturalUs / timeUs : 0)

/** One by one, because the lines of a long film are too many for one turn of the event loop. */
export function* reportsOf(input: CheckInput): Generator<LineReport> {
  const { track, measures } = input
  const inTime = track.lines.toSorted((one, other) => one.startUs - other.startUs || (one.id < other.id ? -1 : 1))
  // A gain that was asked for is no fault.
  const levels = inTime.map(({ id, gainDb }) => {
    const loudness = measures.lines.get(id)?.loudness ?? null
    return loudness === null ? null : loudness - gainDb
  })
  const found = levelSteps(levels)
  const steps = new Map(inTime.map(({ id }, at) => [id, found[at]!]))
  for (const line of track.lines) yield reportOf(line, steps.get(line.id) ?? null, input)
  for (const { id, text } of track.missing) yield missingReport(id, text)
}

const missingReport = (id: string, text: string): LineReport => ({
  id,
  evidence: { ...EMPTY, wanted: text },
  drift: 1,
  flagged: true,
  faults: ['missing'],
  measured: null,
  language: null,
  time: { slotUs: 0, roomUs: 0 },
  filled: 0,
  need: 0,
  notChecked: LINE_CHECKS.map((check) => ({ check, reason: NO_SOUND })),
})

function reportOf(
  line: CheckedLine,
  levelStep: number | null,
  { language, engines, findings, measures, threshold }: CheckInput,
): LineReport {
  const { text: wanted, rate, cutUs } = line
  const { text: recognized, identified, measured } = findings.get(line.id)!
  const { loudness = null, clipped = null, leakDb = null } = measures.lines.get(line.id) ?? {}
  const spokenIn = foundLanguage(language, wanted, recognized, identified)
  const isTimed = engines.timesMissing === null
  const evidence: LineEvidence = {
    isSpoken: true,
    wanted,
    recognized,
    characterError: recognized === null ? null : characterError(wanted, recognized),
    late: measured ? lateSeconds(line, measured) : null,
    speech: measured ? 'found' : isTimed ? 'none' : 'unchecked',
    isOtherLanguage: spokenIn.isOther,
    loudness,
    levelStep,
    clipped,
    rate,
    cutUs,
    leakDb,
  }
  const drift = driftOf(evidence.characterError, evidence.late)
  const reasons: Readonly<Record<CheckName, string | null>> = {
    words: recognized === null ? (engines.wordsMissing ?? NO_SOUND) : null,
    timing: measured ? null : (engines.timesMissing ?? 'No speech was found in the line.'),
    language: spokenIn.found !== null && language !== null ? null : (engines.languageMissing ?? NO_LANGUAGE),
    level: levelStep === null ? 'There is no other line to compare its level with.' : null,
    clipping: clipped === null ? NO_TAKE : null,
    rate: null,
    cut: null,
    leak: measures.leakMissing,
    voice: NO_VOICES,
  }
  return {
    id: line.id,
    evidence,
    drift,
    flagged: drift > threshold,
    faults: faultsOf(evidence, threshold),
    measured,
    language: spokenIn.found,
    time: { slotUs: line.slotUs, roomUs: line.roomUs },
    filled: shareOf(line.naturalUs, line.slotUs),
    need: shareOf(line.naturalUs, line.roomUs),
    notChecked: LINE_CHECKS.flatMap((check) => (reasons[check] === null ? [] : [{ check, reason: reasons[check] }])),
  }
}

export const storedCheck = ({ drift, flagged, faults, evidence, measured }: LineReport): LineCheck => ({
  drift,
  flagged,
  recognized: evidence.recognized ?? '',
  measured_start_us: measured?.startUs ?? null,
  measured_end_us: measured?.endUs ?? null,
  faults: [...faults],
})
