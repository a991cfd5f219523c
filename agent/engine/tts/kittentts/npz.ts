// Reads NumPy's .npz format, a zip archive of .npy arrays. Limited to style tables: two-dimensional little-endian floats in row order.

import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { readNpy } from '#agent/engine/runtimes/onnx/npy.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

export type StyleTable = { readonly rows: number; readonly columns: number; readonly values: Float32Array }

const MAX_ENTRIES = 256
const MAX_BYTES = 64 * 1024 * 1024
/** Limit of one table; those of the published models have 0.5 MB. */
const MAX_TABLE_BYTES = 8 * 1024 * 1024
const END_SIGNATURE = 0x0605_4b50
const ENTRY_SIGNATURE = 0x0201_4b50
const LOCAL_SIGNATURE = 0x0403_4b50
const STORED = 0
const DEFLATED = 8

const damaged = (what: string, cause?: unknown) =>
  new Failure('MODEL_NOT_DOWNLOADED', `The voice file is damaged (${what}). Download the model again.`, { cause })

/** Throws MODEL_NOT_DOWNLOADED. */
export async function readNpz(bytes: Buffer): Promise<Map<string, StyleTable>> {
  const tables = new Map<string, StyleTable>()
  for await (const { name, ...table } of npzTables(bytes)) tables.set(name, table)
  return tables
}

/** One table after the other, between which the thread does other work. Throws MODEL_NOT_DOWNLOADED. */
export async function* npzTables(bytes: Buffer): AsyncGenerator<StyleTable & { readonly name: string }> {
  try {
    const names = new Set<string>()
    for await (const [file, array] of entries(bytes)) {
      const name = file.replace(/\.npy$/, '')
      if (names.has(name)) throw damaged('two tables have the same name')
      names.add(name)
      yield { name, ...tableOf(array) }
    }
  } catch (error) {
    throw error instanceof Failure ? error : damaged('it ends early', error)
  }
}

const inflate = promisify(inflateRaw)

async function* entries(bytes: Buffer): AsyncGenerator<[string, Buffer]> {
  // The end record may be followed by a comment of up to 64 KiB.
  let end = bytes.length - 22
  const earliest = Math.max(0, end - 0xffff)
  while (end >= earliest && bytes.readUInt32LE(end) !== END_SIGNATURE) end--
  if (end < earliest || end < 0) throw damaged('it is not a zip archive')
  const count = bytes.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw damaged('it has too many entries')
  let at = bytes.readUInt32LE(end + 16)
  let left = MAX_BYTES
  for (let entry = 0; entry < count; entry++) {
    if (bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged('an entry is missing')
    const method = bytes.readUInt16LE(at + 10)
    const packed = bytes.readUInt32LE(at + 20)
    const size = bytes.readUInt32LE(at + 24)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    left -= size
    if (left < 0 || size > MAX_TABLE_BYTES) throw damaged('it is too large')
    if (bytes.readUInt32LE(local) !== LOCAL_SIGNATURE) throw damaged(`${name.slice(0, 64)} is missing`)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const body = bytes.subarray(from, from + packed)
    if (method !== STORED && method !== DEFLATED) throw damaged('its compression method is unknown')
    await nextTurn()
    const array = method === STORED ? body : await inflate(body, { maxOutputLength: Math.max(1, size) })
    if (array.length !== size) throw damaged('it ends early')
    yield [name, array]
    at += 46 + nameLength + extraLength + commentLength
  }
}

function tableOf(bytes: Buffer): StyleTable {
  try {
    const { dims, values } = readNpy(bytes)
    const [rows, columns] = dims.length === 3 && dims[1] === 1 ? [dims[0], dims[2]] : dims.length === 2 ? dims : []
    if (rows === undefined || columns === undefined) throw damaged('an array is not a table')
    return { rows, columns, values }
  } catch (error) {
    throw error instanceof RangeError ? damaged(`an array: ${error.message}`, error) : error
  }
}
