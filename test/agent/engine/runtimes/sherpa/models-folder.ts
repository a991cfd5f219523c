// A model folder with one model of the speech library.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { placeModel } from '#test/support/models/place-model.ts'

export function modelsFolder(t: TestContext, name: string, contents: Readonly<Record<string, Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'studio-models-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  placeModel(root, SHERPA_ID, name, contents)
  return root
}
