// A setting of the owner is declared once. Storage, limits, encryption, the override by the environment, the routes (areas/setting-routes.ts)
// and the reference (docs/settings.md) follow from the declaration.
import type { z } from 'zod'
import type { Overrides } from '#shared/protocol/settings.ts'
import type { Seal } from './seal.ts'

export type Setting<T = unknown> = {
  /** The key in storage. A key that was released keeps its meaning for ever. */
  readonly key: string
  readonly schema: z.ZodType<T>
  /** The value when nothing valid is stored. */
  readonly fallback: T
  /** One sentence for the reference. */
  readonly summary: string
  /** The variable that overrides the stored value while it is set. */
  readonly env?: keyof Overrides
  /** Stored encrypted, and never shown. */
  readonly secret?: true
}
/** Where the values are, as text by key. */
type TextStore = { readonly get: (key: string) => string | null; readonly set: (key: string, value: string) => void | Promise<void> }
export type OwnerSettings = ReturnType<typeof createOwnerSettings>

export const setting = <S extends z.ZodType>(declaration: Setting<z.output<S>> & { readonly schema: S }): Setting<z.output<S>> =>
  declaration

/** A string is stored as it is, every other value as JSON. `seal` is needed for secret settings. */
export function createOwnerSettings(store: TextStore, overrides: Overrides = {}, seal: Seal | null = null) {
  /** The stored or given text as a value; null when the schema of this version refuses it. */
  function parsedText<T>({ schema }: Setting<T>, text: string | null): T | null {
    if (text === null) return null
    const asText = schema.safeParse(text)
    if (asText.success) return asText.data
    try {
      return schema.safeParse(JSON.parse(text)).data ?? null
    } catch {
      return null
    }
  }
  function storedText({ key, secret }: Setting): string | null {
    const text = store.get(key)
    return text !== null && secret ? (seal?.open(text) ?? null) : text
  }
  /** What the environment sets; null when it sets nothing. */
  const override = <T>(one: Setting<T>): T | null => parsedText(one, one.env === undefined ? null : (overrides[one.env] ?? null))
  /** What the owner chose; null when nothing valid is stored. */
  const stored = <T>(one: Setting<T>): T | null => parsedText(one, storedText(one))

  return {
    override,
    stored,
    read: <T>(one: Setting<T>): T => override(one) ?? stored(one) ?? one.fallback,
    /** In effect at once; resolves when durable. A value that the schema refuses is a mistake of the caller and throws a ZodError. */
    async write<T>(one: Setting<T>, value: T): Promise<void> {
      const valid = one.schema.parse(value)
      const text = typeof valid === 'string' ? valid : JSON.stringify(valid)
      if (one.secret && !seal) throw new Error(`The setting ${one.key} is secret and there is no key to encrypt it.`)
      await store.set(one.key, one.secret ? seal!.close(text) : text)
    },
  }
}
