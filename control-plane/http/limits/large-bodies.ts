// Large JSON bodies are in memory several times: as bytes, as text and as values. Their number at the same time is limited.
import { Failure } from '#shared/protocol/failure.ts'

/** For every route without a limit of its own. Bodies up to this size are not counted. */
export const USUAL_BODY_BYTES = 1024 * 1024
const AT_ONCE = 8

type Request = { readonly headers: Readonly<Record<string, string | string[] | undefined>> }
type Closing = { readonly once: (event: 'close', run: () => void) => unknown }
export type LargeBodies = ReturnType<typeof createLargeBodies>

export function createLargeBodies(most = AT_ONCE) {
  let running = 0
  return {
    /** Call before the body is read; `response` ends the count. Throws QUEUE_FULL. A body of unknown length counts as large. */
    enter({ headers }: Request, response: Closing): void {
      if (Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= USUAL_BODY_BYTES) return
      if (running >= most)
        throw new Failure('QUEUE_FULL', `${most} large requests are being received already. Try again when they have ended.`)
      running++
      response.once('close', () => void running--)
    },
  }
}
