// Writes zip files byte by byte, so that each field can lie.
import { crc32, deflateRawSync } from 'node:zlib'

export type RawEntry = {
  readonly name: string | Buffer
  readonly content: string | Uint8Array
  readonly isDeflated?: boolean
  /** Values of the directory that replace the true ones. */
  readonly crc?: number
  readonly size?: number
  readonly packedSize?: number
  readonly flags?: number
  readonly method?: number
  /** Unix mode. */
  readonly mode?: number
  /** The header of the entry with this index is used instead of an own one. */
  readonly sharesHeaderOf?: number
  /** The name in the header before the bytes, if it differs. */
  readonly localName?: string
}
type Ending = { readonly entryCount?: number; readonly comment?: string; readonly isZip64?: boolean; readonly garbage?: string }

const UTF8_NAMES = 0x0800

export function rawZip(entries: readonly RawEntry[], { entryCount, comment = '', isZip64 = false, garbage = '' }: Ending = {}): Buffer {
  const parts: Buffer[] = []
  const offsets: number[] = []
  const directory: Buffer[] = []
  let at = 0
  const push = (part: Buffer) => {
    parts.push(part)
    at += part.length
  }
  for (const entry of entries) {
    const content = Buffer.from(entry.content as string)
    const packed = entry.isDeflated ? deflateRawSync(content) : content
    const name = Buffer.from(entry.name as string)
    const fields = {
      flags: entry.flags ?? UTF8_NAMES,
      method: entry.method ?? (entry.isDeflated ? 8 : 0),
      crc: entry.crc ?? crc32(content),
      packed: entry.packedSize ?? packed.length,
      size: entry.size ?? content.length,
    }
    if (entry.sharesHeaderOf === undefined) {
      offsets.push(at)
      const localName = entry.localName === undefined ? name : Buffer.from(entry.localName)
      push(header(0x04034b50, fields, localName))
      push(packed)
    } else offsets.push(offsets[entry.sharesHeaderOf]!)
    directory.push(directoryEntry(fields, name, entry.mode ?? 0o100600, offsets.at(-1)!))
  }
  const start = at
  for (const part of directory) push(part)
  const count = entryCount ?? entries.length
  if (isZip64) push(zip64End(count, at - start, start, at))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(isZip64 ? 0xffffffff : start, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, end, Buffer.from(comment), Buffer.from(garbage)])
}

type Fields = {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
}

function header(signature: number, { flags, method, crc, packed, size }: Fields, name: Buffer): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.writeUInt32LE(signature, 0)
  bytes.writeUInt16LE(20, 4)
  bytes.writeUInt16LE(flags, 6)
  bytes.writeUInt16LE(method, 8)
  bytes.writeUInt32LE(crc >>> 0, 14)
  bytes.writeUInt32LE(packed, 18)
  bytes.writeUInt32LE(size, 22)
  bytes.writeUInt16LE(name.length, 26)
  return Buffer.concat([bytes, name])
}

function directoryEntry({ flags, method, crc, packed, size }: Fields, name: Buffer, mode: number, offset: number): Buffer {
  const bytes = Buffer.alloc(46)
  bytes.writeUInt32LE(0x02014b50, 0)
  bytes.writeUInt16LE(0x0314, 4) // Unix
  bytes.writeUInt16LE(20, 6)
  bytes.writeUInt16LE(flags, 8)
  bytes.writeUInt16LE(method, 10)
  bytes.writeUInt32LE(crc >>> 0, 16)
  bytes.writeUInt32LE(packed, 20)
  bytes.writeUInt32LE(size, 24)
  bytes.writeUInt16LE(name.length, 28)
  bytes.writeUInt32LE((mode << 16) >>> 0, 38)
  bytes.writeUInt32LE(offset, 42)
  return Buffer.concat([bytes, name])
}

function zip64End(count: number, size: number, start: number, at: number): Buffer {
  const bytes = Buffer.alloc(56 + 20)
  bytes.writeUInt32LE(0x06064b50, 0)
  bytes.writeBigUInt64LE(44n, 4)
  bytes.writeUInt16LE(45, 12)
  bytes.writeUInt16LE(45, 14)
  bytes.writeBigUInt64LE(BigInt(count), 24)
  bytes.writeBigUInt64LE(BigInt(count), 32)
  bytes.writeBigUInt64LE(BigInt(size), 40)
  bytes.writeBigUInt64LE(BigInt(start), 48)
  bytes.writeUInt32LE(0x07064b50, 56)
  bytes.writeBigUInt64LE(BigInt(at), 64)
  bytes.writeUInt32LE(1, 72)
  return bytes
}
