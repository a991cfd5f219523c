// Identifies the speakers of each part of a film, and joins those of all parts.

import { needFor } from '#control-plane/inference/needs/needs.ts'
import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { type Recording, recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import { type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import { LONGEST_SECONDS } from '#control-plane/media/recording.ts'
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { PartSpan } from '../parts.rules.ts'
import type { TranscriptRemark } from '../transcribe-events.schema.ts'
import { filmTurns, type PartTurns, speakerParts } from './turns.rules.ts'

type Film = { readonly seconds: number; readonly parts: readonly PartSpan[] }
type Deps = {
  readonly inference: Pick<Inference, 'keepInput' | 'run'>
  readonly offered: () => readonly Offer[]
  readonly clock: Pick<Clock, 'mono' | 'sleep'>
  readonly recordingOf: (span: PartSpan, withinMs: number, signal: AbortSignal) => Promise<Recording>
}
const WITHIN_MS = 4 * 3600_000
const NOT_INSTALLED = 'The model for speakers is not installed.'

/** True if the speakers are to be identified at all. */
export const isOneSpeaker = (wanted: number | null): boolean => wanted === 1
/** The parts of a film whose speakers are identified one after the other: the sound of each fits into one task. */
export const speakerSpans = ({ seconds, parts }: Film): PartSpan[] => speakerParts(parts, seconds, LONGEST_SECONDS)

/** The turns of a part, or why they are not known. Throws for an abort only. */
export async function identifyPart(
  { inference, offered, recordingOf, clock }: Deps,
  film: Film,
  part: number,
  wanted: number | null,
  signal: AbortSignal,
): Promise<StepOutput<PartTurns>> {
  const spans = speakerSpans(film)
  const isWhole = spans.length === 1
  const none = (why: string, code: FailureCode) => stepOutput<PartTurns>({ why, code })
  let engine = ''
  try {
    const [diariser] = await whenReady(async () => requireLocalOffers(offered(), 'diarize'), clock, signal)
    if (!diariser) return none(NOT_INSTALLED, 'MODEL_NOT_DOWNLOADED')
    engine = diariser.engine
    const recording = await recordingOf(spans[part]!, WITHIN_MS, signal)
    // Not everyone speaks in each part.
    const params = isWhole ? { num_speakers: wanted } : { num_speakers: null, voices: true }
    const request = await recordingRequest(inference, diariser, 'diarize', params, recording)
    const { segments: turns, voices } = await inference.run({ ...request, priority: 1 }, signal)
    if (isWhole || turns.length === 0 || voices.length > 0) return stepOutput<PartTurns>({ turns, voices })
    return none(`${engine} returned no voices.`, 'INVALID_RESULT')
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = Failure.from(error)
    return none(engine === '' ? message : `${engine} failed: ${message}`, code)
  }
}

/** The turns of the film, and warnings: parts without turns, another number of speakers than wanted. */
export async function joinSpeakers(
  film: Film,
  parts: readonly PartTurns[],
  wanted: number | null,
  signal: AbortSignal,
): Promise<{ readonly turns: SpeakerTurn[]; readonly warnings: TranscriptRemark[] }> {
  const spans = speakerSpans(film)
  const turns = await filmTurns(spans, parts, wanted, signal)
  const hint = (status: 'ignored' | 'approximate') => (wanted === null ? {} : { speaker_hint: { requested: wanted, status } })
  const causes = new Map<string, { readonly code: FailureCode; readonly spans: PartSpan[] }>()
  for (const [at, part] of parts.entries())
    if ('why' in part) causes.set(part.why, { code: part.code, spans: [...(causes.get(part.why)?.spans ?? []), spans[at]!] })
  const isNone = parts.length > 0 && parts.every((part) => 'why' in part)
  const warnings = [...causes].map(([why, { code, spans: failed }]): TranscriptRemark => {
    const where = failed.map(({ from, to }) => `${timeOf(from)} to ${timeOf(to)}`).join(', ')
    const lines = isNone
      ? 'Speakers were not identified, so all lines have one speaker.'
      : `Speakers were not identified (${where}), so these lines have the speaker of the nearest other line.`
    return {
      detail: `${lines} ${why}`,
      source: 'diarization',
      error_class: code,
      ...(code === 'MODEL_NOT_DOWNLOADED' && { needs: needFor('speakers') }),
      ...hint(isNone ? 'ignored' : 'approximate'),
    }
  })
  const found = new Set(turns.map(({ speaker }) => speaker)).size
  if (wanted !== null && found !== wanted && warnings.length === 0 && parts.length > 0)
    warnings.push({ detail: `${found} of the ${wanted} speakers were identified.`, source: 'diarization', ...hint('approximate') })
  return { turns, warnings }
}

/** 1:02:03. */
function timeOf(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}
