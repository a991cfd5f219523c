// Renders segments of one voice and speed as one task. On this machine each part is stored when the next one begins, so a kill costs one segment.
// Where a borrowed machine may speak, parts are stored when the task has ended, because the bytes of an attempt that fails may be wrong.

import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import type { Priority } from '#control-plane/tasks/record.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { WithdrawalCheck, Withdrawals } from '../cache/withdrawals.ts'
import type { Sampling } from './manifest.ts'
import { doubtOf } from './sound.rules.ts'
import type { SegmentWork } from './work.ts'

export type TaskOptions = { readonly sampling: Sampling; readonly priority: Priority; readonly signal: AbortSignal }
/** `done`: called when a segment is cached. Rejects with the failure of the task, or STORAGE_FULL. */
export type SpeakGroup = (group: readonly SegmentWork[], options: TaskOptions, done: (work: SegmentWork) => void) => Promise<void>
type Placing = { readonly done: (work: SegmentWork) => void; readonly isWithdrawn: WithdrawalCheck }
type Deps = {
  readonly speech: Pick<SpeechApi, 'synthesis' | 'voicing'>
  readonly cache: Pick<SegmentCache, 'add'>
  readonly withdrawals: Pick<Withdrawals, 'claim'>
}

export function createSpeakGroup({ speech: { synthesis, voicing }, cache, withdrawals }: Deps): SpeakGroup {
  /** Stores the part, or leaves the segment for a second attempt with another seed. */
  async function place(work: SegmentWork, pcm: Buffer, sampleRate: number, { done, isWithdrawn }: Placing): Promise<void> {
    const { key, speaker } = work.segment
    const doubt = doubtOf(fromS16(pcm), sampleRate, work.seconds)
    const attempt = { pcm, sampleRate, doubt }
    if (doubt > 0 && work.first === null) {
      work.first = attempt
      work.failures++ // its second attempt is a task of its own
      return
    }
    const best = work.first && work.first.doubt <= doubt ? work.first : attempt
    await cache.add(key, best, { isDoubtful: best.doubt > 0, recording: speaker.reference?.sha256 ?? null, isWithdrawn })
    done(work)
  }

  // By voice: known once a task has ended.
  const rates = new Map<string, number>()
  return async (group, { sampling, priority, signal }, done) => {
    const [{ segment }] = group as [SegmentWork]
    const { speaker, speed } = segment
    const set = Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== null))
    voicing.refuseWithdrawn(speaker.voiced.speaker, speaker.voiced.reference)
    const reference = (await speaker.openReference?.()) ?? speaker.reference
    const isWithdrawn = withdrawals.claim(speaker.reference ? [speaker.reference.sha256] : [])
    const target = speaker.targetNow()
    const isWhole = synthesis.mayBorrow(speaker.engine, target)
    const own = new AbortController()
    const run = await synthesis.stream(
      {
        model: speaker.engine,
        modelDigest: speaker.modelDigest,
        params: {
          ...set,
          ...speaker.params,
          language: speaker.language,
          speed,
          segments: group.map((work) => ({ text: work.segment.text, seed: (work.segment.seed + (work.first ? 1 : 0)) >>> 0 })),
        },
        ...(reference && { reference }),
        idempotencyKey: null,
        ephemeral: true,
        isWhole,
        traceparent: '',
        target,
        priority,
        lastCheck: () => voicing.refuseWithdrawn(speaker.voiced.speaker, speaker.voiced.reference),
      },
      AbortSignal.any([signal, own.signal]),
    )
    try {
      const parts = group.map((): Buffer[] => [])
      let placed = 0
      const placeBefore = async (end: number, sampleRate: number) => {
        for (; placed < Math.min(end, group.length); placed++)
          await place(group[placed]!, Buffer.concat(parts[placed]!.splice(0)), sampleRate, { done, isWithdrawn })
      }
      for await (const { part, bytes } of run.pieces) {
        const rate = rates.get(speaker.id)
        if (!isWhole && rate !== undefined) await placeBefore(part, rate)
        parts[part]?.push(bytes)
      }
      const { sample_rate: sampleRate } = await run.result()
      const known = rates.get(speaker.id)
      rates.set(speaker.id, sampleRate)
      if (!isWhole && known !== undefined && known !== sampleRate) throw new Failure('INVALID_RESULT', 'The voice changed its sample rate.')
      await placeBefore(group.length, sampleRate)
    } catch (error) {
      own.abort(new Failure('CANCELLED', 'The sound of the task is no longer needed.'))
      throw error
    }
  }
}
