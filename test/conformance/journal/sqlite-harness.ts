// The harness of the SQLite body, on a file in a folder of its own.
import { join } from 'node:path'
import { openDatabase, openSync } from '#control-plane/store/database.ts'
import type { EventRow } from '#control-plane/store/rows.ts'
import { openSqliteJournal } from '#control-plane/store/sqlite/journal.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import type { JournalFactory } from './harness.ts'

export const sqliteHarness: JournalFactory = (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  const parts = () => {
    const db = openDatabase(path)
    return { db, wal: openSync(path) }
  }
  let opened: ReturnType<typeof parts> | null = null
  const close = async () => {
    opened?.wal.close()
    opened?.db.close()
    opened = null
  }
  t.after(close)
  return {
    async open() {
      opened = parts()
      return openSqliteJournal({ db: opened.db, sync: opened.wal.sync })
    },
    crash: close,
    async setDiskFull(isFull) {
      opened!.db.pragma(`query_only = ${isFull ? 'on' : 'off'}`)
    },
    events: async () =>
      opened!.db.prepare<[], EventRow>('select task_id, epoch, at, kind, phase, worker_id, code from task_event order by seq, place').all(),
  }
}
