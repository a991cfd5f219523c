// Settings that live in memory only, for tests of areas.
import type { SettingStore } from '#control-plane/store/setting.store.ts'

export function createFakeSettings(): SettingStore {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key) ?? null,
    async set(key, value) {
      values.set(key, value)
    },
  }
}
