// A connection of an unauthenticated peer that may send only so many bytes. The count includes everything: headers, settings, and frames that
// no stream ever gets, each of which costs memory or time.
import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'

/** The same connection. It is destroyed, after `onExceeded`, as soon as the peer has sent more than `maxBytes`. */
export function limitBytes(socket: TLSSocket, maxBytes: number, onExceeded: () => void): Duplex {
  let received = 0
  const limited = new Duplex({
    read: () => void socket.resume(),
    write: (bytes, _encoding, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length
    if (received > maxBytes) {
      onExceeded()
      socket.removeAllListeners('data')
      return void limited.destroy()
    }
    if (!limited.push(bytes)) socket.pause()
  })
  socket.once('end', () => limited.push(null))
  socket.once('close', () => limited.destroy())
  return limited
}
