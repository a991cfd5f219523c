// Runs one operation on the sound of a film in a thread of its own.
import { Worker } from 'node:worker_threads'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { FromFilmThread, ThreadWork, ToFilmThread } from './messages.ts'
import type { FILM_OPERATIONS, FilmOperation } from './operations.ts'

type Work<T extends FilmOperation> = Parameters<(typeof FILM_OPERATIONS)[T]>[0]
type Result<T extends FilmOperation> = Awaited<ReturnType<(typeof FILM_OPERATIONS)[T]>>

const ENTRY = new URL('./worker.ts', import.meta.url)
/** For removing incomplete files after an abort. */
const ABORT_MS = 10_000

/** Throws the failure of the operation, UNKNOWN for a thread that died, and the reason of the signal once the thread has ended. */
export async function runInThread<T extends FilmOperation>(
  operation: T,
  work: Work<T>,
  clock: Clock,
  signal: AbortSignal,
  progress: (microseconds: number) => void = () => {},
): Promise<Result<T>> {
  signal.throwIfAborted()
  const data: ThreadWork = { operation, work }
  const worker = new Worker(ENTRY, { name: `film-${operation}`, workerData: data })
  let forget = () => {}
  const abort = () => {
    worker.postMessage({ kind: 'abort' } satisfies ToFilmThread)
    forget = clock.after(ABORT_MS, () => void worker.terminate())
  }
  signal.addEventListener('abort', abort, { once: true })
  let end: FromFilmThread | null = null
  let crash: Error | null = null
  worker.on('message', (message: FromFilmThread) => {
    if (message.kind === 'progress') progress(message.microseconds)
    else end = message
  })
  worker.once('error', (error) => {
    crash = error
  })
  await new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  signal.removeEventListener('abort', abort)
  forget()
  const last = end as FromFilmThread | null
  if (last?.kind === 'done') return last.result as Result<T>
  signal.throwIfAborted()
  if (last?.kind === 'failed') throw new Failure(last.code !== null && isFailureCode(last.code) ? last.code : 'UNKNOWN', last.message)
  throw new Failure('UNKNOWN', 'The work on the film stopped unexpectedly.', { cause: crash })
}
