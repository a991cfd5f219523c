// The facts that metrics and traces may record of a request: its route, its duration, its end. Never its path, its text or its headers.

/** `route` is the id of the contract, 'none' for an unknown path; `traceparent` is what the caller sent. */
export type RequestStart = {
  readonly route: string
  readonly path: string
  readonly method: string
  readonly traceparent: string | undefined
}
export type WatchedRequest = {
  /** The trace context of this request; empty when it is not traced. The response carries it, too. */
  readonly traceparent: string
  /** Called at the first byte of a response that is produced while it is sent. */
  readonly firstByte: () => void
  /** Called once, when the response has been sent; 499 when the client disconnected before. */
  readonly done: (status: number) => void
}
export type Watch = (request: RequestStart) => WatchedRequest

const nothing = () => {}
export const UNWATCHED: WatchedRequest = { traceparent: '', firstByte: nothing, done: nothing }

/** Passes the items through and calls `firstByte` before the first one. */
export async function* firstByteObserved<T>(source: AsyncIterable<T>, firstByte: () => void): AsyncGenerator<T> {
  let isFirst = true
  for await (const piece of source) {
    if (isFirst) firstByte()
    isFirst = false
    yield piece
  }
}
