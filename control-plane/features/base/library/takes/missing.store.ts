// Takes whose files are missing. Their rows are removed when they are read, but not while the folder of the takes looks as if its disk were absent, or
// as if a backup were restored in part: whoever mounts the disk again has the whole list.
import { readdirSync } from 'node:fs'
import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { Database } from '#control-plane/store/database.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { isFileName } from '#shared/runtime/file.ts'

export type MissingTakes = ReturnType<typeof createMissingTakes>
type Deps = {
  readonly db: Database
  readonly audioFolder: string
  readonly setting: SettingsApi['missingTakes']
  readonly clock: Pick<Clock, 'mono'>
}
type Choice = ReturnType<Deps['setting']['choice']>
type Found = { readonly missing: number; readonly isKept: boolean }

/** Rows that may go at any time; beyond them, a tenth of all. */
const FEW = 3
const SHARE = 0.1
/** The folder is read again after this time at most. */
const FRESH_MS = 30_000

export function createMissingTakes({ db, audioFolder, setting, clock }: Deps) {
  const rows = db.prepare<[], { id: string; audio_path: string }>('select id, audio_path from generation_history')
  const remove = db.prepare('delete from generation_history where id = ?')
  const removeAll = db.transaction((ids: readonly string[]) => {
    for (const id of ids) remove.run(id)
  })
  let last: { readonly at: number; readonly choice: Choice; readonly found: Found } | null = null

  /** Names in the folder; null without one. Files that begin with a dot mark folders in which a disk belongs. */
  function present(): ReadonlySet<string> | null {
    try {
      return new Set(readdirSync(audioFolder).filter((name) => !name.startsWith('.')))
    } catch {
      return null
    }
  }
  function look(choice: Choice): Found {
    const files = present()
    const missing: string[] = []
    let takes = 0
    for (const { id, audio_path: name } of rows.iterate()) {
      // Others name no file at all.
      if (!isFileName(name)) continue
      takes++
      if (!files?.has(name)) missing.push(id)
    }
    // Once, so that the choice does not remove the takes of a disk that is absent later.
    if (choice === 'remove') removeAll(missing.splice(0))
    if (missing.length === 0 && choice !== 'auto') void setting.settle().catch(() => {}) // it is tried again
    const isSuspicious = !files?.size || missing.length > Math.max(FEW, takes * SHARE)
    return { missing: missing.length, isKept: missing.length > 0 && (choice === 'keep' || isSuspicious) }
  }
  function find(choice: Choice): Found {
    if (last?.choice !== choice || !last.found.isKept || clock.mono() - last.at > FRESH_MS)
      last = { at: clock.mono(), choice, found: look(choice) }
    return last.found
  }

  return {
    /** True if rows without files may be removed now. Called when some were found. */
    mayRemove: (): boolean => !find(setting.choice()).isKept,
    /** Takes that stay in the list without their files; 0 in the usual case, and before a list was read. */
    kept(): number {
      const choice = setting.choice()
      // The folder of a studio where nothing is missing is not read again and again.
      if (choice === 'auto' && !last?.found.isKept) return 0
      const { missing, isKept } = find(choice)
      return isKept ? missing : 0
    },
  }
}
