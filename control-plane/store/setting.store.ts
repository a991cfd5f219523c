// Choices that outlive a restart, as text by key.
import type { Database } from './database.ts'

export type SettingStore = ReturnType<typeof createSettings>

export function createSettings(db: Database) {
  const rows = db.prepare<[], { key: string; value: string }>('select key, value from setting').all()
  const put = db.prepare('insert into setting (key, value) values (?, ?) on conflict (key) do update set value = excluded.value')
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return {
    get: (key: string): string | null => values.get(key) ?? null,
    set(key: string, value: string): void {
      put.run(key, value)
      values.set(key, value)
    },
  }
}
