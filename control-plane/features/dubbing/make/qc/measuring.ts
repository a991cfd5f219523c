// Measures each line of a track without engines: loudness, clipped samples, and what is left of the original voice.

import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub, DubTrack } from '#control-plane/features/dubbing/store/dub.ts'
import { TAKE_OFFSET, TakeDetail } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import { type ExportSound, lineOfTrack } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import { framesAt } from '#control-plane/features/dubbing/voice/timeline/time-line.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { MeasuredLine, MeasuredPart } from '#control-plane/media/film/mix/check.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { CheckedTrack } from './rules/checked-track.rules.ts'

const VERSION = 1
const Measured = z.array(z.object({ loudness: z.number().nullable(), clipped: z.number().nullable(), leakDb: z.number().nullable() }))
export type TrackMeasures = {
  /** By line. */
  readonly lines: ReadonlyMap<string, MeasuredLine>
  /** Reason why no leak was looked for. */
  readonly leakMissing: string | null
}
export type MeasureTrack = (dub: Dub, track: DubTrack, checked: CheckedTrack, signal: AbortSignal) => Promise<TrackMeasures>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'film'>
  readonly sound: Pick<ExportSound, 'base' | 'mixed'>
}
/** Reason of a dub that was separated into no voice and background. */
export const NO_VOCALS = `Leaks are found with the isolated original voice, which this dub does not have. Install a separation model with ${COMMAND} models install (htdemucs or mdx-net) and upload the film again.`

export function createMeasuring({ core: { store, files, film }, sound }: Deps): MeasureTrack {
  async function leakSounds(dub: Dub, track: DubTrack, signal: AbortSignal) {
    if (dub.vocals === null) return { sounds: null, missing: NO_VOCALS }
    try {
      const line = lineOfTrack(dub, track)
      const { vocals } = await sound.base(dub, line, signal)
      if (vocals === null) return { sounds: null, missing: NO_VOCALS }
      const { digest } = await sound.mixed(dub, track, line, 'full', signal)
      return { sounds: { vocals, mix: digest, map: line.map }, missing: null }
    } catch (error) {
      signal.throwIfAborted()
      return { sounds: null, missing: `Leaks are found in the mix of this dub, which could not be made: ${Failure.from(error).message}` }
    }
  }

  /** The take before its effects; null if its file is gone. */
  async function takeOf(dubId: string, language: string, id: string, key: string): Promise<MeasuredPart['take']> {
    if (key === '') return null
    const take = store.tracks.takesOfLine(dubId, language, id).findLast((one) => one.key === key)
    const file = take && (await files.find(take.digest))
    if (!file) return null
    const { sampleRate, samples } = TakeDetail.parse(JSON.parse(file.detail))
    return { path: files.pathOf(file.digest), sampleRate, offsetBytes: TAKE_OFFSET, samples }
  }

  return async (dub, track, { lines }, signal) => {
    const { sounds, missing: leakMissing } = await leakSounds(dub, track, signal)
    const spans = new Map(store.segments.list(dub.id).map(({ id, startUs, endUs }) => [id, { startUs, endUs }]))
    const parts: MeasuredPart[] = []
    for (const { id, startUs, lengthUs, takeKey } of lines) {
      const span = spans.get(id)
      const replaced = sounds && span && { from: framesAt(sounds.map.at(span.startUs)), to: framesAt(sounds.map.at(span.endUs)) }
      const placed = { from: framesAt(startUs), to: framesAt(startUs + lengthUs) }
      parts.push({ placed, take: await takeOf(dub.id, track.languageCode, id, takeKey), replaced: replaced ?? null })
    }
    const key = keyOf({
      kind: 'dub.qc.sound',
      version: VERSION,
      inputs: [track.digest, sounds?.vocals ?? '', sounds?.mix ?? '', ...lines.map(({ takeKey }) => takeKey)],
      params: { parts: parts.map(({ placed, take, replaced }) => [placed, take?.path.slice(-64) ?? null, replaced]) },
    })
    const file = await files.obtain(
      key,
      { kind: 'check', maker: dub.id },
      dub.id,
      async (_, stopping) => {
        const leak = sounds && { vocals: files.pathOf(sounds.vocals), mix: files.pathOf(sounds.mix) }
        return JSON.stringify(await film.check({ voice: files.pathOf(track.digest), leak, lines: parts }, stopping))
      },
      signal,
    )
    const measured = Measured.parse(JSON.parse(file.detail))
    return { lines: new Map(lines.map(({ id }, at) => [id, measured[at]!])), leakMissing }
  }
}
