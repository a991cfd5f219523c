// The transcription of a film as named server-sent events. A client that disconnects does not stop it, and can attach to it again.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { lineRow } from '#control-plane/features/dubbing/store/line.ts'
import type { FollowedEvent } from '#control-plane/jobs/events.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure, isRetryable } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { TranscribeEvent, TranscribeNamed } from './transcribe-events.schema.ts'
import type { TranscribeJobs } from './transcribe-job.ts'

export type TranscribeStream = ReturnType<typeof createTranscribeStream>
export type TranscribeQuery = { readonly num_speakers: number | null; readonly per_segment_refs: boolean }
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'dub'>
  readonly jobs: Pick<Jobs, 'follow' | 'get'>
  readonly transcriptions: TranscribeJobs
  readonly clock: Pick<Clock, 'after'>
}
const PING_MS = 5_000
const OPENED = ': transcribe-stream open\n\n'
const KEEPALIVE = ': keepalive\n\n'
/** Comments go out at every third tick until the start. */
const KEEPALIVE_TICKS = 3
/** A job keeps its newest events only, which are fewer than the parts of a film of several hours. */
const missedSentence = (count: number): string =>
  `${count === 1 ? 'One earlier event' : `${count} earlier events`} of this transcription ${count === 1 ? 'is' : 'are'} not kept any more. The final event has all lines.`
const event = <Name extends keyof TranscribeNamed>(name: Name, data: TranscribeNamed[Name]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

export function createTranscribeStream({ core: { store, dub: dubOf }, jobs, transcriptions, clock }: Deps) {
  const resultOf = (dubId: string) => {
    const { sourceLang, fullTranscript, options } = dubOf(dubId)
    const segments = store.segments.list(dubId).map(lineRow)
    return { segments, source_lang: sourceLang, full_transcript: fullTranscript, options }
  }

  /** The events of one stored frame. */
  function eventsOf(dubId: string, payload: string): string[] {
    const { type, ...fields }: TranscribeEvent = JSON.parse(payload)
    if (type === 'final') {
      const { options, ...result } = resultOf(dubId)
      return [event('final', { ...result, speaker_clones: options.speaker_clones, cast_sources: options.cast_sources })]
    }
    if (type === 'done') return [event('done', {})]
    // The stream ends with the transcript; translations are read with the dub.
    if (type === 'translated') return []
    if (type === 'cancelled') return [event('aborted', {})]
    // The others have the fields of the event of the job: both have one shape in the schema.
    const same = event(type, fields as never)
    return type === 'error' ? [same, event('done', {})] : [same]
  }

  async function* follow(dubId: string, events: AsyncGenerator<FollowedEvent>): AsyncGenerator<string> {
    let next = events.next()
    let hasStarted = false
    let last = 0
    try {
      for (let ticks = 1; ; ) {
        const tick = Promise.withResolvers<null>()
        const stop = clock.after(PING_MS, () => tick.resolve(null))
        const result = await Promise.race([next, tick.promise]).finally(stop)
        if (result === null) {
          if (hasStarted) yield event('ping', {})
          else if (ticks++ % KEEPALIVE_TICKS === 0) yield KEEPALIVE
        } else if (result.done) return
        else {
          hasStarted = true
          const { seq } = result.value
          const missing = seq - last - 1
          if (missing > 0) yield event('warning', { detail: missedSentence(missing), source: 'transcript' })
          last = seq ?? last
          yield* eventsOf(dubId, result.value.payload)
          next = events.next()
        }
      }
    } finally {
      next.catch(() => {})
      void events.return(undefined).catch(() => {})
    }
  }

  return {
    /** Failures are events. */
    async *events(dubId: string, { num_speakers, per_segment_refs }: TranscribeQuery, signal: AbortSignal): AsyncGenerator<string> {
      yield OPENED
      try {
        const id = await transcriptions.start(dubId, num_speakers, per_segment_refs)
        yield* follow(dubId, await jobs.follow(id, 0, signal))
      } catch (error) {
        if (signal.aborted) return
        const { code, message, detail } = Failure.from(error)
        const payload = typeof detail === 'object' ? detail : {}
        yield event('error', { detail: message, retryable: isRetryable(code), code, ...payload })
        yield event('done', {})
      }
    },

    /** Waits for the end. Null when it was cancelled. Throws as `TranscribeJobs.start`, and how the job failed. */
    async result(dubId: string, speakers: number | null, signal: AbortSignal) {
      const id = await transcriptions.start(dubId, speakers, true)
      for await (const _ of await jobs.follow(id, 0, signal)) signal.throwIfAborted()
      signal.throwIfAborted()
      const job = (await jobs.get(id))?.record.job
      if (!job || job.status === 'cancelled') return null
      if (job.failure) throw new Failure(job.failure.code, job.failure.message)
      // The studio stops.
      if (job.status !== 'done') throw new Failure('NOT_READY', 'The studio is stopping. The transcription continues at the next start.')
      const { options: _, ...result } = resultOf(dubId)
      return { job_id: dubId, ...result }
    },
  }
}
