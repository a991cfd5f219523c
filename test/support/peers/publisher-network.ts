// Preloaded into a studio: port 443 of every name is the server of a test. The programs, the certificates and the checks of addresses stay real.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** Address of the public Internet, so the studio accepts it. */
const PUBLIC = '140.82.112.3'
const port = Number(process.env['VOICE_STUDIO_TEST_PUBLISHER_PORT'])
if (port > 0) {
  dns.promises.lookup = (async () => [{ address: PUBLIC, family: 4 }]) as unknown as typeof dns.promises.lookup
  const connect = net.Socket.prototype.connect as (...values: unknown[]) => net.Socket
  net.Socket.prototype.connect = function (this: net.Socket, ...values: unknown[]) {
    const [given] = values as [unknown]
    const options = (Array.isArray(given) ? given[0] : given) as { port?: number; host?: string; lookup?: unknown }
    if (options?.port === 443) {
      options.port = port
      options.host = '127.0.0.1'
      delete options.lookup
    }
    return connect.apply(this, values)
  } as typeof net.Socket.prototype.connect
  syncBuiltinESMExports()
}
