// Reads the server name from the first TLS record of a client, which is not encrypted. It distinguishes a renewing machine from a flood before
// any cryptography. The name is only a claim.

/** A longer hello is refused. */
export const HELLO_LIMIT_BYTES = 4096
const HANDSHAKE = 0x16
const CLIENT_HELLO = 1
const SERVER_NAME = 0
const HOST_NAME = 0

/** Undefined: more bytes are needed. Null: not a hello, or one without a server name. */
export function serverNameOf(bytes: Buffer): string | null | undefined {
  if (bytes[0] !== HANDSHAKE) return null
  if (bytes.length < 5) return undefined
  const end = 5 + bytes.readUInt16BE(3)
  if (end > HELLO_LIMIT_BYTES) return null
  if (bytes.length < end) return undefined
  try {
    return readName(bytes.subarray(5, end))
  } catch {
    return null // a length that points outside the record
  }
}

/** Throws a RangeError for wrong lengths. */
function readName(hello: Buffer): string | null {
  if (hello[0] !== CLIENT_HELLO) return null
  let at = 4 + 2 + 32 // type and length, version, random
  at += 1 + hello.readUInt8(at) // session id
  at += 2 + hello.readUInt16BE(at) // cipher suites
  at += 1 + hello.readUInt8(at) // compression methods
  const end = at + 2 + hello.readUInt16BE(at)
  for (at += 2; at < end; ) {
    const type = hello.readUInt16BE(at)
    const size = hello.readUInt16BE(at + 2)
    if (type !== SERVER_NAME) {
      at += 4 + size
      continue
    }
    if (hello.readUInt8(at + 6) !== HOST_NAME) return null
    const from = at + 9
    const to = from + hello.readUInt16BE(at + 7)
    return to <= hello.length && to <= at + 4 + size ? hello.toString('latin1', from, to) : null
  }
  return null
}
