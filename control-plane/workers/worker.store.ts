// The enrolled machines and the consent of the owner to use them. Read from memory, written through: placement asks on every task,
// and nothing here changes more often than a person clicks. Presence is not kept here, so that no heartbeat ever writes.

import { samePin } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Database } from '../store/database.ts'

export const LOCAL = 'local'
export type Host = {
  readonly hostname: string
  readonly os: string
  readonly arch: string
  readonly worker_version: string
  readonly cpu_count: number
  readonly system_memory_bytes: number
  readonly gpus: readonly object[]
}
export type Worker = {
  readonly id: string
  readonly name: string
  /** SHA-256 of its key's SPKI: the identity. */
  readonly pin: string
  readonly enabled: boolean
  readonly revokedAt: number | null
  readonly priority: number
  readonly endpoint: string
  readonly host: Host | null
  readonly generation: number
  readonly createdAt: number
  readonly lastSeenAt: number | null
  /** The live consent, or null: then no byte of a task may be sent. */
  readonly consentId: string | null
}
export type WorkerStore = ReturnType<typeof createWorkerStore>
type Row = {
  id: string
  name: string
  pin: string
  enabled: number
  revoked_at: number | null
  priority: number
  endpoint: string
  host: string
  generation: number
  created_at: number
  last_seen_at: number | null
  consent_id: string | null
}

const fromRow = (row: Row): Worker => ({
  id: row.id,
  name: row.name,
  pin: row.pin,
  enabled: row.enabled === 1,
  revokedAt: row.revoked_at,
  priority: row.priority,
  endpoint: row.endpoint,
  host: row.host === '{}' ? null : (JSON.parse(row.host) as Host),
  generation: row.generation,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  consentId: row.consent_id,
})

export function createWorkerStore({ db, clock, random }: { readonly db: Database; readonly clock: Clock; readonly random: Random }) {
  const select = db.prepare<[], Row>(
    `select w.*, c.id as consent_id from worker w left join consent c on c.worker_id = w.id and c.withdrawn_at is null`,
  )
  const insert = db.prepare('insert into worker (id, name, pin, endpoint, created_at) values (?, ?, ?, ?, ?)')
  const rekey = db.prepare('update worker set pin = ?, generation = generation + 1 where id = ?')
  const patch = db.prepare('update worker set name = ?, enabled = ?, priority = ? where id = ?')
  const revoke = db.prepare('update worker set revoked_at = ?, enabled = 0 where id = ?')
  const revive = db.prepare('update worker set revoked_at = null, enabled = 1 where id = ?')
  const seen = db.prepare('update worker set last_seen_at = ?, host = ? where id = ?')
  const grant = db.prepare('insert into consent (id, worker_id, granted_at) values (?, ?, ?)')
  const withdraw = db.prepare('update consent set withdrawn_at = ? where worker_id = ? and withdrawn_at is null')

  const workers = new Map<string, Worker>()
  const readAll = () => {
    workers.clear()
    for (const row of select.all()) workers.set(row.id, fromRow(row))
  }
  readAll()
  const change = (id: string, change: Partial<Worker>): Worker => {
    const worker = { ...known(id), ...change }
    workers.set(id, worker)
    return worker
  }
  function known(id: string): Worker {
    const worker = workers.get(id)
    if (!worker) throw new Failure('NOT_FOUND', 'No such worker.')
    return worker
  }
  const unwritten = new Set<string>()
  const writeSeen = db.transaction(() => {
    for (const id of unwritten) {
      const { lastSeenAt, host } = known(id)
      seen.run(lastSeenAt, JSON.stringify(host ?? {}), id)
    }
    unwritten.clear()
  })
  const replaceConsent = db.transaction((id: string, consentId: string | null, at: number) => {
    withdraw.run(at, id)
    if (consentId) grant.run(consentId, id, at)
  })

  return {
    get: (id: string): Worker | undefined => workers.get(id),
    /** Throws NOT_FOUND. */
    known,
    /** By priority, then by age; `local` and removed machines are not among them. */
    enrolled: (): Worker[] =>
      [...workers.values()]
        .filter(({ id, revokedAt }) => id !== LOCAL && revokedAt === null)
        .sort((a, b) => b.priority - a.priority || a.createdAt - b.createdAt),
    all: (): IterableIterator<Worker> => workers.values(),
    byPin: (pin: string): Worker | undefined => [...workers.values()].find((worker) => samePin(worker.pin, pin)),
    /** Inside the transaction that spends the join code; `rolledBack` when that came to nothing. */
    add(worker: { id: string; name: string; pin: string; endpoint: string }): Worker {
      const createdAt = clock.now()
      const existing = workers.get(worker.id)
      if (existing) {
        rekey.run(worker.pin, worker.id)
        return change(worker.id, { pin: worker.pin, generation: existing.generation + 1 })
      }
      insert.run(worker.id, worker.name, worker.pin, worker.endpoint, createdAt)
      const row: Worker = {
        ...worker,
        enabled: true,
        revokedAt: null,
        priority: 50,
        host: null,
        generation: 0,
        createdAt,
        lastSeenAt: null,
        consentId: null,
      }
      workers.set(worker.id, row)
      return row
    },
    /** What was added is known only if the table knows it. */
    rolledBack: readAll,
    patch(id: string, wish: { name?: string | null; enabled?: boolean | null; priority?: number | null }): Worker {
      const worker = known(id)
      const name = wish.name ?? worker.name
      const enabled = wish.enabled ?? worker.enabled
      const priority = wish.priority ?? worker.priority
      patch.run(name, enabled ? 1 : 0, priority, id)
      return change(id, { name, enabled, priority })
    },
    /** The row stays, so that the key stays refused after a restart. */
    revoke(id: string): Worker {
      known(id)
      const at = clock.now()
      db.transaction(() => {
        revoke.run(at, id)
        withdraw.run(at, id)
      })()
      return change(id, { revokedAt: at, enabled: false, consentId: null })
    },
    /** Its owner's panel was let in again by the machine itself, under the same key. It starts without consent, as anybody. */
    revive(id: string): Worker {
      known(id)
      revive.run(id)
      return change(id, { revokedAt: null, enabled: true, consentId: null })
    },
    /** A new yes, also when there is one already: its moment is stamped anew. */
    grant(id: string): Worker {
      if (known(id).revokedAt !== null) throw new Failure('CONFLICT', 'This machine was removed; enrol it again first.')
      const consentId = random.hex(8)
      replaceConsent(id, consentId, clock.now())
      return change(id, { consentId })
    },
    withdraw(id: string): Worker {
      known(id)
      replaceConsent(id, null, clock.now())
      return change(id, { consentId: null })
    },
    /** It came or went. On the disk after the next `flush`: a thousand machines that come back at once are one write. */
    seen(id: string, host: Host | null): void {
      const worker = known(id)
      change(id, { lastSeenAt: clock.now(), host: host ?? worker.host })
      unwritten.add(id)
    },
    flush(): void {
      if (unwritten.size > 0) writeSeen()
    },
  }
}
