// A setting of the owner is declared once. Storage, limits, encryption, the override by the environment, the routes,
// the Settings page and the reference (docs/settings.md) follow from the declaration.
import type { z } from 'zod'
import type { Overrides } from '#shared/protocol/settings.ts'
import type { Seal } from './seal.ts'

/** Groups of settings as the Settings page shows them. */
export const SETTING_GROUPS = [
  'takes',
  'network',
  'families',
  'device',
  'dictionary',
  'skills',
  'services',
  'dictation',
  'refinement',
  'mcp',
  'backups',
  'limits',
  'marks',
  'hosted',
  'updates',
] as const
/** `help`: one line that says what the value does. */
export type Label = { readonly title: string; readonly help: string }
export type SettingControls = {
  readonly group: (typeof SETTING_GROUPS)[number]
  /** True if a change is in effect after the next start. */
  readonly needsRestart?: true
} & (Label | { /** Fields of an object: one switch for each. */ readonly fields: Readonly<Record<string, Label>> })

export type Setting<T = unknown> = {
  /** The key in storage. A key that was released keeps its meaning for ever. */
  readonly key: string
  /**
   * Right that a change needs, on each route. 'own': it deletes work, opens a network or a path, or has a secret or where one is sent. 'admin':
   * everything else.
   */
  readonly access: 'admin' | 'own'
  readonly schema: z.ZodType<T>
  /** The value when nothing valid is stored. */
  readonly fallback: T
  /** Place and form on the Settings page. Without it, no page shows the setting. */
  readonly controls?: SettingControls
  /** One sentence for the reference. */
  readonly summary: string
  /** The variable that overrides the stored value while it is set. */
  readonly env?: keyof Overrides
  /** Stored encrypted, and never shown. */
  readonly secret?: true
  /** A change has further effects or checks, so only its own service writes it. The sentence says how the owner changes it. */
  readonly changedBy?: string
}
/** Storage of the values, as text by key. */
type TextStore = { readonly get: (key: string) => string | null; readonly set: (key: string, value: string) => void | Promise<void> }
export type OwnerSettings = ReturnType<typeof createOwnerSettings>

export const setting = <S extends z.ZodType>(declaration: Setting<z.output<S>> & { readonly schema: S }): Setting<z.output<S>> =>
  declaration

const MAX_SECRETS = 500

/** A secret and, for a JSON value, the strings in it. */
function textsOf(secret: string): string[] {
  try {
    const inner: string[] = []
    JSON.parse(secret, (_key, value: unknown) => {
      if (typeof value === 'string') inner.push(value)
      return value
    })
    return [secret, ...inner]
  } catch {
    return [secret]
  }
}

/** A string is stored as it is, every other value as JSON. `seal` is needed for secret settings. */
export function createOwnerSettings(store: TextStore, overrides: Overrides = {}, seal: Seal | null = null) {
  const listeners: ((key: string) => void)[] = []
  /** The newest rotation. A second one waits for it: dropping keys must not overtake the writes of the other. */
  let rotation: Promise<unknown> = Promise.resolve()
  /** Secret texts that this process has read or written, so that reports can leave them out. */
  const secrets = new Set<string>()
  function keepSecret(text: string): string {
    if (secrets.size < MAX_SECRETS) secrets.add(text)
    return text
  }
  function parse<T>({ schema }: Setting<T>, text: string) {
    const asText = schema.safeParse(text)
    if (asText.success) return asText
    try {
      return schema.safeParse(JSON.parse(text))
    } catch {
      return asText
    }
  }
  /** The stored or given text as a value; null when the schema of this version refuses it. */
  const parsedText = <T>(one: Setting<T>, text: string | null): T | null => (text === null ? null : (parse(one, text).data ?? null))
  function storedText({ key, secret }: Setting): string | null {
    const text = store.get(key)
    if (text === null || !secret) return text
    const open = seal?.open(text) ?? null
    return open === null ? null : keepSecret(open)
  }
  /** Value from the environment; null when it sets none. */
  const override = <T>(one: Setting<T>): T | null => parsedText(one, one.env === undefined ? null : (overrides[one.env] ?? null))
  /** Value that the owner chose; null when nothing valid is stored. */
  const stored = <T>(one: Setting<T>): T | null => parsedText(one, storedText(one))

  const announce = (key: string): void => {
    for (const listener of listeners) listener(key)
  }
  async function rotate(secrets: readonly Setting[]): Promise<number> {
    if (!seal) return 0
    const open = secrets.flatMap((one) => {
      const text = one.secret ? storedText(one) : null
      return text === null ? [] : [{ key: one.key, text }]
    })
    await seal.addKey()
    await Promise.all(open.map(({ key, text }) => store.set(key, seal.close(text))))
    await seal.dropOldKeys()
    return open.length
  }

  return {
    override,
    stored,
    /** True if something is stored that the schema of this version refuses, or that the key cannot decrypt. */
    isInvalid(one: Setting): boolean {
      if (store.get(one.key) === null) return false
      const text = storedText(one)
      return text === null || !parse(one, text).success
    },
    /** Every text of the secret values that this process has read or written. */
    secretTexts: (): string[] => [...secrets].flatMap(textsOf),
    read: <T>(one: Setting<T>): T => override(one) ?? stored(one) ?? one.fallback,
    /** In effect at once; resolves when durable. A value that the schema refuses is a mistake of the caller and throws a ZodError. */
    async write<T>(one: Setting<T>, value: T): Promise<void> {
      const valid = one.schema.parse(value)
      const text = typeof valid === 'string' ? valid : JSON.stringify(valid)
      if (one.secret && !seal) throw new Error(`The setting ${one.key} is secret and there is no key to encrypt it.`)
      const stored = store.set(one.key, one.secret ? seal!.close(keepSecret(text)) : text)
      announce(one.key)
      try {
        await stored
      } catch (error) {
        // The earlier value is back.
        announce(one.key)
        throw error
      }
    },
    /** Calls back with the key after each write, as soon as the value is in effect, and again when a full disk undoes it. */
    onChange: (listener: (key: string) => void): void => void listeners.push(listener),
    /**
     * Encrypts `secrets` with a new key. A crash at any point leaves every secret readable, because the old key is kept until the last one
     * is durable. Resolves with the number of secrets. Rejects with STORAGE_FULL.
     */
    rotateKey(secrets: readonly Setting[]): Promise<number> {
      const next = rotation.then(() => rotate(secrets))
      rotation = next.catch(() => {})
      return next
    },
  }
}
