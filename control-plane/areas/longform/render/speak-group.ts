// Renders segments of one voice and speed as one task. Each part is checked and stored as soon as it is complete, so a stop loses the
// segment under way at most.
import { fromS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Priority } from '../../../tasks/record.ts'
import type { SpeechApi } from '../../speech/api.ts'
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
  /** Hz by speaker. A machine announces the rate of its default voice; the first task of a speaker has the rate of the voice. */
  const rates = new Map<string, number>()

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

  return async (group, { sampling, priority, signal }, done) => {
    const [{ segment }] = group as [SegmentWork]
    const { speaker, speed } = segment
    const set = Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== null))
    voicing.refuseWithdrawn(speaker.voiced.speaker, speaker.voiced.reference)
    const reference = (await speaker.openReference?.()) ?? speaker.reference
    const isWithdrawn = withdrawals.claim(speaker.reference ? [speaker.reference.sha256] : [])
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
        traceparent: '',
        target: speaker.targetNow(),
        priority,
        lastCheck: () => voicing.refuseWithdrawn(speaker.voiced.speaker, speaker.voiced.reference),
      },
      AbortSignal.any([signal, own.signal]),
    )
    try {
      let placed = 0
      const whole: Buffer[] = []
      const waiting: Buffer[] = []
      const placeAll = async (sampleRate: number) => {
        for (const pcm of whole.splice(0)) await place(group[placed++]!, pcm, sampleRate, { done, isWithdrawn })
      }
      for await (const { part, bytes } of run.pieces) {
        while (placed + whole.length < Math.min(part, group.length)) whole.push(Buffer.concat(waiting.splice(0)))
        const rate = rates.get(speaker.id)
        if (rate !== undefined) await placeAll(rate)
        waiting.push(bytes)
      }
      const { sample_rate: sampleRate } = await run.result()
      const known = rates.get(speaker.id)
      rates.set(speaker.id, sampleRate)
      if (known !== undefined && known !== sampleRate) throw new Failure('INVALID_RESULT', 'The voice changed its sample rate.')
      while (placed + whole.length < group.length) whole.push(Buffer.concat(waiting.splice(0)))
      await placeAll(sampleRate)
    } catch (error) {
      own.abort(new Failure('CANCELLED', 'The sound of the task is no longer needed.'))
      throw error
    }
  }
}
