// Removes sound that must not stay: of voices that are withdrawn, and after a start what a crash left.

import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { ChapterFiles } from '../assembly/chapter-files.ts'
import type { SegmentCache } from './segment-cache.ts'
import type { Withdrawals } from './withdrawals.ts'

type Deps = {
  readonly cache: Pick<SegmentCache, 'withdraw' | 'recordings' | 'sweep'>
  readonly files: Pick<ChapterFiles, 'withdraw' | 'recordings'>
  readonly withdrawals: Withdrawals
  readonly voices: Pick<VoicesApi, 'onWithdrawn' | 'recordingsAmong'>
  readonly log: Log
}

export function createUpkeep({ cache, files, withdrawals, voices, log }: Deps): Service {
  async function withdraw(recordings: readonly string[]): Promise<void> {
    withdrawals.add(recordings)
    await Promise.all([cache.withdraw(recordings), files.withdraw(recordings)])
  }
  voices.onWithdrawn(withdraw)

  async function sweep(signal: AbortSignal): Promise<void> {
    await cache.sweep(signal)
    // The studio may have stopped between the end of a profile and the removal of its sound.
    const recordings = [...new Set([...cache.recordings(), ...(await files.recordings())])]
    const known = await voices.recordingsAmong(recordings)
    await withdraw(recordings.filter((each) => !known.has(each)))
  }

  const over = new AbortController()
  let swept: Promise<void> = Promise.resolve()
  return {
    name: 'books',
    start() {
      // Not awaited: it reads a folder for each of 256 prefixes, and nothing waits for it.
      swept = sweep(over.signal).catch((error: unknown) =>
        log.warn({ err: Failure.from(error).message }, 'the sound of books could not be swept; the next start tries again'),
      )
    },
    async stop() {
      over.abort()
      await swept
    },
  }
}
