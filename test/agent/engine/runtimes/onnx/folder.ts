// A folder for the files of one test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** Writes the files and gives their absolute paths under the names they were given. */
export function filesIn(t: TestContext, files: Readonly<Record<string, Uint8Array | string>>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'model-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return new Map(
    Object.entries(files).map(([name, bytes]) => {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
      return [name, path]
    }),
  )
}
