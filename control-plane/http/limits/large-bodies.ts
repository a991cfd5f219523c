// Large JSON bodies are in memory several times: as bytes, as text and as values. A body takes a slot when it has arrived and keeps it until it
// is answered; while it arrives, only its bytes count. So a client that sends slowly holds nothing but what it has sent.
import { Transform } from 'node:stream'
import type { RequestPayload } from 'fastify'
import { createPlaces } from '#control-plane/clients/places.ts'

/** Limit for every route without its own. Bodies up to this size are not counted. */
export const USUAL_BODY_BYTES = 1024 * 1024
/** Large bodies of one client that are in work. */
const SLOTS = 4
/** Bytes of all large bodies of one client that arrive: two of the largest limit of a route. */
const ARRIVING_BYTES = 64 * 1024 * 1024

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Closing = { readonly once: (event: 'close', run: () => void) => unknown }
export type LargeBodies = ReturnType<typeof createLargeBodies>

export function createLargeBodies(slotsPerClient = SLOTS, bytesPerClient = ARRIVING_BYTES) {
  const slots = createPlaces({ perClient: slotsPerClient, what: 'large requests' })
  const arriving = createPlaces({ perClient: bytesPerClient, what: 'large requests that arrive', areBytes: true })

  const entered = new WeakSet<Closing>()

  return {
    /** Takes a slot for a form that is in memory. The end of the response gives it back; a second call does nothing. Throws QUEUE_FULL. */
    enter(response: Closing): void {
      if (entered.has(response)) return
      const slot = slots.open()
      slot.take()
      entered.add(response)
      response.once('close', slot.giveBack)
    },
    /**
     * The body of a request of the current client, counted while it is read. It fails with QUEUE_FULL when too much is in memory, or if no slot is
     * free at its end; the rest is then read and dropped. The end of the response gives everything back.
     */
    counted(body: RequestPayload, headers: Headers, response: Closing): RequestPayload {
      if (Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= USUAL_BODY_BYTES) return body
      const [memory, slot] = [arriving.open(), slots.open()]
      let received = 0
      const counter = new Transform({
        transform(piece: Buffer, _, done) {
          received += piece.length
          done(
            attempt(() => memory.take(piece.length)),
            piece,
          )
        },
        flush(done) {
          done(attempt(() => received > USUAL_BODY_BYTES && slot.take()))
        },
      })
      // What is not read any more must be dropped: the next request of the connection comes after it.
      const drop = () => {
        body.unpipe(counter)
        body.resume()
      }
      response.once('close', () => {
        memory.giveBack()
        slot.giveBack()
        drop()
      })
      body.on('error', (error) => counter.destroy(error))
      counter.on('error', drop)
      return body.pipe(counter)
    },
  }
}

function attempt(run: () => unknown): Error | null {
  try {
    run()
    return null
  } catch (error) {
    return error as Error
  }
}
