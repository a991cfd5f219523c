// The enrolled machines and the consent of the owner to use them. Read from memory, written through: placement asks on every task,
// and nothing here changes more often than a person clicks. Presence is not kept here, so that no heartbeat ever writes.

import { z } from 'zod'
import { samePin } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Database } from '../store/database.ts'
import type { Audit } from '../trust/audit.store.ts'

export const LOCAL = 'local'
const Host = z
  .object({
    hostname: z.string(),
    os: z.string(),
    arch: z.string(),
    worker_version: z.string(),
    cpu_count: z.number(),
    system_memory_bytes: z.number(),
    gpus: z.array(z.looseObject({})).readonly(),
  })
  .readonly()
export type Host = Readonly<Omit<z.output<typeof Host>, 'gpus'>> & { readonly gpus: readonly object[] }
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
  /** Of the last renewal: the same one again means that its answer was lost. */
  readonly renewalNonce: string
  /** Why it is refused until a person decides, or null. */
  readonly quarantine: string | null
  /** Released: the next renewal counts, whatever generation it names. */
  readonly resync: boolean
  /** Pins: of the authority that issued its certificate, and of the newest it was told to trust. Empty before the first. */
  readonly issuer: string
  readonly trusts: string
  /** It has shown that the answer with these two arrived. */
  readonly followed: boolean
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
  renewal_nonce: string
  quarantine: string | null
  resync: number
  issuer: string
  trusts: string
  followed: number
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
  host: row.host === '{}' ? null : (Host.safeParse(JSON.parse(row.host)).data ?? null),
  generation: row.generation,
  renewalNonce: row.renewal_nonce,
  quarantine: row.quarantine,
  resync: row.resync === 1,
  issuer: row.issuer,
  trusts: row.trusts,
  followed: row.followed === 1,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  consentId: row.consent_id,
})

type Deps = { readonly db: Database; readonly clock: Clock; readonly random: Random; readonly audit: Audit }

export function createWorkerStore({ db, clock, random, audit }: Deps) {
  const select = db.prepare<[], Row>(
    `select w.*, c.id as consent_id from worker w left join consent c on c.worker_id = w.id and c.withdrawn_at is null`,
  )
  const insert = db.prepare('insert into worker (id, name, pin, endpoint, created_at) values (?, ?, ?, ?, ?)')
  const rekey = db.prepare(
    `update worker set quarantine = iif(pin = @pin, quarantine, null), pin = @pin, generation = generation + 1, renewal_nonce = '' where id = @id`,
  )
  const renew = db.prepare(`update worker set generation = ?, renewal_nonce = ?, resync = 0 where id = ?`)
  const certified = db.prepare('update worker set issuer = ?, trusts = ?, followed = 0 where id = ?')
  const followed = db.prepare('update worker set followed = 1 where id = ?')
  const setAside = db.prepare('update worker set quarantine = ?, quarantined_at = ?, resync = 0 where id = ?')
  const release = db.prepare('update worker set quarantine = null, quarantined_at = null, resync = 1 where id = ?')
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
  let unwritten: { readonly id: string; readonly kind: 'connect' | 'disconnect'; readonly detail: object }[] = []
  const writeSeen = db.transaction(() => {
    for (const { id, kind, detail } of unwritten) audit.record(kind, id, detail)
    for (const id of new Set(unwritten.map((entry) => entry.id))) {
      const { lastSeenAt, host } = known(id)
      seen.run(lastSeenAt, JSON.stringify(host ?? {}), id)
    }
    unwritten = []
  })
  const replaceConsent = db.transaction((id: string, consentId: string | null, at: number) => {
    withdraw.run(at, id)
    if (consentId) grant.run(consentId, id, at)
    audit.record(consentId ? 'consent' : 'withdraw', id)
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
        rekey.run({ id: worker.id, pin: worker.pin })
        audit.record('enrol', worker.id, { key: worker.pin, again: true })
        // A new key cannot have been copied yet; the same key may be the copy that asks.
        const quarantine = samePin(existing.pin, worker.pin) ? existing.quarantine : null
        return change(worker.id, { pin: worker.pin, generation: existing.generation + 1, renewalNonce: '', quarantine })
      }
      insert.run(worker.id, worker.name, worker.pin, worker.endpoint, createdAt)
      audit.record('enrol', worker.id, { key: worker.pin, name: worker.name })
      const row: Worker = {
        ...worker,
        enabled: true,
        revokedAt: null,
        priority: 50,
        host: null,
        generation: 0,
        renewalNonce: '',
        quarantine: null,
        resync: false,
        issuer: '',
        trusts: '',
        followed: false,
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
        audit.record('revoke', id)
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
    /**
     * It came, with what it says of itself, or it left (null). On the disk after the next `flush`: a thousand machines that come back at
     * once are one write.
     */
    seen(id: string, host: Host | null, detail: object = {}): void {
      const worker = known(id)
      change(id, { lastSeenAt: clock.now(), host: host ?? worker.host })
      unwritten.push({ id, kind: host ? 'connect' : 'disconnect', detail })
    },
    flush(): void {
      if (unwritten.length > 0) writeSeen()
    },
    renewed(id: string, generation: number, nonce: string): Worker {
      known(id)
      db.transaction(() => {
        renew.run(generation, nonce, id)
        audit.record('renew', id, { generation })
      })()
      return change(id, { generation, renewalNonce: nonce, resync: false })
    },
    /** What its newest certificate says: who issued it, and whom it was told to trust. */
    certified(id: string, issuer: string, trusts: string): void {
      const worker = known(id)
      if (worker.issuer === issuer && worker.trusts === trusts) return
      certified.run(issuer, trusts, id)
      change(id, { issuer, trusts, followed: false })
    },
    /** It holds its newest certificate: an answer that was sent need not have arrived. */
    followed(id: string): void {
      if (known(id).followed) return
      followed.run(id)
      change(id, { followed: true })
    },
    /** The first reason stays: the second is most likely its consequence. */
    setAside(id: string, reason: string): Worker {
      const worker = known(id)
      if (worker.quarantine !== null) return worker
      db.transaction(() => {
        setAside.run(reason, clock.now(), id)
        audit.record('quarantine', id, { reason })
      })()
      return change(id, { quarantine: reason, resync: false })
    },
    /** Nothing for a worker that is not set aside. */
    release(id: string): Worker {
      if (known(id).quarantine === null) return known(id)
      db.transaction(() => {
        release.run(id)
        audit.record('release', id)
      })()
      return change(id, { quarantine: null, resync: true })
    },
  }
}
