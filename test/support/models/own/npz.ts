// Tables of voices as NumPy writes them.
import { crc32, deflateRawSync } from 'node:zlib'

/** A table of floats. */
export function npy(rows: number, columns: number, values: Float32Array, descr = '<f4'): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const padded = `${header.padEnd(117)}\n`
  const head = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1')
  head.writeUInt16LE(padded.length, 8)
  return Buffer.concat([head, Buffer.from(padded), Buffer.from(values.buffer)])
}
/** A zip as numpy writes it. */
export function zip(arrays: Readonly<Record<string, Buffer>>, isPacked = false): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, bytes] of Object.entries(arrays)) {
    const body = isPacked ? deflateRawSync(bytes) : bytes
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isPacked ? 8 : 0, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(body.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), body])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, place, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(locals.length, 8)
  end.writeUInt16LE(locals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}
