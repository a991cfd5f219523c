// Programs in the form of packages, small enough to be made for a test.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

/** A tarball as npm makes them, with the type of every entry: '0' is a file. */
export function tarball(files: Readonly<Record<string, string>>, type = '0'): Buffer {
  const entries = Object.entries(files).flatMap(([path, text]) => {
    const name = `package/${path}`
    const bytes = Buffer.from(text)
    const mode = path.startsWith('bin/') ? 0o755 : 0o644
    return [
      ...(name.length > 100 ? entry('PaxHeader', Buffer.from(paxPath(name)), 0o644, 'x') : []),
      ...entry(name.slice(0, 100), bytes, mode, type),
    ]
  })
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
}

function paxPath(name: string): string {
  const rest = ` path=${name}\n`
  const guess = rest.length + String(rest.length).length
  const length = rest.length + String(guess).length
  return `${length}${rest}`
}

function entry(name: string, bytes: Buffer, mode: number, type: string): Buffer[] {
  const header = Buffer.alloc(512)
  const octal = (value: number, at: number, length: number) => header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  header.write(name, 0)
  octal(mode, 100, 8)
  octal(bytes.length, 124, 12)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\0', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
}

const BODY = join(import.meta.dirname, 'small-start.ts')
/** The files of a small program, which runs `small-start.ts` of this folder. */
export const smallProgram = (version: string): Record<string, string> => ({
  'package.json': JSON.stringify({ name: 'small', version }),
  'bin/small.cjs': `process.argv.splice(2, 0, require('path').join(__dirname, '..'))\nimport(${JSON.stringify(pathToFileURL(BODY).href)})\n`,
})

/** Puts a version in a folder, as npm does. Returns the path of its command. */
export function installSmall(folder: string, version: string): string {
  for (const [path, text] of Object.entries(smallProgram(version))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return join(folder, 'bin/small.cjs')
}

/** A folder with the packages of a version and their digests. `body`: another program. */
export function packSmall(folder: string, version: string, body?: string): string {
  const bytes = tarball({ ...smallProgram(version), ...(body !== undefined && { 'bin/small.cjs': body }) })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `small-${version}.tgz`), bytes)
  writeFileSync(join(folder, 'SHA256SUMS'), `${createHash('sha256').update(bytes).digest('hex')}  small-${version}.tgz\n`)
  return folder
}
