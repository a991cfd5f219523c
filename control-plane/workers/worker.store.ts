// The enrolled machines and the consent of the owner to use them. Read from memory, because placement reads them for every task; written
// with the batch of all stores. Presence is not kept here, so that no heartbeat ever writes.
import { z } from 'zod'
import type { Audit } from '#control-plane/audit/audit.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { JournalState } from '#control-plane/store/journal.ts'
import type { StoredWorker } from '#control-plane/store/rows.ts'
import { samePin } from '#shared/pki/pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createConsents } from './consents.ts'
import { createLasting } from './lasting.ts'
import { createPoolMachines } from './pool-machines.ts'
import {
  type ConsentTerms,
  changesOf,
  consentTermsOf,
  type DeclaredPool,
  type PoolTerms,
  readConsentTerms,
  readDeclared,
  stored,
  termsDigest,
  termsOf,
} from './pool-terms.ts'

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
    unusable_gpus: z.array(z.looseObject({})).readonly().default([]),
  })
  .readonly()
export type Host = Readonly<Omit<z.output<typeof Host>, 'gpus' | 'unusable_gpus'>> & {
  readonly gpus: readonly object[]
  readonly unusable_gpus?: readonly object[]
}
/** Changes that the owner may make to a machine; absent fields stay. */
export type WorkerPatch = {
  readonly name?: string | null | undefined
  readonly enabled?: boolean | null | undefined
  readonly priority?: number | null | undefined
}
export type Worker = {
  readonly id: string
  readonly name: string
  /** SHA-256 of its key's SPKI, hex; the identity of the machine. */
  readonly pin: string
  readonly enabled: boolean
  readonly revokedAt: number | null
  readonly priority: number
  readonly endpoint: string
  readonly host: Host | null
  readonly generation: number
  /** Nonce of the last renewal: the same one again means that the answer was lost. */
  readonly renewalNonce: string
  /** Reason for the refusal until a person decides, or null. */
  readonly quarantine: string | null
  readonly quarantinedAt: number | null
  /** Released from quarantine: the next renewal counts with any generation. */
  readonly resync: boolean
  /** Pins of the authority that issued its certificate, and of the newest one it was told to trust. Empty before the first. */
  readonly issuer: string
  readonly trusts: string
  /** It has shown that the answer with these two arrived. */
  readonly followed: boolean
  readonly createdAt: number
  readonly lastSeenAt: number | null
  /** The pool that the machine declared itself to be; null for a single machine. */
  readonly pool: DeclaredPool | null
  /** Terms of the consent that a later declaration ended, until a person approves again; null if none was ended. */
  readonly lapsed: { readonly terms: PoolTerms | null } | null
  /** The durable consent in force, or null: then no byte of a task may be sent. */
  readonly consentId: string | null
}
export type WorkerStore = ReturnType<typeof createWorkerStore>
type Deps = {
  readonly state: Pick<JournalState, 'workers' | 'consents'>
  readonly commits: Pick<GroupCommit, 'stage' | 'settled' | 'beforeCommit'>
  readonly clock: Clock
  readonly random: Random
  readonly audit: Audit
}
type Contact = { readonly id: string; readonly kind: 'connect' | 'disconnect'; readonly detail: object }
/** Fields of a change; the consent has rules of its own. */
type Fields = Partial<Omit<Worker, 'id' | 'consentId'>>

const fromRow = (row: StoredWorker): Worker => ({
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
  quarantinedAt: row.quarantined_at,
  resync: row.resync === 1,
  issuer: row.issuer,
  trusts: row.trusts,
  followed: row.followed === 1,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  pool: readDeclared(row.pool),
  lapsed: row.lapsed === '' ? null : { terms: readConsentTerms(row.lapsed).terms },
  consentId: null,
})
const toRow = (worker: Worker): StoredWorker => ({
  id: worker.id,
  name: worker.name,
  pin: worker.pin,
  enabled: worker.enabled ? 1 : 0,
  revoked_at: worker.revokedAt,
  priority: worker.priority,
  endpoint: worker.endpoint,
  host: JSON.stringify(worker.host ?? {}),
  generation: worker.generation,
  renewal_nonce: worker.renewalNonce,
  quarantine: worker.quarantine,
  quarantined_at: worker.quarantinedAt,
  resync: worker.resync ? 1 : 0,
  issuer: worker.issuer,
  trusts: worker.trusts,
  followed: worker.followed ? 1 : 0,
  created_at: worker.createdAt,
  last_seen_at: worker.lastSeenAt,
  pool: stored(worker.pool),
  lapsed: worker.lapsed === null ? '' : stored({ digest: termsDigest(worker.lapsed.terms), terms: worker.lapsed.terms, machines: 0 }),
})

// Long factory: every method is one decision about one machine, and all of them use `change`.
export function createWorkerStore({ state, commits, clock, random, audit }: Deps) {
  const workers = new Map(state.workers.map((row) => [row.id, fromRow(row)]))
  const listeners: ((id: string) => void)[] = []
  function put(worker: Worker): void {
    workers.set(worker.id, worker)
    for (const listener of listeners) listener(worker.id)
  }
  const lasting = createLasting(commits)
  const consents = createConsents({
    rows: state.consents,
    commits,
    lasting,
    changed(id, consentId) {
      const worker = workers.get(id)
      if (worker) put({ ...worker, consentId })
    },
  })
  for (const worker of workers.values()) workers.set(worker.id, { ...worker, consentId: consents.inForce(worker.id) })
  let contacts: readonly Contact[] = []
  const poolMachines = createPoolMachines({ audit, clock })

  function required(id: string): Worker {
    const worker = workers.get(id)
    if (!worker) throw new Failure('NOT_FOUND', 'No such worker.')
    return worker
  }
  const write =
    (id: string) =>
    ({ workers: rows }: { readonly workers: Map<string, StoredWorker> }) => {
      const worker = workers.get(id)
      if (worker) rows.set(id, toRow(worker))
    }
  /** In effect at once and durable with the batch. The undo touches only these fields: others may have changed since. */
  function change(id: string, fields: Fields): Worker {
    const worker = required(id)
    const before = Object.fromEntries(Object.keys(fields).map((name) => [name, worker[name as keyof Worker]]))
    const changed = { ...worker, ...fields }
    put(changed)
    commits.stage({ write: write(id), undo: () => put({ ...required(id), ...before }) })
    return changed
  }

  /** Same as `change`, and in force also when it cannot be written. `record` stages its entry of the audit log. */
  function take(id: string, fields: Fields, record: () => void = () => {}): Worker {
    const changed = { ...required(id), ...fields }
    put(changed)
    lasting.stage({ write: write(id), record })
    return changed
  }

  /** See `declare` of the store. */
  function declare(id: string, pool: DeclaredPool | null): boolean {
    const worker = required(id)
    const terms = consents.termsOf(id)
    const isLapsed = terms !== null && terms.digest !== termsDigest(pool)
    const names = pool !== null && worker.pool !== null ? poolMachines.record(id, worker.pool, pool) : (pool?.names ?? null)
    const kept = pool && { ...pool, names }
    if (isLapsed) {
      const now = pool && termsOf(pool)
      const detail = { changed: changesOf(terms.terms, now), was: terms.terms, now }
      consents.withdraw(id, clock.now(), () => audit.record('withdraw', id, detail))
    }
    // Kept when it cannot be written: the terms that a person is shown are those that the machine declares.
    if (isLapsed || stored(kept) !== stored(worker.pool)) take(id, { pool: kept, ...(isLapsed && { lapsed: { terms: terms.terms } }) })
    return isLapsed
  }

  return {
    /** Called with each worker of which something has changed, at once and also when a change is undone. */
    onChanged: (listener: (id: string) => void) => void listeners.push(listener),
    get: (id: string): Worker | undefined => workers.get(id),
    /** Throws NOT_FOUND. */
    required,
    /**
     * Resolves when every change so far is durable; rejects with STORAGE_FULL when it was undone. A withdrawal, a removal, a quarantine and
     * turning a machine off stay in force and are written with the next batch.
     */
    settled: commits.settled,
    /** By priority, then by age; `local` and removed machines are not among them. */
    enrolled: (): Worker[] =>
      [...workers.values()]
        .filter(({ id, revokedAt }) => id !== LOCAL && revokedAt === null)
        .sort((a, b) => b.priority - a.priority || a.createdAt - b.createdAt),
    all: (): IterableIterator<Worker> => workers.values(),
    byPin: (pin: string): Worker | undefined => [...workers.values()].find((worker) => samePin(worker.pin, pin)),
    /** A new machine, or a known one with another key. Throws CONFLICT when the key belongs to another machine. */
    add({ id, name, pin, endpoint }: { id: string; name: string; pin: string; endpoint: string }): Worker {
      if ([...workers.values()].some((other) => other.id !== id && samePin(other.pin, pin)))
        throw new Failure('CONFLICT', 'Another machine uses this key already.')
      const existing = workers.get(id)
      if (existing) {
        audit.record('enrol', id, { key: pin, again: true })
        // A new key cannot have been copied yet; with the same key a copy may be asking.
        const isSameKey = samePin(existing.pin, pin)
        const quarantine = isSameKey ? existing.quarantine : null
        return change(id, {
          pin,
          generation: existing.generation + 1,
          renewalNonce: '',
          quarantine,
          quarantinedAt: existing.quarantinedAt,
        })
      }
      audit.record('enrol', id, { key: pin, name })
      const worker: Worker = {
        id,
        name,
        pin,
        endpoint,
        enabled: true,
        revokedAt: null,
        priority: 50,
        host: null,
        generation: 0,
        renewalNonce: '',
        quarantine: null,
        quarantinedAt: null,
        resync: false,
        issuer: '',
        trusts: '',
        followed: false,
        createdAt: clock.now(),
        lastSeenAt: null,
        pool: null,
        lapsed: null,
        consentId: null,
      }
      put(worker)
      commits.stage({
        write: write(id),
        undo() {
          workers.delete(id)
          for (const listener of listeners) listener(id)
        },
      })
      return worker
    },
    patch(id: string, request: WorkerPatch): Worker {
      const { name, enabled, priority } = required(id)
      // Its tasks are taken back at once, so a full disk must not enable it again.
      if (request.enabled === false && enabled) take(id, { enabled: false })
      return change(id, {
        name: request.name ?? name,
        ...(request.enabled === true && { enabled: true }),
        priority: request.priority ?? priority,
      })
    },
    /** The row stays, so that the key stays refused after a restart. */
    revoke(id: string): Worker {
      required(id)
      const at = clock.now()
      consents.withdraw(id, at, () => {})
      return take(id, { revokedAt: at, enabled: false }, () => audit.record('revoke', id))
    },
    /** The machine itself admitted this studio again, under the same key. It starts without consent, like every machine. */
    reinstate(id: string): Worker {
      audit.record('enrol', id, { again: true })
      return change(id, { revokedAt: null, enabled: true })
    },
    /**
     * A new consent with the current time, also when there is one already. It counts once it is durable: until `settled()` resolves the
     * worker still has its earlier consent, or none. It counts for the terms that the machine declares now. Throws CONFLICT if these are not
     * `shown`, a digest of terms; absent for a caller that was shown none.
     */
    grant(id: string, shown?: string): void {
      const { revokedAt, pool, lapsed } = required(id)
      if (revokedAt !== null) throw new Failure('CONFLICT', 'This machine was removed; enrol it again first.')
      const terms = consentTermsOf(pool)
      if (shown !== undefined && shown !== terms.digest)
        throw new Failure('CONFLICT', 'The machine has declared other terms meanwhile.', { hint: 'Read them, then approve again.' })
      consents.grant(id, { id: random.hex(8), at: clock.now(), terms: pool === null ? '' : stored(terms) })
      audit.record('consent', id, pool === null ? {} : { ...terms.terms, machines: terms.machines, terms: terms.digest })
      if (lapsed !== null) change(id, { lapsed: null })
    },
    /** Terms of the consent in force, or of one that is being written; null without one. */
    consentTerms: (id: string): ConsentTerms | null => consents.termsOf(id),
    /**
     * The machine has described itself, as a pool or as a single machine (null). Returns true if its consent was for other terms: it has
     * stopped counting, and a person has to approve again. The studio's own machine is never a pool.
     */
    declare: (id: string, pool: DeclaredPool | null): boolean => id !== LOCAL && declare(id, pool),
    /** Counts at once. */
    withdraw(id: string): Worker {
      required(id)
      consents.withdraw(id, clock.now(), () => audit.record('withdraw', id))
      return required(id)
    },
    /**
     * The machine connected, with its description, or left (null). Written by the next `flush`: a thousand machines that return at once
     * are one write.
     */
    recordContact(id: string, host: Host | null, detail: object = {}): void {
      const worker = required(id)
      put({ ...worker, lastSeenAt: clock.now(), host: host ?? worker.host })
      contacts = [...contacts, { id, kind: host ? 'connect' : 'disconnect', detail }]
    },
    /** Stages the contacts since the last flush. A batch that fails leaves them for the next flush. */
    flushContacts(): void {
      for (const [id, pool] of poolMachines.due()) if (workers.has(id)) declare(id, pool)
      if (contacts.length === 0) return
      const staged = contacts
      contacts = []
      commits.stage({
        write(writes) {
          for (const { id } of staged) write(id)(writes)
        },
        undo() {
          contacts = [...staged, ...contacts]
        },
      })
      for (const { id, kind, detail } of staged) audit.record(kind, id, detail)
    },
    renewed(id: string, generation: number, nonce: string): Worker {
      required(id)
      audit.record('renew', id, { generation })
      return change(id, { generation, renewalNonce: nonce, resync: false })
    },
    /** The authority that issued its newest certificate, and the newest one it was told to trust, as pins. */
    setCertificate(id: string, issuer: string, trusts: string): void {
      const worker = required(id)
      if (worker.issuer !== issuer || worker.trusts !== trusts) change(id, { issuer, trusts, followed: false })
    },
    /** It holds its newest certificate: an answer that was sent need not have arrived. */
    followed(id: string): void {
      if (!required(id).followed) change(id, { followed: true })
    },
    /** The first reason stays: the second is most likely its consequence. */
    quarantine(id: string, reason: string): Worker {
      const worker = required(id)
      if (worker.quarantine !== null) return worker
      const set = { quarantine: reason, quarantinedAt: clock.now(), resync: false }
      return take(id, set, () => audit.record('quarantine', id, { reason }))
    },
    /** Does nothing for a worker that is not set aside. */
    release(id: string): Worker {
      const worker = required(id)
      if (worker.quarantine === null) return worker
      audit.record('release', id)
      return change(id, { quarantine: null, quarantinedAt: null, resync: true })
    },
  }
}
