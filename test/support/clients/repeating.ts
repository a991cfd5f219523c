// A client that repeats as docs/updating.md asks for: a refusal after its time, a connection that was refused soon. After a connection that breaks
// during an answer it looks whether the request was accepted, unless that may be sent twice.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

export type Repeating = ReturnType<typeof createRepeatingClient>
type Sent = {
  readonly body?: object
  /** Fields of a form. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** For a request that must not be sent twice: what it has made, if it was accepted before its connection broke. */
  readonly wasAccepted?: () => Promise<Buffer | null>
}
const MOST_SECONDS = 3
const REFUSED_MS = 250

/** `url`: the same after every restart. `isOver`: true ends the repetitions with an error. */
export function createRepeatingClient(url: string, isOver: () => boolean) {
  const seen = { answered: 0, refused: 0, closed: 0, cut: 0 }
  /** Bytes of the answer. Throws AssertionError for an answer that a good client does not repeat. */
  async function send(path: string, { body, form, headers = {}, wasAccepted }: Sent = {}): Promise<Buffer> {
    while (!isOver()) {
      const parts = new FormData()
      for (const [name, value] of Object.entries(form ?? {})) parts.set(name, value)
      try {
        const answer = await fetch(url + path, {
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
          ...(form && { method: 'POST', body: parts }),
        })
        const bytes = Buffer.from(await answer.arrayBuffer())
        if (answer.ok) {
          seen.answered++
          return bytes
        }
        assert.ok([429, 503].includes(answer.status), `${path}: ${answer.status} ${bytes}`)
        const seconds = Number(answer.headers.get('retry-after'))
        assert.ok(seconds > 0, `${path}: a refusal says when to come again`)
        seen.refused++
        await pause(Math.min(seconds, MOST_SECONDS) * 1000)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        const { syscall = '' } = ((error as Error).cause ?? {}) as { syscall?: string }
        // Also ECONNRESET: the port was closed before the connection was accepted.
        if (syscall === 'connect') seen.closed++
        else {
          seen.cut++
          const answer = await wasAccepted?.()
          if (answer) return answer
        }
        await pause(REFUSED_MS)
      }
    }
    throw new Error(`${path}: another request failed`)
  }
  return { send, seen }
}
