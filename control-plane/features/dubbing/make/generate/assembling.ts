// The voice track of a language: takes with their effects, fitted into the film, mixed to one sound, and its row.
import { basename } from 'node:path'
import { z } from 'zod'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { isInteger, isText, recordOf, TIMING_STRATEGIES } from '#control-plane/features/dubbing/store/dub.ts'
import { SOUND_BYTES_PER_US } from '#control-plane/features/dubbing/store/files/disk-reserve.ts'
import { placedTakes, type StoredTake } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import { inTurns } from '#control-plane/features/dubbing/store/turns/in-turns.ts'
import { digestInTurns } from '#control-plane/features/dubbing/store/turns/json-in-turns.ts'
import type { DubManifest } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import type { SpeakPlan } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import { type DubVoiceClaims, WITHDRAWN } from '#control-plane/features/dubbing/voice/speak/withdrawn.ts'
import { fittedLines } from '#control-plane/features/dubbing/voice/voices/lengths.rules.ts'
import type { SpokenTakes } from '#control-plane/features/dubbing/voice/voices/spoken-takes.service.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fitFingerprint } from '#shared/timing/fingerprint.ts'
import { fitOptionsOf } from '#shared/timing/options.ts'
import { type FitStatus, fitStatusOf, syncScoreOf } from '#shared/timing/status.ts'

const VERSION = 2
/**
 * Track report for clients. Lists and maps of a film of hours are as the studio made them: Zod would take a whole turn of the event loop.
 */
export const MadeTrack = z.object({
  segments_processed: z.int(),
  language_code: z.string(),
  tracks: z.array(z.string()),
  sync_scores: z.custom<number[]>(Array.isArray),
  fit_status: z.custom<FitStatus[]>(Array.isArray),
  timing_strategy: z.enum(TIMING_STRATEGIES),
  seg_hashes: recordOf(isText),
  seg_num_step: recordOf(isInteger),
})
export type MadeTrack = z.output<typeof MadeTrack>
export type Assembling = ReturnType<typeof createAssembling>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows' | 'film' | 'disk' | 'plans' | 'saved'>
  readonly spokenTakes: SpokenTakes
  readonly voiceClaims: DubVoiceClaims
  readonly clock: Pick<Clock, 'now'>
}
/** Takes between two turns of the event loop. */
const TAKES_A_TURN = 100

export function createAssembling({ core: { store, files, rows, film, disk, plans, saved }, spokenTakes, voiceClaims, clock }: Deps) {
  /** Throws CANCELLED for a dub that was deleted, CONFLICT for a voice that is withdrawn meanwhile, what `FilmMedia.assemble` throws, and the reason of the signal. */
  return async (manifest: DubManifest, plan: SpeakPlan, signal: AbortSignal, progress: (share: number) => void): Promise<MadeTrack> => {
    const { dub: dubId, languageCode, timing } = manifest
    const { sound } = dubOrGone({ store }, dubId)
    if (!sound) throw new Failure('NOT_READY', 'The sound of this dub is not extracted yet.')
    const isWithdrawn = voiceClaims.claim(plan.voices.map(({ recording }) => recording))
    const { spoken, recordings } = await spokenTakes.find(manifest, plan, signal)
    const options = fitOptionsOf(timing, sound.durationUs)
    const fitting = fittedLines(manifest, options, (line) => spoken.get(line)?.naturalUs ?? 0)
    const { input, fitted } = await inTurns(fitting, signal)
    const byId = new Map(fitted.lines.map((line) => [line.id, line]))
    const stored: StoredTake[] = []
    for (const [index, one] of spoken) {
      if (stored.length % TAKES_A_TURN === 0) await nextTurn()
      stored.push(await spokenTakes.stored(manifest, index, one, byId.get(manifest.lines[index]!.id)!, signal))
    }
    await nextTurn()
    const placed = placedTakes({ lines: manifest.lines.map(({ id }) => byId.get(id)!), takes: stored }, files.pathOf)
    await nextTurn()
    const takes = placed.map(({ take, startUs, tempo, lengthUs, gainDb, part }) => [
      basename(take.path),
      startUs,
      tempo,
      lengthUs,
      gainDb,
      part?.from ?? 0,
      part?.to ?? 0,
    ])
    const inputs = [await digestInTurns({ takes })]
    const earlier = store.tracks.trackFiles(dubId).find((track) => track.languageCode === languageCode)
    const digest = keyOf({ kind: 'dub.track', version: VERSION, inputs, params: { totalUs: fitted.totalUs } })
    await files.obtain(
      digest,
      { kind: 'track', maker: dubId },
      dubId,
      async (path, stopping) => {
        await disk.require(fitted.totalUs * SOUND_BYTES_PER_US, 'voice track')
        const { totalUs } = fitted
        const made = await film.assemble(
          { takes: placed, durationUs: totalUs, earlier: earlier && files.pathOf(earlier.digest), to: path },
          stopping,
          (us) => progress(us / Math.max(1, totalUs)),
        )
        return JSON.stringify({ sound: made.sound, placed: made.placed, recordings })
      },
      signal,
    )
    const trackPlan = { ...fitted, input: { lines: input, options }, takes: stored }
    const planFile = await plans.keep(trackPlan, dubId, signal)
    if (isWithdrawn()) {
      await files.remove([digest])
      throw new Failure('CONFLICT', WITHDRAWN)
    }
    const before = store.tracks.trackFiles(dubId)
    const track = {
      languageCode,
      language: manifest.language,
      digest,
      durationUs: fitted.totalUs,
      timingStrategy: timing.timing_strategy,
      plan: null,
      planFile,
      fitFp: fitFingerprint(timing.timing_strategy, timing.fit_options),
      takeKeys: [...spoken.values()].map(({ key }) => key),
      createdAt: clock.now(),
    }
    store.tracks.setTrack(dubId, track, () => {
      const needed = new Set(store.tracks.trackFiles(dubId).flatMap(({ digest, planFile }) => [digest, planFile]))
      for (const old of before)
        for (const name of [old.digest, old.planFile]) if (name !== null && !needed.has(name)) rows.unuse(dubId, name)
    })
    await nextTurn()

    const speaks = new Set(plan.takes.map(({ line }) => line))
    const failed = new Set(plan.failed.map(({ line }) => line))
    const isMade = (_: unknown, index: number) => (speaks.has(index) ? spoken.has(index) : !failed.has(index))
    const made = manifest.lines.filter(isMade)
    await nextTurn()
    const hashes = Object.fromEntries(made.map(({ id, fingerprint }) => [id, fingerprint]))
    const steps = Object.fromEntries(made.map(({ id }) => [id, manifest.numStep]))
    await nextTurn()
    const texts = Object.fromEntries(manifest.lines.map(({ id, text }) => [id, text]))
    await nextTurn()
    dubOrGone({ store }, dubId)
    store.segments.setTexts(dubId, languageCode, texts)
    await nextTurn()
    const { options: known } = dubOrGone({ store }, dubId)
    store.dubs.changeOptions(dubId, {
      timing_strategy: timing.timing_strategy,
      seg_order: manifest.lines.map(({ id }) => id),
      seg_hashes: { ...known.seg_hashes, [languageCode]: hashes },
      seg_num_step: { ...known.seg_num_step, ...steps },
    })
    store.dubs.change(dubId, { language: manifest.language, languageCode, isAborted: false })
    saved(dubId)
    await nextTurn()
    const inOrder = manifest.lines.map(({ id }) => byId.get(id)!)
    return {
      segments_processed: manifest.lines.length,
      language_code: languageCode,
      tracks: store.tracks.trackFiles(dubId).map((track) => track.languageCode),
      sync_scores: inOrder.map(syncScoreOf),
      fit_status: inOrder.map((line) => fitStatusOf(line, timing.timing_strategy)),
      timing_strategy: timing.timing_strategy,
      seg_hashes: hashes,
      seg_num_step: steps,
    }
  }
}
