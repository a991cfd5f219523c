// The sound of a running take: mastered s16le mono that grows while the take is generated. Every reader gets the same bytes from any offset,
// so a client that lost its connection continues where it stopped.
import { z } from 'zod'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { JobView } from '#control-plane/jobs/view.ts'
import type { Media } from '#control-plane/media/encode.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { afterSilence, joinedParts, type WholePart } from '../chunks.ts'
import type { RunningTakes } from './running-takes.ts'

export type LiveSound = {
  /** Hz. */
  readonly sampleRate: number
  readonly body: AsyncIterable<Uint8Array>
}
/** In bytes; both ends are included. */
export type ByteRange = { readonly from: number; readonly to: number }
type Deps = {
  readonly jobs: Pick<Jobs, 'get'>
  readonly media: Pick<Media, 'encode'>
  readonly running: RunningTakes
  readonly markOf: MarkOf
}

const Meta = z.object({ audio_path: z.string() })
/** Each reader masters the sound for itself. */
const READERS_PER_CLIENT = 16

export function createLiveSound({ jobs, media, running, markOf }: Deps) {
  const places = createPlaces({ perClient: READERS_PER_CLIENT, what: 'connections that follow takes' })

  /** Throws NOT_FOUND for a job that is not a take, and for one whose sound is gone. */
  async function required(id: string): Promise<JobView> {
    const view = await jobs.get(id)
    if (view?.record.type === 'generate') return view
    throw new Failure('NOT_FOUND', 'There is no such take.')
  }

  return {
    /** The file of a complete take; null while it is generated. Throws NOT_FOUND. */
    async fileOf(id: string): Promise<string | null> {
      const { job, meta } = (await required(id)).record
      if (job.status === 'done') return Meta.parse(JSON.parse(meta)).audio_path
      if (job.status === 'failed') throw new Failure('NOT_FOUND', `The take could not be generated: ${job.failure?.message ?? ''}`)
      if (job.status === 'cancelled') throw new Failure('NOT_FOUND', 'The take was cancelled.')
      return null
    },

    /** The bytes from `from` to `to`, which is included. Resolves when there is sound. Throws the failure of the take, QUEUE_FULL for too many readers. */
    async follow(id: string, { from, to }: ByteRange, signal: AbortSignal): Promise<LiveSound> {
      const leave = places.take()
      // Also on the signal, because an unread generator runs no code.
      signal.addEventListener('abort', leave, { once: true })
      try {
        const take = await running.arrival(id, signal)
        const parts = take.sound.parts(signal)
        const first = await parts.next()
        if (first.done || take.sampleRate === null || !take.spec) throw new Failure('WORKER_FAILED', 'The engine returned no audio.')
        const { sampleRate, crossfadeMs, leadMs } = take
        const mark = markOf(take.spec)
        const speech = joinedParts(startingWith(first.value, parts), Math.round((crossfadeMs * sampleRate) / 1000))
        const source = afterSilence(leadMs, sampleRate, speech)
        const { body } = await media.encode({ format: 'pcm', sampleRate, source, mark, effects: null, master: true, signal })
        return { sampleRate, body: withEnd(within(body, from, to), leave) }
      } catch (error) {
        leave()
        throw error
      }
    },
    move: async (id: string): Promise<void> => {
      await required(id)
      running.move(id)
    },
  }
}

async function* startingWith(first: WholePart, rest: AsyncGenerator<WholePart>): AsyncGenerator<WholePart> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* within(body: AsyncIterable<Uint8Array>, from: number, to: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const bytes of body) {
    const wanted = bytes.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at))
    at += bytes.length
    if (wanted.length > 0) yield wanted
    if (at > to) return
  }
}

async function* withEnd(body: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    end()
  }
}
