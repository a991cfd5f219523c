// The takes of a voice track: their effects, their loudness, and the ones that were spoken for the length of their line.

import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { StoredTake } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import { inParallel } from '#control-plane/media/in-parallel.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { FittedLine } from '#shared/timing/fit.ts'
import type { DubEffects } from '../speak/effects.service.ts'
import type { DubManifest } from '../speak/manifest.ts'
import type { SpeakPlan } from '../speak/plan.service.ts'
import { TAKE_OFFSET, type TakeDetail, type TakeFiles } from '../speak/take-files.ts'
import { isNearer, wantedLength } from './lengths.rules.ts'
import { levelGains } from './loudness.rules.ts'
import type { DubMeasures } from './measures.service.ts'
import type { SecondTakes } from './second-takes.service.ts'

export type NaturalTake = {
  readonly key: string
  readonly digest: string
  readonly naturalUs: number
  readonly sampleRate: number
  readonly samples: number
  readonly part: TakeDetail['part']
  readonly gainDb: number
}
export type SpokenTakes = ReturnType<typeof createSpokenTakes>
type Deps = {
  readonly core: Pick<DubCore, 'store'>
  readonly takeFiles: Pick<TakeFiles, 'find'>
  readonly secondTakes: Pick<SecondTakes, 'find'>
  readonly effects: DubEffects
  readonly measures: DubMeasures
}
const MIN_DB = -100
/** Takes that are looked up, and get their effects, at the same time: each waits for the disk several times. */
const AT_ONCE = 4

export function createSpokenTakes({ core: { store }, takeFiles, secondTakes, effects, measures }: Deps) {
  /** dB for each line. A film whose sound cannot be read has lines all the same. */
  async function gainsOf({ dub, lines }: DubManifest, signal: AbortSignal): Promise<number[]> {
    await nextTurn()
    const spans = lines.map(({ startUs, endUs }) => ({ startUs, endUs, wantsPitch: false }))
    const found = await measures(dubOrGone({ store }, dub), spans, signal).catch(() => {
      signal.throwIfAborted()
      return []
    })
    await nextTurn()
    return levelGains(
      lines.map(({ speakerId, profileId }, at) => ({ speaker: speakerId || profileId, levelDb: found[at]?.levelDb ?? null })),
    )
  }

  /** The take of a line with its effects; null if there is none. */
  async function audible(manifest: DubManifest, { line, key }: SpeakPlan['takes'][number], signal: AbortSignal) {
    const { id, effectPreset } = manifest.lines[line]!
    const found = await takeFiles.find(manifest.dub, manifest.languageCode, id, key)
    return found && { ...found, digest: await effects(manifest.dub, found, effectPreset, signal) }
  }

  /**
   * Gives takes their effects while others are still spoken. What fails is tried again when the track is assembled, which reports it. Throws the
   * reason of the signal.
   */
  async function addEffects(manifest: DubManifest, takes: SpeakPlan['takes'], signal: AbortSignal): Promise<void> {
    await inParallel(takes, { atOnce: AT_ONCE, signal }, (take, own) => audible(manifest, take, own)).catch(() => signal.throwIfAborted())
  }

  /** The natural take of each line that has one, and the recordings whose voices they have. */
  async function find(manifest: DubManifest, { takes }: SpeakPlan, signal: AbortSignal) {
    // The levels of the original are measured in a thread of their own meanwhile.
    const [gains, found] = await Promise.all([
      gainsOf(manifest, signal),
      inParallel(takes, { atOnce: AT_ONCE, signal }, (take, own) => audible(manifest, take, own)),
    ])
    const spoken = new Map<number, NaturalTake>()
    const recordings = new Set<string>()
    for (const [at, { line, key }] of takes.entries()) {
      const take = found[at]
      if (!take) continue
      const { gain } = manifest.lines[line]!
      const { digest, sampleRate, samples, part } = take
      for (const one of take.recordings) recordings.add(one)
      spoken.set(line, {
        key,
        digest,
        naturalUs: Math.round(((part.to - part.from) * 1e6) / sampleRate),
        sampleRate,
        samples,
        part,
        gainDb: gain <= 0 ? MIN_DB : Math.max(MIN_DB, 20 * Math.log10(gain) + gains[line]!),
      })
    }
    return { spoken, recordings: [...recordings].sort() }
  }

  /** Take as the row of the track keeps it, with the one that was spoken for the length of the line if there is one. */
  async function stored(
    manifest: DubManifest,
    index: number,
    one: NaturalTake,
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

  return { addEffects, find, stored }
}
