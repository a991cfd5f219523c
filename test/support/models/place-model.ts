// Places a model in the folder of an agent, as a download does.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `model`: '' for the default of the engine. */
export function placeModel(root: string, engine: string, model: string, contents: Readonly<Record<string, Uint8Array | string>>): void {
  const place = join(root, engine, model || 'default')
  const files = Object.entries(contents).map(([path, bytes]) => {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), bytes)
    return { path, repo: 'planted/planted', revision: '0'.repeat(40), size: Buffer.byteLength(bytes), sha256: sha256Of(bytes) }
  })
  const manifest = { version: 1, id: 'planted', engine, model, by: 'test', digest: '0'.repeat(64), files }
  writeFileSync(join(place, 'manifest.json'), JSON.stringify(manifest))
}

const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
