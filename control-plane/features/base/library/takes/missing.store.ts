// Takes whose files are missing. Their rows are removed when they are read, but not while the folder of the takes looks as if its disk were absent, or
// as if a backup were restored in part: the whole list is there when the disk is mounted again.
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

/** The rows with the sizes of their files. Those without a file are removed, or have no bytes while none may be. */
export function presentTakes<Row extends { readonly id: string; readonly audio_path: string }>(
  rows: readonly Row[],
  sizeOf: (name: string) => number | null,
  mayRemove: () => boolean,
  remove: (id: string) => void,
): (Row & { readonly size_bytes: number })[] {
  let isRemoved: boolean | null = null
  return rows.flatMap((row) => {
    const size = sizeOf(row.audio_path)
    if (size !== null) return [{ ...row, size_bytes: size }]
    isRemoved ??= mayRemove()
    if (!isRemoved && isFileName(row.audio_path)) return [{ ...row, size_bytes: 0 }]
    remove(row.id)
    return []
  })
}

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
