// Forms with large files that are written as fast as the studio reads them. The sender keeps one piece of a file in memory.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { residentBytes } from '../world/stranger.ts'

export type UploadTarget = { readonly method: string; readonly path: string; readonly field: string }
export type Uploaded = { readonly status: number; readonly body: string; readonly sentBytes: number }
const BOUNDARY = 'boundary-of-an-upload'
const PIECE = Buffer.alloc(256 * 1024, 'x')
const END = `\r\n--${BOUNDARY}--\r\n`

const headOf = (field: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="film.wav"\r\nContent-Type: application/octet-stream\r\n\r\n`

function begin(url: string, { method, path }: UploadTarget, headers: Record<string, string | number>) {
  const call = open(url + path, { method, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers } })
  const answer = once(call, 'response') as Promise<[IncomingMessage]>
  call.on('error', () => {})
  return { call, answer }
}

/** Resolves with the bytes that were written: fewer if the studio answered or ended the connection before. */
async function write(call: ClientRequest, answer: Promise<unknown>, head: string, bytes: number): Promise<number> {
  const ending = new AbortController()
  const end = () => ending.abort()
  answer.then(end, end)
  const { signal } = ending
  call.write(head)
  let sent = 0
  while (sent < bytes && !signal.aborted) {
    const piece = PIECE.subarray(0, Math.min(PIECE.length, bytes - sent))
    sent += piece.length
    if (!call.write(piece)) await once(call, 'drain', { signal }).catch(() => {})
  }
  return sent
}

/** Sends a file of `bytes` in one field of a form. An answer that comes before the end of the file ends the sending. */
export async function upload(url: string, target: UploadTarget, bytes: number, headers: Record<string, string> = {}): Promise<Uploaded> {
  const head = headOf(target.field)
  const { call, answer } = begin(url, target, { 'content-length': head.length + bytes + END.length, ...headers })
  const sentBytes = await write(call, answer, head, bytes)
  if (sentBytes === bytes) call.end(END)
  const [response] = await answer
  // A refused sender may have been cut off in the middle of the answer.
  const body = await text(response).catch(() => '')
  call.destroy()
  return { status: response.statusCode ?? 0, body, sentBytes }
}

/** Sends `bytes` of a file that never ends. Resolves when they are written, or when the studio has answered. */
export async function holdUpload(url: string, target: UploadTarget, bytes: number): Promise<ClientRequest> {
  const { call, answer } = begin(url, target, {})
  answer.then(
    ([response]) => void response.resume(),
    () => {},
  )
  await write(call, answer, headOf(target.field), bytes)
  return call
}

/** Sends `count` uploads at once, and reads the memory of the studio before, at the peak and after. */
export async function measureUploads(pid: number, count: number, send: (index: number) => Promise<Uploaded>) {
  const before = residentBytes(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, 50)
  try {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)))
    const after = residentBytes(pid)
    return { answers, before, peak: Math.max(peak, after), after }
  } finally {
    clearInterval(timer)
  }
}
