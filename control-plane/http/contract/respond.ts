// Turns what handlers return into response headers and bytes. Services return values and a notice; header names stay here and in the
// handlers.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { asCurrentClient } from '#control-plane/clients/client.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import { spanOf } from '../input/byte-range.ts'
import { firstByteObserved, type WatchedRequest } from './watch.ts'

/** Tells the client that another engine answered, or that something it asked for was not done. */
type Notice = { readonly routing: string; readonly reason: string; readonly information?: readonly string[]; readonly needs?: ModelNeed }
/** `name`: in any script. */
type File = { readonly name: string; readonly disposition: 'inline' | 'attachment' }

/** Bytes that can be read from anywhere: a client may ask for a part of them. `to` is the last byte. */
export type Ranged = { readonly size: number; readonly read: (from: number, to: number) => AsyncIterable<Uint8Array> }
export const rangedBytes = (bytes: Uint8Array): Ranged => ({
  size: bytes.length,
  async *read(from, to) {
    yield bytes.subarray(from, to + 1)
  },
})
const isRanged = (body: Content['body']): body is Ranged => 'read' in body && 'size' in body

/** Values of Cache-Control. */
const CACHES = { 'no-cache': 'no-cache', 'no-store': 'no-store', immutable: 'private, max-age=31536000, immutable' } as const

/** The answer of a route with media types. */
export type Content = {
  /** Default 200. */
  readonly status?: number
  /** The Content-Type, with its parameters; empty for status 204, which has no body. */
  readonly type: string
  readonly body: AsyncIterable<Uint8Array | string> | Uint8Array | Ranged
  /** The body reads uploads of the request: they are deleted at the end of the response, and not when the handler has settled. */
  readonly readsUploads?: true
  /** Bytes of a streamed body, where it is known before it is made. */
  readonly length?: number | null
  readonly file?: File
  /** immutable: its address has no other content, ever. */
  readonly cache?: keyof typeof CACHES
  readonly notice?: Notice | null
  /** Headers of this route only; a null value is left out. */
  readonly headers?: Readonly<Record<string, string | number | null>>
}

/** Content of which no other part is sent. */
type Whole = Content & { readonly body: Exclude<Content['body'], Ranged> }

const ENCODED = Symbol('encoded')
/** A JSON document that is encoded already, for large answers that change seldom: the body is sent as it is. Pieces, if it is not kept in memory. */
export type EncodedJson = { readonly [ENCODED]: true; readonly body: Uint8Array | AsyncIterable<Uint8Array> }
export const encodedJson = (body: EncodedJson['body']): EncodedJson => ({ [ENCODED]: true, body })
export const isEncoded = (answer: unknown): answer is EncodedJson => typeof answer === 'object' && answer !== null && ENCODED in answer

/** Header values carry visible ASCII only; other characters become `?`. At most 1,000 characters. */
export const headerText = (text: string): string => text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 1000)

/** The header value: the name in ASCII for old clients, and in full for all others. */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]+/g, '_').replace(/["\\%]/g, '_')
  if (ascii === name) return `${disposition}; filename="${name}"`
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

export function headersOf({ type, body, length, file, cache, notice, headers = {} }: Whole): Record<string, string> {
  const bytes = type === '' ? null : body instanceof Uint8Array ? body.length : length
  const present = Object.entries(headers).filter((entry): entry is [string, string | number] => entry[1] !== null)
  return {
    ...(type !== '' && { 'content-type': type }),
    ...(bytes != null && { 'content-length': String(bytes) }),
    ...(file && { 'content-disposition': contentDisposition(file.disposition, file.name) }),
    ...(cache && { 'cache-control': CACHES[cache] }),
    ...Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
    ...(notice && noticeHeaders(notice)),
  }
}

/** The headers that carry a notice; also used for failures. */
export const noticeHeaders = ({ routing, reason, information = [], needs }: Notice): Record<string, string> => ({
  'x-svc-routing': routing,
  'x-svc-routing-reason': headerText(reason),
  ...(information.length > 0 && { 'x-svc-notice': headerText(inSentences(...information)) }),
  ...(needs && { 'x-svc-needs': headerText(`${needs.for}=${needs.models[0]?.repo_id ?? ''}`) }),
})

/** 204 with these headers. */
export const noContent = (headers: Readonly<Record<string, string>>): Content => ({
  status: 204,
  type: '',
  body: new Uint8Array(),
  headers,
})
/** Server-sent events. */
export const eventStream = (body: AsyncIterable<string>): Content => ({ type: 'text/event-stream', cache: 'no-cache', body })
/** One JSON document a line. */
export const jsonLines = (body: AsyncIterable<string>): Content => ({ type: 'application/x-ndjson', cache: 'no-cache', body })

/** `range`: the header of a GET request. */
export function sendContent(reply: FastifyReply, asked: Content, { firstByte }: WatchedRequest, range: string | undefined): FastifyReply {
  const content = partOf(asked, range)
  const { body } = content
  reply.code(content.status ?? 200).headers(headersOf(content))
  if (content.type === '') return reply.send()
  if (body instanceof Uint8Array) return reply.send(body)
  if (reply.request.method === 'HEAD') {
    abandon(body)
    return reply.send()
  }
  // A source that fails after its first byte can only cut the connection; the client sees an incomplete body.
  const whole = content.length == null ? body : requireLength(body, content.length)
  return reply.send(Readable.from(asCurrentClient(firstByteObserved(whole, firstByte)), { objectMode: false, highWaterMark: 256 * 1024 }))
}

/** Frees what a body holds that is not sent. */
function abandon(body: AsyncIterable<Uint8Array | string>): void {
  if (body instanceof Readable) body.destroy()
  else void Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(() => {})
}

function partOf({ body, ...content }: Content, range: string | undefined): Whole {
  if (!isRanged(body)) return { ...content, body }
  const { size, read } = body
  const span = spanOf(range, size)
  if (span === 'beyond')
    return {
      status: 416,
      type: 'application/json',
      body: Buffer.from('{"detail":"Range Not Satisfiable"}'),
      headers: { 'content-range': `bytes */${size}` },
    }
  const { from, to } = span ?? { from: 0, to: size - 1 }
  return {
    ...content,
    ...(span && { status: 206 }),
    body: size === 0 ? new Uint8Array() : read(from, to),
    length: to - from + 1,
    headers: { ...content.headers, 'accept-ranges': 'bytes', ...(span && { 'content-range': `bytes ${from}-${to}/${size}` }) },
  }
}

/** Fails at the end of a body that is shorter than it was announced: the client would wait for the rest until the connection times out. */
async function* requireLength(body: AsyncIterable<Uint8Array | string>, length: number) {
  let left = length
  for await (const piece of body) {
    left -= typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    yield piece
  }
  if (left > 0) throw new Error(`The body is ${left} bytes shorter than announced. A file was changed by another program.`)
}

/** `check` throws unless the document has the shape of the contract; null to send it unread. */
export async function sendEncoded(reply: FastifyReply, { body }: EncodedJson, check: ((document: unknown) => unknown) | null) {
  reply.type('application/json; charset=utf-8')
  if (reply.request.method === 'HEAD' && !(body instanceof Uint8Array)) return reply.send()
  if (check === null) return reply.send(body instanceof Uint8Array ? body : Readable.from(asCurrentClient(body), { objectMode: false }))
  const pieces: Uint8Array[] = []
  for await (const piece of body instanceof Uint8Array ? [body] : body) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  check(JSON.parse(bytes.toString('utf8')))
  return reply.send(bytes)
}

/** RFC 7240: preferences are separated by commas, and their parameters by semicolons. */
export const prefersAsync = (prefer: string | string[] | undefined): boolean =>
  [prefer ?? []].flat().some((value) => value.split(',').some((one) => one.split(';')[0]!.trim().toLowerCase() === 'respond-async'))

/** The job that does what was requested. */
export const acceptedContent = (accepted: { readonly id: string; readonly status: string }): Content => ({
  type: 'application/json',
  status: 202,
  body: Buffer.from(JSON.stringify({ ...accepted, location: `/jobs/${accepted.id}`, stream: `/tasks/stream/${accepted.id}` })),
  headers: { location: `/jobs/${accepted.id}`, 'preference-applied': 'respond-async' },
})
