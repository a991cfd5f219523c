// The effects of a line: applied to its take when the track is assembled, so that another preset speaks nothing again.
import { open, readFile } from 'node:fs/promises'
import type { DubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { Media } from '#control-plane/media/encode.ts'
import { firstLevel, LOUDNESS_TARGETS } from '#shared/audio/master/chapter.ts'
import { emptyHistogram } from '#shared/audio/master/histogram.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { freeBytes } from '#shared/runtime/memory/owned-bytes.ts'
import { TAKE_OFFSET, type TakeDetail } from './take-files.ts'
import { type DubVoiceClaims, WITHDRAWN } from './withdrawn.ts'

const VERSION = 1
const PLAIN = 'raw'
export type DubEffects = ReturnType<typeof createDubEffects>
type Deps = {
  readonly files: Pick<DubFiles, 'obtain' | 'pathOf' | 'remove'>
  readonly media: Pick<Media, 'encode'>
  readonly voiceClaims: DubVoiceClaims
}

export function createDubEffects({ files, media, voiceClaims }: Deps) {
  /**
   * The name of the file with the effects of `preset`, of the same length and form as the take. Throws INPUT_UNAVAILABLE without the take,
   * STORAGE_FULL, and the reason of the signal.
   */
  return async (dubId: string, take: TakeDetail & { readonly digest: string }, preset: string, signal: AbortSignal): Promise<string> => {
    if (preset === PLAIN) return take.digest
    const name = keyOf({ kind: 'dub.effects', version: VERSION, inputs: [take.digest], params: { preset } })
    const { digest: _, ...detail } = take
    const isWithdrawn = voiceClaims.claim(detail.recordings)
    await files.obtain(
      name,
      { kind: 'take', maker: dubId },
      dubId,
      async (path, stopping) => {
        const wav = await readFile(files.pathOf(take.digest)).catch((cause: unknown) => {
          throw new Failure('INPUT_UNAVAILABLE', 'The speech of a line was deleted.', { cause })
        })
        const source = (async function* () {
          yield wav.subarray(TAKE_OFFSET)
        })()
        const { body } = await media.encode({
          format: 'wav',
          sampleRate: take.sampleRate,
          source,
          mark: null,
          effects: preset,
          master: false,
          level: firstLevel(emptyHistogram(), LOUDNESS_TARGETS['none']),
          signal: stopping,
        })
        const file = await open(path, 'w', 0o600)
        try {
          for await (const piece of body) await file.writeFile(piece)
          await file.datasync()
        } finally {
          await file.close()
          freeBytes(wav)
        }
        return JSON.stringify(detail)
      },
      signal,
    )
    if (isWithdrawn()) {
      await files.remove([name])
      throw new Failure('INPUT_UNAVAILABLE', WITHDRAWN)
    }
    return name
  }
}
