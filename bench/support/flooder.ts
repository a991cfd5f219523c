// Opens connections to a port at a steady rate, sends invalid data on each, and closes them.
import net from 'node:net'

type Request = { readonly end?: boolean; readonly flood?: { readonly port: number; readonly perSecond: number }; readonly stop?: boolean }
const TICK_MS = 10
const OPEN_AT_MOST = 2_000

const sized = (bytes: Buffer, width: number): Buffer => {
  const length = Buffer.alloc(width)
  length.writeUIntBE(bytes.length, 0, width)
  return Buffer.concat([length, bytes])
}
const hex = (text: string) => Buffer.from(text, 'hex')
const extension = (type: string, body: Buffer) => Buffer.concat([hex(type), sized(body, 2)])
/** A TLS 1.3 client hello that is complete enough to make the server answer with key agreement, certificate and signature. */
const hello = (() => {
  const extensions = Buffer.concat([
    extension('002b', hex('020304')),
    extension('000d', hex('000408040403')),
    extension('000a', hex('0002001d')),
    extension('0033', sized(Buffer.concat([hex('001d'), sized(Buffer.alloc(32, 9), 2)]), 2)),
  ])
  const body = Buffer.concat([
    hex('0303'),
    Buffer.alloc(32, 1),
    sized(Buffer.alloc(32, 2), 1),
    sized(hex('13011302'), 2),
    hex('0100'),
    sized(extensions, 2),
  ])
  return Buffer.concat([hex('160301'), sized(Buffer.concat([hex('01'), sized(body, 3)]), 2)])
})()
const INVALID: readonly Buffer[] = [
  Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]),
  Buffer.from('GET / HTTP/1.1\r\nHost: studio\r\n\r\n'),
  Buffer.from('SVA1 0123456789ab\n'), // an unknown machine
  Buffer.from(`SVA1 ${'x'.repeat(100)}\n`),
  Buffer.from([0x16, 3, 1, 0, 5, 9, 9, 9, 9, 9]), // an invalid TLS record
  hello,
  Buffer.alloc(0), // silence
]

let timer: NodeJS.Timeout | null = null
let opened = 0
let refused = 0
let from = 0
const open = new Set<net.Socket>()

function connect(port: number): void {
  if (open.size >= OPEN_AT_MOST) return void refused++
  const socket = net.connect(port, '127.0.0.1')
  const text = INVALID[opened++ % INVALID.length]!
  open.add(socket)
  socket
    .on('error', () => {})
    .on('close', () => open.delete(socket))
    .resume()
  socket.once('connect', () => {
    if (text.length > 0) socket.write(text)
    setTimeout(() => socket.destroy(), 50)
  })
}

process.on('message', ({ end, flood, stop }: Request) => {
  if (end) process.exit(0)
  if (flood) {
    opened = refused = 0
    from = performance.now()
    timer = setInterval(() => {
      const due = Math.floor(((performance.now() - from) / 1000) * flood.perSecond)
      while (opened + refused < due) connect(flood.port)
    }, TICK_MS)
    process.send?.({})
  }
  if (stop) {
    if (timer) clearInterval(timer)
    for (const socket of open) socket.destroy()
    process.send?.({ opened, refused, seconds: (performance.now() - from) / 1000 })
  }
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })
