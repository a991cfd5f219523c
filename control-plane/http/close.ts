// Closes the server gracefully: running requests may finish during a grace period, then waiting ones are answered with a retry. Also ends what a
// person still receives when its key has ended.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '#shared/runtime/clock.ts'

const FINAL_REPLY_MS = 1_000
/** A connection that was accepted last has this time to send its request, which is answered or refused. */
const FIRST_REQUEST_MS = 100
/** Milliseconds for streams to end by themselves when the key of their person has ended. */
const CUT_MS = 500

/** Resolves when no connection is left. `giveUp` is called after the grace period and must make waiting requests answer. */
export async function closeServer(app: FastifyInstance, clock: Clock, graceMs: number, giveUp: () => void): Promise<void> {
  let isClosed = false
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node counts a connection without a first request as idle, and would reset it.
  server.closeIdleConnections = () => {}
  const closed = app.close().finally(() => {
    isClosed = true
  })
  const cancelGiveUp = clock.after(graceMs, giveUp)
  const cancelClose = clock.after(graceMs + FINAL_REPLY_MS, () => server.closeAllConnections())
  await Promise.race([closed, clock.sleep(FIRST_REQUEST_MS)])
  while (!isClosed) {
    // A connection whose response ends during the loop would stay open for a next request.
    closeIdle()
    await Promise.race([closed, clock.sleep(50)])
  }
  cancelGiveUp()
  cancelClose()
  await closed
}

/** Cuts an answer that is still being sent a moment after `ended`, such as a file for a slow client. One that has not begun says what happened. */
export function cutAtEnd(raw: ServerResponse, ended: AbortSignal, clock: Pick<Clock, 'after'>): void {
  const cut = () =>
    clock.after(CUT_MS, () => {
      if (raw.headersSent && !raw.writableFinished) raw.destroy()
    })
  ended.addEventListener('abort', cut, { once: true })
  raw.once('close', () => ended.removeEventListener('abort', cut))
}
