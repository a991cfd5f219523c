// Spoken lines as files: WAV, 16 bit, mono, under the digest of their bytes.
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { DubTake } from '#control-plane/features/dubbing/store/dub.ts'
import { storageFailure } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { WAV_HEADER_BYTES, wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { audiblePart } from './audible.rules.ts'
import { nextNo } from './plan.service.ts'
import { type DubVoiceCheck, WITHDRAWN } from './withdrawn.ts'

export const TakeDetail = z.object({
  sampleRate: z.int(),
  samples: z.int(),
  part: z.object({ from: z.int(), to: z.int() }),
  /** SHA-256 of the recording whose voice it has; empty for a voice of an engine. */
  recordings: z.array(z.string()),
})
export type TakeDetail = z.output<typeof TakeDetail>
export type NewTake = {
  readonly dubId: string
  readonly language: string
  readonly segmentId: string
  readonly key: string
  readonly pcm: Buffer
  readonly sampleRate: number
  readonly recording: string | null
  /** Claimed for the recording before the take was spoken. */
  readonly isWithdrawn: DubVoiceCheck
}
export type TakeFiles = ReturnType<typeof createTakeFiles>
export const TAKE_OFFSET = WAV_HEADER_BYTES

type Deps = { readonly core: Pick<DubCore, 'store' | 'files'>; readonly clock: Pick<Clock, 'now'> }

export function createTakeFiles({ core: { store, files }, clock }: Deps) {
  let written = 0
  return {
    /** Durable when it resolves. Throws INVALID_RESULT for a take without a sound, CANCELLED for a withdrawn voice, STORAGE_FULL. */
    async add({ dubId, language, segmentId, key, pcm, sampleRate, recording, isWithdrawn }: NewTake): Promise<void> {
      const samples = pcm.length / 2
      const part = audiblePart(pcm, sampleRate)
      if (!part) throw new Failure('INVALID_RESULT', 'The engine returned silence for this line.')
      const header = wavHeader({ sampleRate, channels: 1, samples })
      const digest = createHash('sha256').update(header).update(pcm).digest('hex')
      const path = fileIn(files.scratch, `take-${++written}`)
      const detail = JSON.stringify({ sampleRate, samples, part, recordings: recording === null ? [] : [recording] } satisfies TakeDetail)
      const also = () => {
        const own = store.tracks.takesOfLine(dubId, language, segmentId)
        if (isWithdrawn() || own.some((take) => take.key === key && take.digest === digest)) return
        const naturalUs = Math.round(((part.to - part.from) * 1e6) / sampleRate)
        const take: DubTake = { segmentId, takeNo: nextNo(own), key, digest, naturalUs, sampleRate, createdAt: clock.now() }
        store.tracks.addTake(dubId, language, take)
      }
      try {
        await writeFile(path, [header, pcm], { mode: 0o600, flag: 'wx' })
        await files.keep(digest, path, { kind: 'take', maker: key, detail, also }, dubId)
      } catch (cause) {
        // A full disk keeps the part that was written.
        await rm(path, { force: true })
        throw storageFailure(cause)
      }
      if (!isWithdrawn()) return
      await files.remove([digest])
      throw new Failure('CANCELLED', WITHDRAWN)
    },
    /** The newest take with this key whose file is there; null if there is none. */
    async find(
      dubId: string,
      language: string,
      segmentId: string,
      key: string,
    ): Promise<(TakeDetail & { readonly digest: string }) | null> {
      const takes = store.tracks.takesOfLine(dubId, language, segmentId).filter((take) => take.key === key)
      for (const { digest } of takes.toReversed()) {
        const file = await files.find(digest)
        if (file) return { ...TakeDetail.parse(JSON.parse(file.detail)), digest }
      }
      return null
    },
  }
}
