// Ends the server without ending the work behind it: requests under way may finish for a while, then whoever waits is told to come back.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '#shared/runtime/clock.ts'

const GRACE_MS = 5_000
const LAST_WORD_MS = 1_000

/** Resolves when no connection is left. `giveUp` is called once the grace is over: it makes the requests that only wait answer. */
export async function closeServer(app: FastifyInstance, clock: Clock, giveUp: () => void): Promise<void> {
  let isClosed = false
  const closed = app.close().finally(() => {
    isClosed = true
  })
  const forgetGrace = clock.after(GRACE_MS, giveUp)
  const forgetLastWord = clock.after(GRACE_MS + LAST_WORD_MS, () => app.server.closeAllConnections())
  while (!isClosed) {
    // A connection whose answer ends only now would be kept open for a next request.
    app.server.closeIdleConnections()
    await Promise.race([closed, clock.sleep(50)])
  }
  forgetGrace()
  forgetLastWord()
  await closed
}
