// The recordings that tenants have sent, so that those of one tenant can be forgotten without work of another one.
import type { TaskInput, TaskRecord } from '#control-plane/tasks/record.ts'
import type { Log } from '#shared/runtime/log.ts'
import { tenantOf } from './relayed-task.ts'

export type Recordings = ReturnType<typeof createRecordings>
type Deps = {
  readonly live: () => Iterable<TaskRecord>
  readonly cancel: (taskId: string) => void
  /** Deletes the recordings and what was derived from them on every machine. */
  readonly forgetOnMachines: (digests: readonly string[]) => Promise<void>
  /** Deletes the files of these digests here. */
  readonly remove: (digest: string) => Promise<void>
  readonly log: Log
}
/** Recordings of one tenant that are remembered. Machines forget all others when they unload an engine. */
const REMEMBERED = 4_096

export function createRecordings({ live, cancel, forgetOnMachines, remove, log }: Deps) {
  const sent = new Map<string, Set<string>>()

  const inputsOf = function* (tenant: (name: string | null) => boolean): Generator<string> {
    for (const { spec } of live()) if (tenant(tenantOf(spec))) for (const { sha256 } of spec.inputs ?? []) yield sha256
  }

  async function forgetNow(digests: readonly string[]): Promise<void> {
    await forgetOnMachines(digests)
    for (const digest of digests) await remove(digest)
  }

  return {
    used(tenant: string, inputs: readonly TaskInput[]): void {
      const own = sent.get(tenant) ?? new Set()
      sent.set(tenant, own)
      for (const { sha256 } of inputs) {
        own.delete(sha256) // the newest last
        own.add(sha256)
      }
      for (const oldest of own) {
        if (own.size <= REMEMBERED) break
        own.delete(oldest)
      }
    },
    /**
     * Forgets recordings of a tenant (SHA-256, lower-case hex) and cancels its tasks that have one; null: all recordings that no task of it has. What another tenant sent as
     * well stays, because it belongs to that one, too.
     */
    forget(tenant: string, digests: readonly string[] | null): void {
      const own = sent.get(tenant) ?? new Set()
      const inUse = new Set(inputsOf((name) => name === tenant))
      const named = digests ?? [...own].filter((digest) => !inUse.has(digest))
      if (digests) {
        const gone = new Set(digests)
        for (const { spec, task } of live())
          if (tenantOf(spec) === tenant && spec.inputs?.some(({ sha256 }) => gone.has(sha256))) cancel(task.id)
      }
      for (const digest of named) own.delete(digest)
      if (own.size === 0) sent.delete(tenant)
      const ofOthers = new Set([...sent].flatMap(([name, all]) => (name === tenant ? [] : [...all])))
      for (const digest of inputsOf((name) => name !== tenant)) ofOthers.add(digest)
      const gone = named.filter((digest) => !ofOthers.has(digest))
      if (gone.length === 0) return
      forgetNow(gone).catch((error: unknown) =>
        log.error({ err: String(error), recordings: gone.length }, 'recordings were not forgotten everywhere'),
      )
    },
  }
}
