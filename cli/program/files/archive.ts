// Unpacks a tarball of npm: plain files below one folder, with limits for their number, their sizes and their names.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Failure } from '#shared/protocol/failure.ts'
import { plainMode } from './tree.ts'

const BLOCK = 512
const MAX_UNPACKED = 1_000_000_000
const MAX_FILES = 50_000
const MAX_PATH = 400
const MAX_EXTENDED_BYTES = 64 * 1024
/** Names that mean the same file on every system. */
const NAME = /^[\w@+(][\w@+,. ()[\]~!-]*$/

type Header = { readonly name: string; readonly bytes: number; readonly mode: number; readonly type: string }

/** Writes the files of the tarball, which has the name `title` in messages, below `to`. Throws BAD_REQUEST for one that is not made by npm. */
export function unpackTarball(tarball: Buffer, to: string, title: string): void {
  const bad = (why: string) => new Failure('BAD_REQUEST', `${title} cannot be unpacked: ${why}.`)
  let bytes: Buffer
  try {
    bytes = gunzipSync(tarball, { maxOutputLength: MAX_UNPACKED })
  } catch (cause) {
    throw new Failure('BAD_REQUEST', `${title} cannot be unpacked: ${(cause as Error).message}.`, { cause })
  }
  let longName: string | null = null
  let files = 0
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const block = bytes.subarray(at, at + BLOCK)
    if (block.every((byte) => byte === 0)) break
    const header = headerOf(block)
    if (header === null) throw bad('it is damaged')
    const content = bytes.subarray(at + BLOCK, at + BLOCK + header.bytes)
    if (content.length !== header.bytes) throw bad('it ends early')
    at += BLOCK + Math.ceil(header.bytes / BLOCK) * BLOCK
    if (header.type === 'g') continue
    if (header.type === 'x') {
      if (header.bytes > MAX_EXTENDED_BYTES) throw bad('it is damaged')
      longName = pathIn(content.toString('utf8'))
      continue
    }
    const name = longName ?? header.name
    longName = null
    if (header.type === '5') continue
    if (header.type !== '0') throw bad(`${JSON.stringify(name.slice(0, 100))} is no plain file`)
    // npm puts everything into a folder, whose name means nothing.
    const path = name.split('/').slice(1).join('/')
    if (path.length > MAX_PATH || !path.split('/').every((part) => NAME.test(part) && !part.endsWith('.')))
      throw bad(`it contains the name ${JSON.stringify(name.slice(0, 100))}`)
    if (++files > MAX_FILES) throw bad(`it has more than ${MAX_FILES} files`)
    try {
      place(join(to, path), content, header.mode)
    } catch (error) {
      if (!/^(?:EEXIST|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
      throw bad(`it contains ${JSON.stringify(name.slice(0, 100))} twice`)
    }
  }
  if (files === 0) throw bad('it is empty')
}

function place(path: string, content: Buffer, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, content, { flag: 'wx' })
  chmodSync(path, plainMode(mode))
}

const textIn = (block: Buffer, from: number, length: number): string => {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end)
}
const numberIn = (block: Buffer, from: number, length: number): number => {
  const text = textIn(block, from, length).trim()
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : Number.NaN
}

/** Null for a block that is no header. */
function headerOf(block: Buffer): Header | null {
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  const [bytes, mode] = [numberIn(block, 124, 12), numberIn(block, 100, 8)]
  if (numberIn(block, 148, 8) !== sum || Number.isNaN(bytes) || Number.isNaN(mode)) return null
  const prefix = textIn(block, 257, 5) === 'ustar' ? textIn(block, 345, 155) : ''
  const name = textIn(block, 0, 100)
  const type = textIn(block, 156, 1)
  return { name: prefix === '' ? name : `${prefix}/${name}`, bytes, mode, type: type === '' ? '0' : type }
}

/** The path of an extended header, whose lines are `LENGTH KEY=VALUE`. */
function pathIn(text: string): string | null {
  for (let at = 0; at < text.length; ) {
    const length = Number.parseInt(text.slice(at, at + 10), 10)
    if (!(length > 0)) return null
    const line = text.slice(text.indexOf(' ', at) + 1, at + length - 1)
    if (line.startsWith('path=')) return line.slice('path='.length)
    at += length
  }
  return null
}
