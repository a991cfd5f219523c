// The wire format of a sidecar: a line of JSON, followed by `bytes` payload bytes if that field is present. Pure. docs/sidecar.md documents it
// for authors of sidecars.
import { Failure } from '#shared/protocol/failure.ts'

export const HEADER_LIMIT_BYTES = 1024 * 1024
export const PAYLOAD_LIMIT_BYTES = 4 * 1024 * 1024
export type Frame = { readonly header: Readonly<Record<string, unknown>>; readonly payload: Buffer }

const NEWLINE = 0x0a
const NOTHING = Buffer.alloc(0)

export function encodeFrame(header: Readonly<Record<string, unknown>>, payload: Uint8Array = NOTHING): Buffer {
  const line = Buffer.from(`${JSON.stringify(payload.length > 0 ? { ...header, bytes: payload.length } : header)}\n`)
  return payload.length > 0 ? Buffer.concat([line, payload]) : line
}

/** Takes bytes and returns the complete frames. Throws WORKER_FAILED for malformed input, without repeating it. */
export function createFrameReader(): (bytes: Buffer) => Frame[] {
  let pieces: Buffer[] = []
  let buffered = 0
  let header: Frame['header'] | null = null
  let payloadBytes = 0

  const gather = (): Buffer => {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    pieces = [all]
    return all
  }
  const keep = (rest: Buffer) => {
    pieces = rest.length > 0 ? [rest] : []
    buffered = rest.length
  }

  return (bytes) => {
    const frames: Frame[] = []
    pieces.push(bytes)
    buffered += bytes.length
    // Searches only the new bytes for a line end, so that no sender can make the search quadratic.
    if (header === null && bytes.indexOf(NEWLINE) < 0) {
      if (buffered > HEADER_LIMIT_BYTES) throw malformed(`a line longer than ${HEADER_LIMIT_BYTES} bytes`)
      return frames
    }
    while (true) {
      if (header === null) {
        const all = gather()
        const end = all.indexOf(NEWLINE)
        if (end > HEADER_LIMIT_BYTES || (end < 0 && all.length > HEADER_LIMIT_BYTES))
          throw malformed(`a line longer than ${HEADER_LIMIT_BYTES} bytes`)
        if (end < 0) return frames
        header = readHeader(all.subarray(0, end))
        payloadBytes = payloadOf(header)
        keep(all.subarray(end + 1))
      }
      if (buffered < payloadBytes) return frames
      const all = buffered > 0 ? gather() : NOTHING
      frames.push({ header, payload: Buffer.from(all.subarray(0, payloadBytes)) })
      header = null
      keep(all.subarray(payloadBytes))
      if (buffered === 0) return frames
    }
  }
}

function readHeader(line: Buffer): Frame['header'] {
  try {
    const parsed: unknown = JSON.parse(line.toString('utf8'))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Frame['header']
  } catch {
    // Refused below.
  }
  throw malformed(`a line of ${line.length} bytes that is not a JSON object; print to standard error instead`)
}

function payloadOf({ bytes = 0 }: Readonly<{ bytes?: unknown }>): number {
  if (typeof bytes === 'number' && Number.isInteger(bytes) && bytes >= 0 && bytes <= PAYLOAD_LIMIT_BYTES) return bytes
  throw malformed(`a byte count outside 0 to ${PAYLOAD_LIMIT_BYTES}`)
}

const malformed = (what: string) => new Failure('WORKER_FAILED', `It sent ${what}.`)
