// The voice track of a language: takes with their effects, fitted into the film, mixed to one sound, and its row.
import { basename } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fitFingerprint } from '#shared/timing/fingerprint.ts'
import type { FittedLine } from '#shared/timing/fit.ts'
import { fitOptionsOf } from '#shared/timing/options.ts'
import { fitStatusOf, syncScoreOf } from '#shared/timing/status.ts'
import { keyOf } from '../../../jobs/key.ts'
import type { DubCore } from '../core.ts'
import { dubOrGone } from '../prep/prep-params.ts'
import type { DubEffects } from '../speak/effects.service.ts'
import type { DubManifest } from '../speak/manifest.ts'
import type { SpeakPlan } from '../speak/plan.service.ts'
import { TAKE_OFFSET, type TakeDetail, type TakeFiles } from '../speak/take-files.ts'
import { placedTakes, type StoredTake } from '../timeline/track-plan.ts'
import { fittedLines, isNearer, wantedLength } from '../voices/lengths.rules.ts'
import { levelGains } from '../voices/loudness.rules.ts'
import type { DubMeasures } from '../voices/measures.service.ts'
import type { SecondTakes } from '../voices/second-takes.service.ts'

type SpokenLine = {
  readonly key: string
  readonly digest: string
  readonly naturalUs: number
  readonly sampleRate: number
  readonly samples: number
  readonly part: TakeDetail['part']
  readonly gainDb: number
}
const VERSION = 1
const LEAST_DB = -100
export type Assembling = ReturnType<typeof createAssembling>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows' | 'film' | 'disk' | 'saved'>
  readonly takeFiles: TakeFiles
  readonly secondTakes: Pick<SecondTakes, 'find'>
  readonly effects: DubEffects
  readonly measures: DubMeasures
  readonly clock: Pick<Clock, 'now'>
}
/** Of 48 kHz, mono, 32 bit. */
const BYTES_PER_US = (48_000 * 4) / 1e6

export function createAssembling({
  core: { store, files, rows, film, disk, saved },
  takeFiles,
  secondTakes,
  effects,
  measures,
  clock,
}: Deps) {
  /** dB for each line. A film whose sound cannot be read has lines all the same. */
  async function gainsOf({ dub, lines }: DubManifest, signal: AbortSignal): Promise<number[]> {
    const spans = lines.map(({ startUs, endUs }) => ({ startUs, endUs, wantsPitch: false }))
    const found = await measures(dubOrGone({ store }, dub), spans, signal).catch(() => {
      signal.throwIfAborted()
      return []
    })
    return levelGains(
      lines.map(({ speakerId, profileId }, at) => ({ speaker: speakerId || profileId, levelDb: found[at]?.levelDb ?? null })),
    )
  }

  async function spokenTakes(manifest: DubManifest, { takes }: SpeakPlan, signal: AbortSignal) {
    const gains = await gainsOf(manifest, signal)
    const spoken = new Map<number, SpokenLine>()
    const recordings = new Set<string>()
    for (const { line, key } of takes) {
      signal.throwIfAborted()
      const { id, effectPreset, gain } = manifest.lines[line]!
      const found = await takeFiles.find(manifest.dub, manifest.languageCode, id, key)
      if (!found) continue
      const digest = await effects(manifest.dub, found, effectPreset, signal)
      const { sampleRate, samples, part } = found
      for (const one of found.recordings) recordings.add(one)
      spoken.set(line, {
        key,
        digest,
        naturalUs: Math.round(((part.to - part.from) * 1e6) / sampleRate),
        sampleRate,
        samples,
        part,
        gainDb: gain <= 0 ? LEAST_DB : Math.max(LEAST_DB, 20 * Math.log10(gain) + gains[line]!),
      })
    }
    return { spoken, recordings: [...recordings].sort() }
  }

  /** As the row of the track keeps it, with the take that was spoken for the length of the line if there is one. */
  async function storedTake(
    manifest: DubManifest,
    index: number,
    one: SpokenLine,
    line: FittedLine,
    signal: AbortSignal,
  ): Promise<StoredTake> {
    const { id, effectPreset } = manifest.lines[index]!
    const { key, digest, sampleRate, samples, part, gainDb } = one
    const take = { id, digest, sampleRate, offsetBytes: TAKE_OFFSET, samples, part, gainDb }
    const lengthUs = wantedLength(line)
    const second = lengthUs === null ? null : await secondTakes.find(key, lengthUs)
    if (!second) return take
    const partUs = ((second.part.to - second.part.from) * 1e6) / second.sampleRate
    if (!isNearer(partUs, line)) return take
    const fitted = {
      digest: await effects(manifest.dub, second, effectPreset, signal),
      sampleRate: second.sampleRate,
      offsetBytes: TAKE_OFFSET,
      samples: second.samples,
      part: second.part,
    }
    return { ...take, fitted }
  }

  /** Throws CANCELLED for a dub that was deleted, what `FilmMedia.assemble` throws, and the reason of the signal. */
  return async (manifest: DubManifest, plan: SpeakPlan, signal: AbortSignal, progress: (share: number) => void) => {
    const { dub: dubId, languageCode, timing } = manifest
    const { sound } = dubOrGone({ store }, dubId)
    if (!sound) throw new Failure('NOT_READY', 'The sound of this dub is not extracted yet.')
    const { spoken, recordings } = await spokenTakes(manifest, plan, signal)
    const options = fitOptionsOf(timing, sound.durationUs)
    const { input, fitted } = fittedLines(manifest, options, (line) => spoken.get(line)?.naturalUs ?? 0)
    const byId = new Map(fitted.lines.map((line) => [line.id, line]))
    const stored: StoredTake[] = []
    for (const [index, one] of spoken) stored.push(await storedTake(manifest, index, one, byId.get(manifest.lines[index]!.id)!, signal))
    const placed = placedTakes({ lines: manifest.lines.map(({ id }) => byId.get(id)!), takes: stored }, files.pathOf)
    const digest = keyOf({
      kind: 'dub.track',
      version: VERSION,
      inputs: placed.map(({ take }) => basename(take.path)),
      params: {
        totalUs: fitted.totalUs,
        takes: placed.map(({ startUs, tempo, lengthUs, gainDb, part }) => [
          startUs,
          tempo,
          lengthUs,
          gainDb,
          part?.from ?? 0,
          part?.to ?? 0,
        ]),
      },
    })
    await files.obtain(
      digest,
      { kind: 'track', maker: dubId },
      dubId,
      async (path, stopping) => {
        await disk.require(fitted.totalUs * BYTES_PER_US, 'voice track')
        const made = await film.assemble({ takes: placed, durationUs: fitted.totalUs, to: path }, stopping, (us) =>
          progress(us / Math.max(1, fitted.totalUs)),
        )
        return JSON.stringify({ sound: made.sound, placed: made.placed, recordings })
      },
      signal,
    )
    const before = store.tracks.tracks(dubId)
    store.tracks.setTrack(dubId, {
      languageCode,
      language: manifest.language,
      digest,
      durationUs: fitted.totalUs,
      timingStrategy: timing.timing_strategy,
      plan: {
        ...fitted,
        input: { lines: input, options },
        takes: stored,
      },
      fitFp: fitFingerprint(timing.timing_strategy, timing.fit_options),
      takeKeys: [...spoken.values()].map(({ key }) => key),
      createdAt: clock.now(),
    })
    const others = before.filter((track) => track.languageCode !== languageCode).map((track) => track.digest)
    for (const old of before)
      if (old.languageCode === languageCode && old.digest !== digest && !others.includes(old.digest)) rows.unuse(dubId, old.digest)

    const speaks = new Set(plan.takes.map(({ line }) => line))
    const failed = new Set(plan.failed.map(({ line }) => line))
    const isMade = (_: unknown, index: number) => (speaks.has(index) ? spoken.has(index) : !failed.has(index))
    const made = manifest.lines.filter(isMade)
    const hashes = Object.fromEntries(made.map(({ id, fingerprint }) => [id, fingerprint]))
    const steps = Object.fromEntries(made.map(({ id }) => [id, manifest.numStep]))
    store.segments.setTexts(dubId, languageCode, Object.fromEntries(manifest.lines.map(({ id, text }) => [id, text])))
    const { options: known } = dubOrGone({ store }, dubId)
    store.dubs.changeOptions(dubId, {
      timing_strategy: timing.timing_strategy,
      seg_order: manifest.lines.map(({ id }) => id),
      seg_hashes: { ...known.seg_hashes, [languageCode]: hashes },
      seg_num_step: { ...known.seg_num_step, ...steps },
    })
    store.dubs.change(dubId, { language: manifest.language, languageCode, isAborted: false })
    saved(dubId)
    const inOrder = manifest.lines.map(({ id }) => byId.get(id)!)
    return {
      segments_processed: manifest.lines.length,
      language_code: languageCode,
      tracks: store.tracks.tracks(dubId).map((track) => track.languageCode),
      sync_scores: inOrder.map(syncScoreOf),
      fit_status: inOrder.map((line) => ({ ...fitStatusOf(line, timing.timing_strategy) })),
      timing_strategy: timing.timing_strategy,
      seg_hashes: hashes,
      seg_num_step: steps,
    }
  }
}
