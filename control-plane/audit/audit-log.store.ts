// Reads and verifies the audit log of a database, also while its studio runs. trust/audit.ts writes it.
import { z } from 'zod'
import { readCopy } from '#control-plane/store/database.ts'
import type { AuditRow } from '#control-plane/store/rows.ts'
import { AUDIT_HEAD, auditDigestOf, START } from './audit.ts'

/** `brokenAt`: the first entry that does not fit; null: all do. */
export type AuditVerdict = { readonly count: number; readonly head: string; readonly brokenAt: number | null; readonly why: string }

const SELECT = 'select seq, at, kind, subject, detail, previous, digest from audit'

/** The entries of the database at `path`, in order; of many only the newest `last`. Throws NOT_FOUND, CONFLICT (see `readCopy`). */
export function readAudit(path: string, last = Number.MAX_SAFE_INTEGER): AuditRow[] {
  return readCopy(path, (db) =>
    db.prepare<[number], AuditRow>(`select * from (${SELECT} order by seq desc limit ?) order by seq`).all(last),
  )
}

const Head = z.string().regex(/^\d+:[0-9a-f]{64}$/)
/** Checks the whole chain. `noted`: `COUNT:DIGEST` of an earlier check, which must still be part of the chain. */
export function verifyAudit(path: string, noted: string | null = null): AuditVerdict {
  return readCopy(path, (db) => {
    const expected = noted === null ? null : splitHead(noted)
    let previous = START
    let count = 0
    let isNotedFound = expected === null || expected.seq === 0
    const broken = (why: string, brokenAt = count) => ({ count, head: `${count}:${previous}`, brokenAt, why })
    for (const entry of db.prepare<[], AuditRow>(`${SELECT} order by seq`).iterate()) {
      if (entry.seq !== count + 1) return broken('an entry is missing before it', entry.seq)
      if (entry.previous !== previous) return broken('it does not follow the entry before it', entry.seq)
      if (entry.digest !== auditDigestOf(entry)) return broken('it was changed after it was written', entry.seq)
      previous = entry.digest
      count = entry.seq
      if (expected?.seq === count) {
        if (expected.digest !== previous) return broken('it is not the entry that was noted')
        isNotedFound = true
      }
    }
    if (!isNotedFound) return broken(`entries up to ${expected!.seq} were noted`, count + 1)
    const kept = db.prepare<[string], { value: string }>('select value from setting where key = ?').get(AUDIT_HEAD)?.value
    if ((kept ?? `0:${START}`) !== `${count}:${previous}`) return broken('the log ends before the head that was kept', count + 1)
    return { count, head: `${count}:${previous}`, brokenAt: null, why: '' }
  })
}

function splitHead(text: string): { seq: number; digest: string } {
  const [seq, digest] = Head.parse(text).split(':')
  return { seq: Number(seq), digest: digest! }
}
