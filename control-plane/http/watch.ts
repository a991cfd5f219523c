// What may be watched of a request: the row it met, how long it took, how it ended. Never its path, its text or its headers.

/** `route` is the id of the row, 'none' where there is none; `traceparent` is what the caller sent. */
export type Seen = { readonly route: string; readonly path: string; readonly method: string; readonly traceparent: string | undefined }
export type WatchedRequest = {
  /** The trace context of this request; empty when it is not traced. Also the answer carries it. */
  readonly traceparent: string
  /** The first byte of an answer that is made while it is sent. */
  readonly firstByte: () => void
  /** Once, when the answer has left; 499 when the caller hung up before. */
  readonly done: (status: number) => void
}
export type Watch = (request: Seen) => WatchedRequest

const nothing = () => {}
export const UNWATCHED: WatchedRequest = { traceparent: '', firstByte: nothing, done: nothing }

/** The same bytes; tells of the first. */
export async function* tellingFirst<T>(source: AsyncIterable<T>, firstByte: () => void): AsyncGenerator<T> {
  let isFirst = true
  for await (const piece of source) {
    if (isFirst) firstByte()
    isFirst = false
    yield piece
  }
}
