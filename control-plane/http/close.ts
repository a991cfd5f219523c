// Closes the server gracefully: running requests may finish during a grace period, then waiting ones are answered with a retry.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '#shared/runtime/clock.ts'

const GRACE_MS = 5_000
const FINAL_REPLY_MS = 1_000

/** Resolves when no connection is left. `giveUp` is called after the grace period and must make waiting requests answer. */
export async function closeServer(app: FastifyInstance, clock: Clock, giveUp: () => void): Promise<void> {
  let isClosed = false
  const closed = app.close().finally(() => {
    isClosed = true
  })
  const cancelGiveUp = clock.after(GRACE_MS, giveUp)
  const cancelClose = clock.after(GRACE_MS + FINAL_REPLY_MS, () => app.server.closeAllConnections())
  while (!isClosed) {
    // A connection whose response ends during the loop would stay open for a next request.
    app.server.closeIdleConnections()
    await Promise.race([closed, clock.sleep(50)])
  }
  cancelGiveUp()
  cancelClose()
  await closed
}
