// Chooses the voice and the engine of a client: what the call names, else the binding of the client, else the default of the owner.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { BindingChange, BindingRow } from './bindings.contract.ts'
import type { BindingStore } from './bindings.store.ts'

type Deps = {
  readonly store: BindingStore
  /** The voice of clients without one; '' for none. */
  readonly defaultVoice: () => string
  readonly clock: Clock
  readonly log: Log
}
export type Bindings = ReturnType<typeof createBindings>
/** `source`: where the voice comes from. Null: the default voice, the selected engine. */
export type ResolvedVoice = {
  readonly voice: string | null
  readonly engine: string | null
  readonly source: 'call' | 'client' | 'default' | 'none'
}
type Named = { readonly voice: string | null; readonly engine: string | null }

const MOST = 1_000
const CONTROL = /[\u0000-\u001f\u007f]/

export function createBindings({ store, defaultVoice, clock, log }: Deps) {
  return {
    list: (): BindingRow[] => store.list(),

    /** Throws BAD_REQUEST for a blank id, CONFLICT for too many, STORAGE_FULL. */
    write(change: BindingChange): BindingRow {
      // A server drops the blanks around the value of a header, so an id with them would never match.
      const client_id = change.client_id.trim()
      if (client_id === '') throw new Failure('BAD_REQUEST', 'client_id must not be blank.')
      if (CONTROL.test(client_id)) throw new Failure('BAD_REQUEST', 'client_id must not contain control characters.')
      const before = store.find(client_id)
      if (!before && store.count() >= MOST)
        throw new Failure('CONFLICT', `There are ${MOST} clients with a voice. Remove those that are no longer used.`)
      store.write({
        client_id,
        label: changed(change.label, before?.label),
        profile_id: changed(change.profile_id, before?.profile_id),
        default_engine: changed(change.default_engine, before?.default_engine),
        last_seen_at: before?.last_seen_at ?? null,
        created_at: before?.created_at ?? clock.now() / 1000,
      })
      return store.find(client_id)!
    },

    /** Throws NOT_FOUND. */
    remove(clientId: string): { deleted: string } {
      if (!store.remove(clientId)) throw new Failure('NOT_FOUND', 'This client has no voice of its own.')
      return { deleted: clientId }
    },

    /** Chooses the voice, and records that the client was seen. `clientId`: as the client sent it; null without one. */
    resolve(clientId: string | null, named: Named): ResolvedVoice {
      const binding = clientId === null ? null : store.find(clientId)
      if (binding) seen(binding.client_id)
      const engine = named.engine ?? binding?.default_engine ?? null
      if (named.voice !== null) return { voice: named.voice, engine, source: 'call' }
      if (binding?.profile_id) return { voice: binding.profile_id, engine, source: 'client' }
      const voice = defaultVoice() || null
      return { voice, engine, source: voice === null ? 'none' : 'default' }
    },
  }

  /** A full disk must not stop a client from speaking. */
  function seen(clientId: string): void {
    try {
      store.touch(clientId, clock.now() / 1000)
    } catch (error) {
      log.warn({ err: String(error) }, 'the last use of an MCP client could not be recorded')
    }
  }
}

const changed = (value: string | null, before: string | null = null): string | null => (value === null ? before : value.trim() || null)
