// A server with the layout of the Hugging Face hub that can cut, stall, corrupt and redirect responses.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ending } from '../world/process.ts'

export type Fault =
  | { readonly kind: 'cut'; readonly after: number }
  | { readonly kind: 'stall'; readonly after: number }
  | { readonly kind: 'corrupt' }
  | { readonly kind: 'announce'; readonly length: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Delays the response until the promise resolves. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
export type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly sent: () => number }
export type ModelServer = Awaited<ReturnType<typeof openModelServer>>

export const REVISION = 'c0ffee'.padEnd(40, '0')
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const gitId = (bytes: Uint8Array): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
/** Bytes that differ from file to file. */
export function weights(name: string, length: number): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at * 64 < length; at++) pieces.push(createHash('sha512').update(`${name}:${at}`).digest())
  return Buffer.concat(pieces).subarray(0, length)
}

/** `repos`: repository -> path -> content. Files that end in .json are small files, which git identifies by its own object id. */
export async function openModelServer(t: Ending, repos: Readonly<Record<string, Readonly<Record<string, Buffer>>>>) {
  const asked: Asked[] = []
  const faults = new Map<string, Fault[]>()
  const always = new Map<string, Fault>()
  let knowsRanges = true

  const listing = (files: Readonly<Record<string, Buffer>>) =>
    Object.entries(files).map(([path, bytes]) => {
      const entry = { type: 'file', path, size: bytes.length, oid: gitId(bytes) }
      return path.endsWith('.json') ? entry : { ...entry, lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 130 } }
    })

  const server = createServer(async (request, answer) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname)
    let sent = 0
    asked.push({ path, headers: request.headers, sent: () => sent })
    const fault = faults.get(path)?.shift() ?? always.get(path)
    answer.on('error', () => {})
    if (fault?.kind === 'status') return void answer.writeHead(fault.status).end('no')
    if (fault?.kind === 'redirect') return void answer.writeHead(302, { location: fault.to }).end()
    if (fault?.kind === 'wait') await fault.until
    const api = /^\/api\/(?:models\/)?((?:spaces\/)?[^/]+\/[^/]+)\/(revision|tree)\/([^/]+)$/.exec(path)
    const file = /^\/((?:spaces\/)?[^/]+\/[^/]+)\/resolve\/([0-9a-f]{40})\/(.+)$/.exec(path)
    if (api && repos[api[1]!]) return sendJson(answer, api[2] === 'tree' ? listing(repos[api[1]!]!) : { sha: REVISION })
    const bytes = file ? repos[file[1]!]?.[file[3]!] : undefined
    if (!bytes) return void answer.writeHead(404).end('no')

    const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const from = knowsRanges && start !== undefined ? Number(start) : 0
    if (from >= bytes.length && from > 0) return void answer.writeHead(416).end()
    let body = Buffer.from(bytes.subarray(from))
    if (fault?.kind === 'corrupt') body[body.length >> 1]! ^= 1
    answer.writeHead(from > 0 ? 206 : 200, {
      'content-length': fault?.kind === 'announce' ? fault.length : body.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    if (fault?.kind === 'cut' || fault?.kind === 'stall') body = body.subarray(0, fault.after)
    sent = body.length
    if (fault?.kind === 'stall') return void answer.write(body)
    if (fault?.kind === 'cut') return void answer.write(body, () => answer.destroy())
    answer.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Number of requests for a file. */
    count: (path: string) => asked.filter((one) => one.path === path).length,
    /** Faults for the next requests of this path, one each. */
    fail: (path: string, ...list: Fault[]) => void faults.set(path, [...(faults.get(path) ?? []), ...list]),
    failAlways: (path: string, fault: Fault) => void always.set(path, fault),
    heal: () => always.clear(),
    forgetRanges: () => {
      knowsRanges = false
    },
    fileOf: (repo: string, path: string) => `/${repo}/resolve/${REVISION}/${path}`,
  }
}

function sendJson(answer: ServerResponse, value: unknown): void {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
