// What was decided about trust, and when: append-only, each entry bound to the one before it by its digest, so that a changed, removed or
// inserted entry breaks the chain from there on. The head (count and digest) is also kept in the setting table, in the same transaction:
// a shortened log no longer fits it. Whoever may write the whole file can write a new chain and a new head; against that only a head
// noted elsewhere helps (`./studio audit verify --head`). Nothing here is on the path of a task, and no secret is ever written.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Database, readCopy } from '../store/database.ts'

export const AUDIT_KINDS = [
  'code-issued',
  'enrol',
  'renew',
  'consent',
  'withdraw',
  'revoke',
  'connect',
  'disconnect',
  'quarantine',
  'release',
  'rotate-prepare',
  'rotate-activate',
  'rotate-retire',
  'remote-on',
  'remote-off',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
export type AuditEntry = {
  readonly seq: number
  readonly at: number
  readonly kind: string
  /** A worker id, or what else it is about. */
  readonly subject: string
  /** JSON, as it was written. */
  readonly detail: string
  readonly previous: string
  readonly digest: string
}
export type Audit = ReturnType<typeof createAudit>
/** `brokenAt`: the first entry that does not fit; null: all do. */
export type AuditVerdict = { readonly count: number; readonly head: string; readonly brokenAt: number | null; readonly why: string }

const START = '0'.repeat(64)
const HEAD = 'audit_head'
const SELECT = 'select seq, at, kind, subject, detail, previous, digest from audit'

const digestOf = ({ seq, at, kind, subject, detail, previous }: Omit<AuditEntry, 'digest'>): string =>
  createHash('sha256')
    .update(JSON.stringify([seq, at, kind, subject, detail, previous]))
    .digest('hex')

export function createAudit({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const last = db.prepare<[], { seq: number; digest: string }>('select seq, digest from audit order by seq desc limit 1')
  const insert = db.prepare(
    'insert into audit (seq, at, kind, subject, detail, previous, digest) values (@seq, @at, @kind, @subject, @detail, @previous, @digest)',
  )
  const note = db.prepare('insert into setting (key, value) values (?, ?) on conflict (key) do update set value = excluded.value')
  // The head is read each time: a transaction around this one may have come to nothing.
  const write = db.transaction((kind: AuditKind, subject: string, detail: object) => {
    const head = last.get()
    const entry = {
      seq: (head?.seq ?? 0) + 1,
      at: clock.now(),
      kind,
      subject,
      detail: JSON.stringify(detail),
      previous: head?.digest ?? START,
    }
    const digest = digestOf(entry)
    insert.run({ ...entry, digest })
    note.run(HEAD, `${entry.seq}:${digest}`)
  })
  return {
    /** Part of the transaction under way, if there is one. */
    record: (kind: AuditKind, subject: string, detail: object = {}): void => write(kind, subject, detail),
  }
}

/** The log of the database at `path`, also while its studio runs. `last`: only so many, the newest. */
export function readAudit(path: string, last = Number.MAX_SAFE_INTEGER): AuditEntry[] {
  return readCopy(path, (db) =>
    db.prepare<[number], AuditEntry>(`select * from (${SELECT} order by seq desc limit ?) order by seq`).all(last),
  )
}

const Head = z.string().regex(/^\d+:[0-9a-f]{64}$/)
/** Walks the whole chain. `noted`: `COUNT:DIGEST` as an earlier walk told it; it must still be part of the chain. */
export function verifyAudit(path: string, noted: string | null = null): AuditVerdict {
  return readCopy(path, (db) => {
    const wanted = noted === null ? null : splitHead(noted)
    let previous = START
    let count = 0
    let seen = wanted === null || wanted.seq === 0
    const broken = (why: string, brokenAt = count) => ({ count, head: `${count}:${previous}`, brokenAt, why })
    for (const entry of db.prepare<[], AuditEntry>(`${SELECT} order by seq`).iterate()) {
      if (entry.seq !== count + 1) return broken('an entry is missing before it', entry.seq)
      if (entry.previous !== previous) return broken('it does not follow the entry before it', entry.seq)
      if (entry.digest !== digestOf(entry)) return broken('it was changed after it was written', entry.seq)
      previous = entry.digest
      count = entry.seq
      if (wanted?.seq === count) {
        if (wanted.digest !== previous) return broken('it is not the entry that was noted')
        seen = true
      }
    }
    if (!seen) return broken(`entries up to ${wanted!.seq} were noted`, count + 1)
    const kept = db.prepare<[string], { value: string }>('select value from setting where key = ?').get(HEAD)?.value
    if ((kept ?? `0:${START}`) !== `${count}:${previous}`) return broken('the log ends before the head that was kept', count + 1)
    return { count, head: `${count}:${previous}`, brokenAt: null, why: '' }
  })
}

function splitHead(text: string): { seq: number; digest: string } {
  const [seq, digest] = Head.parse(text).split(':')
  return { seq: Number(seq), digest: digest! }
}
