// The sound of a dub on a time line: the original, the voice, and both together.

import { z } from 'zod'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { FilmSpeech } from '#control-plane/features/dubbing/film/reading/onsets.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { type Dub, type DubTrack, ownEntry } from '#control-plane/features/dubbing/store/dub.ts'
import { SOUND_BYTES_PER_US } from '#control-plane/features/dubbing/store/files/disk-reserve.ts'
import { planReadWith } from '#control-plane/features/dubbing/store/files/plan-files.ts'
import { placedTakes, type StoredTake, type TrackPlan } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import { digestInTurns } from '#control-plane/features/dubbing/store/turns/json-in-turns.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { FitPlan } from '#shared/timing/fit.ts'
import { isOtherSound } from '../voices/words.rules.ts'
import { framesAt, linesOn, speechSpans, stretchPieces, type TimeLine, timeLineOf } from './time-line.ts'

/** Range of a take; null: all of it. */
const rangeOf = (part: { readonly from: number; readonly to: number } | null | undefined) => [part?.from ?? null, part?.to ?? null]
/** Versions of the code that makes each result. */
const VERSIONS = { stretched: 1, voice: 4, mix: 2 }
const Mixed = z.object({ isDucked: z.boolean() })

/** Folders of sound in the store. `vocals` null: the voice was not isolated. */
export type BaseSound = { readonly original: string; readonly vocals: string | null }
export type VoiceSound = { readonly digest: string; readonly lines: FitPlan['lines'] }
/** full: over the background, as loud as the original speech. alone: over silence. dry: alone, and as it was spoken. */
export type MixKind = 'full' | 'alone' | 'dry'
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'film' | 'disk'>
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
  readonly speechOf: (dubId: string, signal: AbortSignal) => Promise<{ readonly spans: readonly FilmSpeech[] }>
  readonly markOf: MarkOf
}
type DetectedSpeech = { readonly spans: readonly FilmSpeech[]; readonly failed: string | null }
export type ExportSound = ReturnType<typeof createExportSound>

export const soundOf = ({ sound }: Pick<Dub, 'sound'>) => {
  if (!sound) throw new Failure('CONFLICT', 'The sound of this dub is not extracted yet. Wait until its preparation has ended.')
  return sound
}
/** The plan of a track that `PlanFiles` has read. Throws CONFLICT for one of another form. */
export function storedPlan(track: DubTrack): TrackPlan {
  const plan = planReadWith(track)
  if (!plan) throw new Failure('CONFLICT', `The track ${track.languageCode} cannot be read. Generate it again.`)
  return plan
}
/** The time line of a track; null for that of the film. */
export const lineOfTrack = (dub: Pick<Dub, 'sound'>, track: DubTrack | null): TimeLine =>
  timeLineOf(track && storedPlan(track), track ? storedPlan(track).input.options.mediaUs : soundOf(dub).durationUs)

export function createExportSound({ core: { store, files, film, disk }, requireSound, speechOf, markOf }: Deps) {
  /** The original, and its isolated voice, under the picture of a time line. */
  async function base(dub: Dub, line: TimeLine, signal: AbortSignal): Promise<BaseSound> {
    const { sound, durationUs } = soundOf(dub)
    await requireSound(dub.id, signal)
    const vocals = dub.vocals !== null && (await files.find(dub.vocals)) ? dub.vocals : null
    if (!line.isRetimed) return { original: sound, vocals }
    const pieces = stretchPieces(line, durationUs)
    const keyFor = (part: string) =>
      keyOf({ kind: `dub.stretched.${part}`, version: VERSIONS.stretched, inputs: [sound, vocals ?? ''], params: { pieces } })
    const [original, voice] = [keyFor('original'), vocals === null ? null : keyFor('vocals')]
    // Both are made together.
    if (voice !== null && !(await files.find(voice))) await files.remove([original])
    await files.obtain(
      original,
      { kind: 'mix', maker: dub.id },
      dub.id,
      async (path, stopping) => {
        await disk.require(line.totalUs * SOUND_BYTES_PER_US * (voice === null ? 1 : 2), 'longer sound of the film')
        const sounds = [{ from: files.pathOf(sound), to: path }]
        if (voice !== null) {
          await files.remove([voice])
          sounds.push({ from: files.pathOf(vocals!), to: files.pathOf(voice) })
        }
        await film.stretch({ sounds, pieces }, stopping)
        if (voice !== null) await files.adopt(voice, { kind: 'mix', maker: dub.id }, dub.id)
        return '{}'
      },
      signal,
    )
    if (voice !== null) files.use(dub.id, voice)
    return { original, vocals: voice }
  }

  /** The voice of a track on a time line: as it was assembled, or assembled again from its takes. Throws INPUT_UNAVAILABLE. */
  async function voice(dub: Dub, track: DubTrack, line: TimeLine, signal: AbortSignal): Promise<VoiceSound> {
    const plan = storedPlan(track)
    const lines = linesOn(plan, line)
    if (lines === plan.lines && (await files.find(track.digest))) return { digest: track.digest, lines }
    const wanted = new Set(lines.filter(({ lengthUs }) => lengthUs > 0).map(({ id }) => id))
    const missing = () =>
      new Failure('INPUT_UNAVAILABLE', `Spoken lines of the track ${track.languageCode} were deleted. Generate it again.`)
    for (const { id, digest } of plan.takes) if (wanted.has(id) && !(await files.find(digest))) throw missing()
    const stored: StoredTake[] = []
    for (const { fitted, ...take } of plan.takes) stored.push(fitted && (await files.find(fitted.digest)) ? { ...take, fitted } : take)
    const key = keyOf({
      kind: 'dub.voice',
      version: VERSIONS.voice,
      inputs: [
        await digestInTurns({
          takes: stored.map(({ id, digest, part, gainDb, fitted }) => [
            id,
            digest,
            ...rangeOf(part),
            gainDb,
            fitted?.digest,
            ...rangeOf(fitted?.part),
          ]),
        }),
        await digestInTurns({ lines: lines.map(({ id, startUs, lengthUs, rate }) => [id, startUs, lengthUs, rate]) }),
      ],
      params: { totalUs: line.totalUs },
    })
    await files.obtain(
      key,
      { kind: 'mix', maker: dub.id },
      dub.id,
      async (to, stopping) => {
        await disk.require(line.totalUs * SOUND_BYTES_PER_US, 'voice track')
        const takes = placedTakes({ takes: stored, lines }, files.pathOf)
        await film.assemble({ takes, durationUs: line.totalUs, to }, stopping)
        return '{}'
      },
      signal,
    )
    return { digest: key, lines }
  }

  /** Speech beside the lines as they were written; none if this machine cannot detect it. `failed`: reason why it was not found. */
  const detectedSpeech = async (dubId: string, signal: AbortSignal): Promise<DetectedSpeech> =>
    speechOf(dubId, signal).then(
      ({ spans }) => ({ spans, failed: null }),
      (error: unknown) => {
        signal.throwIfAborted()
        const { code, message } = Failure.from(error)
        return { spans: [], failed: code === 'MODEL_NOT_DOWNLOADED' ? null : message }
      },
    )

  /** A track with the timing of the export: a folder of sound, with the mark where the voice is. */
  async function mixed(dub: Dub, track: DubTrack, line: TimeLine, kind: MixKind, signal: AbortSignal) {
    const { original, vocals } = await base(dub, line, signal)
    const { digest: voiceDigest, lines } = await voice(dub, track, line, signal)
    const preserveBackground = kind === 'full'
    await nextTurn()
    const texts = store.segments.texts(dub.id, track.languageCode)
    await nextTurn()
    const segments = store.segments.list(dub.id)
    await nextTurn()
    const staysOriginal = ({ id, text }: (typeof segments)[number]) => isOtherSound(ownEntry(texts, id) ?? text)
    const [kept, spoken] = [segments.filter(staysOriginal), segments.filter((segment) => !staysOriginal(segment))]
    const detected = kind === 'dry' ? null : await detectedSpeech(dub.id, signal)
    await nextTurn()
    const speech = detected ? speechSpans(spoken, detected.spans, line, kept) : []
    await nextTurn()
    const placed = lines
      .filter(({ lengthUs }) => lengthUs > 0)
      .map(({ startUs, lengthUs }) => ({ from: framesAt(startUs), to: framesAt(startUs + lengthUs) }))
    await nextTurn()
    const inputs = [original, vocals ?? '', voiceDigest, await digestInTurns({ speech }), await digestInTurns({ placed })]
    const unmarked = keyOf({ kind: 'dub.mix', version: VERSIONS.mix, inputs, params: { kind, totalUs: line.totalUs } })
    const mark = markOf({ engine: 'dub', params: unmarked })
    const key = mark ? keyOf({ kind: 'dub.mix', version: VERSIONS.mix, inputs: [unmarked], params: { payload: mark.payload } }) : unmarked
    const file = await files.obtain(
      key,
      { kind: 'mix', maker: dub.id },
      dub.id,
      async (to, stopping) => {
        await disk.require(line.totalUs * SOUND_BYTES_PER_US, 'mix')
        const { isDucked } = await film.mix(
          {
            original: files.pathOf(original),
            background: vocals === null ? null : { holds: 'vocals', sound: files.pathOf(vocals) },
            voice: files.pathOf(voiceDigest),
            durationUs: line.totalUs,
            speech,
            placed,
            preserveBackground,
            duckDb: 0,
            voiceGainDb: kind === 'dry' ? 0 : 'match',
            mark,
            to,
          },
          stopping,
        )
        return JSON.stringify({ isDucked } satisfies z.output<typeof Mixed>)
      },
      signal,
    )
    const { isDucked } = Mixed.parse(JSON.parse(file.detail))
    const undetected = detected?.failed
      ? `Speech beside the lines was not looked for, so it may be heard under the dub: ${detected.failed}`
      : null
    return { digest: key, lines, isDucked, undetected }
  }

  return { base, voice, mixed }
}
