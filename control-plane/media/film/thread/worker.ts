// A thread for one operation on the sound of a film: samples of hours would block the event loop of the studio.
import { parentPort, workerData } from 'node:worker_threads'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { FromFilmThread, ThreadWork, ToFilmThread } from './messages.ts'
import { FILM_OPERATIONS, type FilmOperation } from './operations.ts'

const port = parentPort
if (port) {
  const { operation, work } = workerData as ThreadWork
  const abort = new AbortController()
  const send = (message: FromFilmThread) => port.postMessage(message)
  port.on('message', ({ kind }: ToFilmThread) => {
    if (kind === 'abort') abort.abort(new Failure('CANCELLED', 'The work on the film was cancelled.'))
  })
  const run = FILM_OPERATIONS[operation as FilmOperation] as (work: unknown, context: object) => Promise<unknown>
  run(work, { clock: systemClock, signal: abort.signal, progress: (microseconds: number) => send({ kind: 'progress', microseconds }) })
    .then(
      (result) => send({ kind: 'done', result }),
      (error: unknown) =>
        send({
          kind: 'failed',
          code: error instanceof Failure ? error.code : null,
          message: error instanceof Error ? error.message : String(error),
        }),
    )
    .finally(() => port.close())
}
