// One HTTP route is one row: its contract and the one use case it calls. fastify, OpenAPI, access control and the coverage test are
// folds over the list of rows, so nothing about a route can be said in two places.
import type { z } from 'zod'

/** open: anybody who reaches the port. consume: this machine, or whoever has the API key. admin: this machine only. */
export type Access = 'open' | 'consume' | 'admin'

/** What a use case may answer instead of a plain value. */
export type Bytes = {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array | string> | Uint8Array
}
export type FilePart = { readonly filename: string; readonly bytes: Buffer }
/** A file that was streamed to a private place; it is gone when the use case has settled. */
export type Upload = { readonly filename: string; readonly path: string; readonly size: number }
export type Form = {
  readonly fields: Record<string, string>
  readonly files: Record<string, FilePart>
  readonly uploads: Record<string, Upload>
}

type Common<P extends z.ZodType, Q extends z.ZodType> = {
  /** `<area>.<verbNoun>`; becomes the OpenAPI operationId. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI style: /workers/{worker_id}. */
  readonly path: string
  /** No default on purpose: a route that forgets it does not compile. */
  readonly access: Access
  /** One line for the document. */
  readonly summary: string
  readonly params?: P
  readonly query?: Q
}
export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
  /** The uploaded files of a form, in memory or, where the row says so, on disk. */
  readonly files: Readonly<Record<string, FilePart>>
  readonly uploads: Readonly<Record<string, Upload>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Aborts when the client hangs up before the answer is complete. */
  readonly signal: AbortSignal
  /** W3C trace context of this request for what it sets in motion; empty when it is not traced. */
  readonly traceparent: string
}
type JsonRoute<R extends z.ZodType, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Common<P, Q> & {
  readonly body?: B
  readonly form?: readonly string[]
  readonly spooled?: boolean
  readonly reply: R
  readonly status?: number
  readonly run: (input: Input<P, Q, B>) => z.input<R> | Promise<z.input<R>>
}
type BytesRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Common<P, Q> & {
  readonly body?: B
  /** Fields of the multipart form that are files; the other fields are `body`. */
  readonly form?: readonly string[]
  /** Its files are large: they are streamed to disk and come as `uploads`. */
  readonly spooled?: boolean
  /** Media types it may answer with. */
  readonly media: readonly string[]
  readonly run: (input: Input<P, Q, B>) => Bytes | Promise<Bytes>
}

/** A row whose types have been checked and which can be kept in a list. */
export type Route = {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly form?: readonly string[]
  readonly spooled?: boolean
  readonly status?: number
  readonly answers: { readonly json: z.ZodType } | { readonly media: readonly string[] }
  readonly run: (input: never) => unknown
}

/** A route that answers JSON. */
export function route<
  R extends z.ZodType,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(row: JsonRoute<R, P, Q, B>): Route {
  const { reply, ...rest } = row
  return { ...rest, answers: { json: reply } }
}

/** A route that answers bytes: audio, a file, a stream of lines. */
export function bytes<P extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined, B extends z.ZodType = z.ZodUndefined>(
  row: BytesRoute<P, Q, B>,
): Route {
  const { media, ...rest } = row
  return { ...rest, answers: { media } }
}
