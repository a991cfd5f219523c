// Every setting by its key, for the command line: what is in effect and where it comes from. Values of secrets are never returned.

import type { Principal } from '#control-plane/http/contract/caller.ts'
import type { OwnerSettings, Setting, SettingControls } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { acceptedValues, valueFormOf } from './value-form.rules.ts'

type Deps = { readonly settings: OwnerSettings; readonly declared: readonly Setting[] }
export type Values = ReturnType<typeof createValues>

function pageOf(controls: SettingControls) {
  const labels = 'fields' in controls ? Object.entries(controls.fields) : [[null, controls] as const]
  return {
    group: controls.group,
    needs_restart: controls.needsRestart === true,
    controls: labels.map(([field, { title, help }]) => ({ field, title, help })),
  }
}

export function createValues({ settings, declared }: Deps) {
  const byKey = new Map(declared.map((one) => [one.key, one]))
  const forms = new Map(declared.map((one) => [one.key, valueFormOf(one)]))
  /** Throws NOT_FOUND. */
  function required(key: string): Setting {
    const found = byKey.get(key)
    if (found) return found
    throw new Failure('NOT_FOUND', `There is no setting ${key.slice(0, 100)}. List all with ${COMMAND} settings list.`)
  }
  /** `isOwner`: whether the sender of the request has the role own. */
  function row(one: Setting, isOwner: boolean) {
    const isOverridden = settings.override(one) !== null
    const isStored = settings.stored(one) !== null
    return {
      key: one.key,
      page: one.controls === undefined ? null : pageOf(one.controls),
      value: one.secret ? null : settings.read(one),
      default: one.secret ? null : one.fallback,
      source: isOverridden ? ('environment' as const) : isStored ? ('stored' as const) : ('default' as const),
      secret: one.secret === true,
      is_set: isOverridden || isStored,
      overridden_by: one.env ?? null,
      changed_by: one.changedBy ?? null,
      may_change: isOwner || one.access !== 'own',
      summary: one.summary,
      form: forms.get(one.key)!,
    }
  }
  return {
    async list({ mayOwn }: Pick<Principal, 'mayOwn'>) {
      const isOwner = await mayOwn()
      return { settings: [...byKey.values()].map((one) => row(one, isOwner)) }
    },
    get: async (key: string, { mayOwn }: Pick<Principal, 'mayOwn'>) => row(required(key), await mayOwn()),
    /**
     * Throws NOT_FOUND, FORBIDDEN for a setting that the sender may not change, BAD_REQUEST for a value that the setting refuses, and CONFLICT for a
     * setting that only its own route changes.
     */
    async set(key: string, value: unknown, { name, mayOwn }: Pick<Principal, 'name' | 'mayOwn'>) {
      const one = required(key)
      const isOwner = await mayOwn()
      if (one.access === 'own' && !isOwner) throw new Failure('FORBIDDEN', `This needs the role own, and this key has the role ${name}.`)
      if (one.secret || one.changedBy !== undefined)
        throw new Failure('CONFLICT', one.changedBy ?? `${key} is a secret. Change it in the settings, which ties it to its server.`)
      const { data, error } = one.schema.safeParse(value)
      if (error) throw new Failure('BAD_REQUEST', acceptedValues(forms.get(key)!))
      await settings.write(one, data)
      return row(one, isOwner)
    },
    /** Encrypts every secret with a new key; the old key opens nothing afterwards. Throws STORAGE_FULL. */
    async rotateKey() {
      const secrets = [...byKey.values()].filter(({ secret }) => secret)
      return { rotated: await settings.rotateKey(secrets) }
    },
  }
}
