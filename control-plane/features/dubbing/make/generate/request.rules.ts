// A request to generate, as the lines that it means. Pure.

import type { ToolsApi } from '#control-plane/features/base/tools/api.ts'
import { usOf } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import type { DubManifest, RequestedLine } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { filledFitOptions } from '#shared/timing/options.ts'
import type { DubGenerateBody } from './generate.contract.ts'

/** Steps of a preview: fast, and good enough to judge the words. */
export const PREVIEW_STEPS = 8
const [SLOWEST, FASTEST] = [0.25, 4]
const USUAL_PRESET = 'broadcast'

/** Null for a language that is left open. */
export const namedLanguage = (language: string | null | undefined): string | null =>
  language && !['auto', 'und'].includes(language.toLowerCase()) ? language : null

/** Instructions for the engine as one text. */
export const joinedInstructs = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join(', ')
export const boundedSpeed = (speed: number): number => Math.min(FASTEST, Math.max(SLOWEST, Math.round(speed * 1000) / 1000))

type Context = { readonly stored: readonly DubLine[]; readonly tools: ToolsApi }
type RequestedSegment = DubGenerateBody['segments'][number]

/** Reads the segments of a request one by one. Throws BAD_REQUEST for ids that repeat or do not match the lines. */
export function createLineReader(body: DubGenerateBody, { stored, tools }: Context) {
  const ids = body.segment_ids ?? null
  if (ids && ids.length !== body.segments.length)
    throw new Failure('BAD_REQUEST', `segment_ids has ${ids.length} ids for ${body.segments.length} segments. Send one for each.`)
  const speakers = new Map(stored.map((line) => [line.id, line.speakerId]))
  const unnamed = ids === null && body.segments.every(({ id }) => id == null) ? meantLines(body.segments, stored) : null
  const again = new Set((body.regen_only ?? []).map(String))
  const seen = new Set<string>()
  return (segment: RequestedSegment, index: number): RequestedLine => {
    const id = String(ids?.[index] ?? segment.id ?? unnamed?.[index] ?? index)
    if (seen.has(id)) throw new Failure('BAD_REQUEST', `The segment id ${id} occurs twice. Send every line once.`)
    seen.add(id)
    const direction = segment.direction?.trim() ? tools.spokenDirection(segment.direction) : { instruct: '', rate: 1 }
    return {
      id,
      startUs: usOf(segment.start),
      endUs: usOf(segment.end),
      text: segment.text,
      speakerId: segment.speaker_id || speakers.get(id) || '',
      profileId: segment.profile_id ?? '',
      instruct: joinedInstructs([segment.instruct || body.instruct, direction.instruct]),
      direction: segment.direction ?? '',
      speed: boundedSpeed((segment.speed ?? body.speed) * direction.rate),
      gain: segment.gain ?? 1,
      language: namedLanguage(segment.target_lang) ?? namedLanguage(body.language_code) ?? namedLanguage(body.language),
      effectPreset: segment.effect_preset ?? USUAL_PRESET,
      isAgain: again.has(id) || (unnamed !== null && again.has(String(index))),
      fingerprint: tools.fingerprintOf({ ...segment, id }, { lang: body.language_code, voiceMatch: body.voice_match }),
    }
  }
}

/**
 * The ids of segments that have none, which is the form of the specification: of the stored lines at their places where there are as many, else of
 * the line at the same times. Others are new lines.
 */
function meantLines(segments: readonly RequestedSegment[], stored: readonly DubLine[]): string[] {
  if (segments.length === stored.length) return stored.map(({ id }) => id)
  const timesOf = (startUs: number, endUs: number) => `${startUs} ${endUs}`
  const byTimes = new Map(stored.map(({ id, startUs, endUs }) => [timesOf(startUs, endUs), id]))
  const taken = new Set(stored.map(({ id }) => id))
  return segments.map(({ start, end }, index) => {
    const times = timesOf(usOf(start), usOf(end))
    const known = byTimes.get(times)
    byTimes.delete(times)
    return known ?? (taken.has(String(index)) ? `new-${index}` : String(index))
  })
}

export function dubManifestOf(body: DubGenerateBody, dub: string, engine: string, lines: readonly RequestedLine[]): DubManifest {
  return {
    dub,
    language: body.language,
    languageCode: body.language_code,
    engine,
    numStep: body.preview ? Math.min(PREVIEW_STEPS, body.num_step) : body.num_step,
    guidance: body.guidance_scale,
    voiceMatch: body.voice_match,
    timing: {
      timing_strategy: body.timing_strategy,
      slot_fit: body.slot_fit,
      overflow_budget_s: body.overflow_budget_s,
      fit_options: filledFitOptions(body.fit_options as Parameters<typeof filledFitOptions>[0]),
    },
    lines: [...lines],
  }
}
