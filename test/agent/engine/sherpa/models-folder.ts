// A folder of models with one for the speech library in it, as a download leaves it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { SHERPA_ENGINE } from '#agent/engine/sherpa/models.ts'

export function modelsFolder(t: TestContext, name: string, contents: Readonly<Record<string, Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'studio-models-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  placeModel(root, name, contents)
  return root
}

export function placeModel(root: string, name: string, contents: Readonly<Record<string, Uint8Array>>): void {
  const place = join(root, SHERPA_ENGINE, name)
  mkdirSync(place, { recursive: true })
  const files = Object.entries(contents).map(([path, bytes]) => {
    writeFileSync(join(place, path), bytes)
    return { path, repo: 'planted/planted', revision: '0'.repeat(40), size: bytes.length, sha256: '0'.repeat(64) }
  })
  const manifest = { version: 1, id: 'planted', engine: SHERPA_ENGINE, model: name, by: 'test', digest: '0'.repeat(64), files }
  writeFileSync(join(place, 'manifest.json'), JSON.stringify(manifest))
}
