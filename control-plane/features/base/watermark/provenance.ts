// The provenance mark: a key that only this studio has, and a payload that identifies the installation and the request.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

export type Mark = { readonly key: Uint8Array; readonly payload: number }
/** The mark of a task. Equal requests get equal marks, because equal seeds must give equal bytes. */
export type Provenance = (spec: { readonly engine: string; readonly params: string }) => Mark

export function loadProvenance(dataDir: string): { readonly key: Uint8Array; readonly provenance: Provenance } {
  const path = join(privateFolder(join(dataDir, 'authority')), 'provenance.key')
  if (!existsSync(path)) writeAtomic(path, randomBytes(32))
  const key = readFileSync(path)
  const installation = createHash('sha256').update(key).digest().readUInt16BE(0) >>> 4 // 12 bits
  return {
    key,
    provenance: ({ engine, params }) => {
      const request = createHmac('sha256', key).update(`${engine} ${params}`).digest().readUInt32BE(0) >>> 12 // 20 bits
      return { key, payload: installation * 2 ** 20 + request }
    },
  }
}
