// A thread for operations on the sound of films, one at a time: samples of hours would block the event loop of the studio.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { FromFilmThread, ToFilmThread } from '../sound/messages.ts'
import { FILM_OPERATIONS, type FilmOperation } from './operations.ts'

function serve(port: MessagePort): void {
  const send = (message: FromFilmThread) => port.postMessage(message)
  const progress = (microseconds: number) => send({ kind: 'progress', microseconds })
  let abort = new AbortController()

  function run(operation: string, work: unknown): void {
    abort = new AbortController()
    const operate = FILM_OPERATIONS[operation as FilmOperation] as (work: unknown, context: object) => Promise<unknown>
    operate(work, { clock: systemClock, signal: abort.signal, progress }).then(
      (result) => send({ kind: 'done', result }),
      (error: unknown) =>
        send({
          kind: 'failed',
          code: error instanceof Failure ? error.code : null,
          message: error instanceof Error ? error.message : String(error),
        }),
    )
  }
  port.on('message', (message: ToFilmThread) => {
    if (message.kind === 'run') run(message.operation, message.work)
    else abort.abort(new Failure('CANCELLED', 'The work on the film was cancelled.'))
  })
}

if (parentPort) serve(parentPort)
