// Runs operations on the sound of films, each in a thread of its own. One thread waits a while for the next operation: a dub needs several in
// a row.

import { createReusedThreads } from '#control-plane/media/threads/reused-threads.ts'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { FromFilmThread, ToFilmThread } from '../sound/messages.ts'
import type { FILM_OPERATIONS, FilmOperation } from './operations.ts'

type Work<T extends FilmOperation> = Parameters<(typeof FILM_OPERATIONS)[T]>[0]
type Result<T extends FilmOperation> = Awaited<ReturnType<(typeof FILM_OPERATIONS)[T]>>
type Ended = Extract<FromFilmThread, { kind: 'done' | 'failed' }>
/** Throws the failure of the operation, UNKNOWN for a thread that died, and the reason of the signal once the operation has ended. */
export type RunFilmOperation = <T extends FilmOperation>(
  operation: T,
  work: Work<T>,
  signal: AbortSignal,
  progress?: (microseconds: number) => void,
) => Promise<Result<T>>

const ENTRY = new URL('./worker.ts', import.meta.url)
/** Milliseconds for removing incomplete files after an abort. */
const ABORT_MS = 10_000

export function createFilmThreads(clock: Clock): RunFilmOperation {
  const threads = createReusedThreads(ENTRY, 'film', clock)

  return async (operation, work, signal, progress = () => {}) => {
    signal.throwIfAborted()
    const worker = threads.take()
    const send = (message: ToFilmThread) => worker.postMessage(message)
    let forget = () => {}
    const abort = () => {
      send({ kind: 'abort' })
      forget = clock.after(ABORT_MS, () => void worker.terminate())
    }
    signal.addEventListener('abort', abort, { once: true })
    send({ kind: 'run', operation, work })
    const end = await new Promise<Ended | Error | null>((resolve) => {
      worker.on('message', (message: FromFilmThread) => (message.kind === 'progress' ? progress(message.microseconds) : resolve(message)))
      worker.once('error', resolve)
      worker.once('exit', () => resolve(null))
    })
    signal.removeEventListener('abort', abort)
    forget()
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
    worker.on('error', () => {}) // until it is used again, its exit says enough
    if (end === null || end instanceof Error) {
      signal.throwIfAborted()
      throw new Failure('UNKNOWN', 'The work on the film stopped unexpectedly.', { cause: end })
    }
    // A thread that was told to stop, or met an error of the program, is in an unknown state.
    if (end.kind === 'done' && !signal.aborted) threads.keep(worker)
    else void worker.terminate()
    if (end.kind === 'done') return end.result as never
    signal.throwIfAborted()
    throw new Failure(end.code !== null && isFailureCode(end.code) ? end.code : 'UNKNOWN', end.message)
  }
}
