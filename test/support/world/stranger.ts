// A peer without a certificate, as raw HTTP/2 over TLS, and the memory of the process that it attacks.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import type { TestContext } from 'node:test'
import tls, { type TLSSocket } from 'node:tls'

/** Resident memory of a process in bytes. */
export const residentBytes = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m)![1]) * 1024

/** A TLS connection from `localAddress`, which may be any address in 127.0.0.0/8. */
export async function connectTls(
  t: TestContext,
  port: number,
  localAddress = '127.0.0.1',
  options: tls.ConnectionOptions = {},
  onSession: (session: Buffer) => void = () => {},
): Promise<TLSSocket> {
  const raw = net.connect({ port, host: '127.0.0.1', localAddress })
  t.after(() => raw.destroy())
  const socket = tls.connect({
    socket: raw,
    servername: 'studio',
    ALPNProtocols: ['h2'],
    // The attacker does not care whom it attacks.
    rejectUnauthorized: false,
    ...options,
  })
  raw.on('error', () => {})
  socket
    .on('error', () => {})
    .on('session', onSession)
    .resume()
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
  return socket
}

const DATA = 0
const HEADERS = 1
const SETTINGS = 4
const END_HEADERS = 4

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])

export const PREFACE = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, 0, Buffer.alloc(0))])

/** Opens a gRPC call on an odd stream number. */
export const openCall = (stream: number, path: string): Buffer =>
  frame(
    HEADERS,
    END_HEADERS,
    stream,
    Buffer.concat([
      Buffer.from([0x83, 0x87]), // POST, https
      Buffer.from([0x04]),
      text(path),
      Buffer.from([0x01]),
      text('studio'),
      Buffer.from([0x0f, 0x10]),
      text('application/grpc'),
      Buffer.from([0x00]),
      text('te'),
      text('trailers'),
    ]),
  )

/** The length prefix of a gRPC message. */
export function announce(stream: number, bytes: number): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(bytes, 1)
  return frame(DATA, 0, stream, prefix)
}

/** `bytes` zeros in DATA frames of `size`. */
export function zeros(stream: number, bytes: number, size: number): Buffer {
  const one = frame(DATA, 0, stream, Buffer.alloc(size))
  return Buffer.concat(Array.from({ length: Math.floor(bytes / size) }, () => one))
}
