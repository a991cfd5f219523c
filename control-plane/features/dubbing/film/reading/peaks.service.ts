// The loudest sample of each twentieth of a second of a film, so that a timeline draws hours of sound without decoding it. Kept with the
// sound that they were read from.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { s16In } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { peaksKey } from '../prep/prep.rules.ts'

export const PEAKS_PER_SECOND = 20
/** Sound of two seconds is read at once. */
const PEAKS_AT_ONCE = 2 * PEAKS_PER_SECOND
const FULL_SCALE = 32_768
const Stored = z.object({ peaks: z.string() })
type Deps = {
  readonly core: Pick<DubCore, 'files' | 'dub'>
  /** Makes the sound of a dub again if it was evicted. */
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
}
export type PeaksQuery = { readonly from: number; readonly to?: number | undefined; readonly peaks: number }

/** The largest of each group, so that at most `count` are left. Pure. */
export function fewer(peaks: Uint8Array, count: number): number[] {
  const groups = Math.min(count, peaks.length)
  return Array.from({ length: groups }, (_, at) => {
    const from = Math.floor((at * peaks.length) / groups)
    const to = Math.max(from + 1, Math.floor(((at + 1) * peaks.length) / groups))
    return peaks.subarray(from, to).reduce((most, one) => Math.max(most, one), 0)
  })
}

export function createPeaks({ core: { files, dub: dubOf }, requireSound }: Deps) {
  async function measure(folder: string, signal: AbortSignal): Promise<Uint8Array> {
    const sound = await openBlocks(folder)
    if (sound.encoding !== 's16') throw new RangeError('this sound does not have samples of 16 bits')
    const frames = Math.floor(sound.sampleRate / PEAKS_PER_SECOND)
    const peaks = new Uint8Array(Math.ceil(sound.samples / frames))
    const slice = PEAKS_AT_ONCE * frames
    for (let from = 0; from < sound.samples; from += slice) {
      signal.throwIfAborted()
      const pcm = await sound.read(from, Math.min(slice, sound.samples - from))
      const samples = s16In(pcm)
      for (let at = 0; at * frames * sound.channels < samples.length; at++) {
        let most = 0
        const end = Math.min(samples.length, (at + 1) * frames * sound.channels)
        for (let place = at * frames * sound.channels; place < end; place++) most = Math.max(most, Math.abs(samples[place]!))
        peaks[from / frames + at] = Math.min(255, Math.round((most * 255) / FULL_SCALE))
      }
    }
    return peaks
  }

  return {
    /** Throws NOT_FOUND, and the reason of the signal. */
    async read(dubId: string, { from, to, peaks: count }: PeaksQuery, signal: AbortSignal) {
      const dub = dubOf(dubId)
      if (!dub.sound) throw new Failure('NOT_FOUND', 'The sound of this dub is not extracted yet.')
      const source = dub.sound.speech
      const file = await files.obtain(
        peaksKey(source),
        { kind: 'peaks', maker: dubId },
        dubId,
        async (_, stopping) => {
          await requireSound(dubId, stopping)
          return JSON.stringify({ peaks: Buffer.from(await measure(files.pathOf(source), stopping)).toString('base64') })
        },
        signal,
      )
      const all = new Uint8Array(Buffer.from(Stored.parse(JSON.parse(file.detail)).peaks, 'base64'))
      const first = Math.min(all.length, Math.floor(from * PEAKS_PER_SECOND))
      const last = to === undefined ? all.length : Math.min(all.length, Math.ceil(to * PEAKS_PER_SECOND))
      const found = all.subarray(first, Math.max(first, last))
      return { from: first / PEAKS_PER_SECOND, to: (first + found.length) / PEAKS_PER_SECOND, peaks: fewer(found, count) }
    },
  }
}
