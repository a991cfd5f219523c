// Reads and verifies the audit log of a database, also while its studio runs. audit.ts writes it.
import { z } from 'zod'
import type { AuditRow } from '#control-plane/store/rows.ts'
import { type AuditSource, readAuditCopy } from '#control-plane/store/sqlite/audit-copy.ts'
import { AUDIT_HEAD, auditDigestOf, START } from './audit.ts'

/** `brokenAt`: the first entry that does not fit; null: all do. */
export type AuditVerdict = { readonly count: number; readonly head: string; readonly brokenAt: number | null; readonly why: string }

const PAGE_ENTRIES = 1_000

/** The entries of the database at `path`, in order; of many only the newest `last`. Rejects with NOT_FOUND, CONFLICT (see `openCopy`). */
export const readAudit = (path: string, last = Number.MAX_SAFE_INTEGER): Promise<AuditRow[]> =>
  readAuditCopy(path, (source) => newestEntries(source, last))

/**
 * Checks the whole chain of the database at `path`. `noted`: `COUNT:DIGEST` of an earlier check, which must still be part of the chain. Rejects
 * with NOT_FOUND, CONFLICT.
 */
export const verifyAudit = (path: string, noted: string | null = null): Promise<AuditVerdict> =>
  readAuditCopy(path, (source) => verifyEntries(source, noted))

async function newestEntries(source: AuditSource, last: number): Promise<AuditRow[]> {
  const entries: AuditRow[] = []
  for await (const page of pagesOf(source)) {
    entries.push(...page)
    if (entries.length > last) entries.splice(0, entries.length - last)
  }
  return entries
}

/** In order, from the lowest number that can be planted. A number that is no safe integer ends them: none can be asked for after it. */
async function* pagesOf({ auditAfter }: AuditSource): AsyncGenerator<readonly AuditRow[]> {
  for (let after = Number.MIN_SAFE_INTEGER; Number.isSafeInteger(after); ) {
    const page = await auditAfter(after, PAGE_ENTRIES)
    const end = page.at(-1)
    if (!end) return
    yield page
    after = end.seq
  }
}

const Head = z.string().regex(/^\d+:[0-9a-f]{64}$/)
async function verifyEntries(source: AuditSource, noted: string | null): Promise<AuditVerdict> {
  const expected = noted === null ? null : splitHead(noted)
  let previous = START
  let count = 0
  let isNotedFound = expected === null || expected.seq === 0
  const broken = (why: string, brokenAt = count) => ({ count, head: `${count}:${previous}`, brokenAt, why })
  for await (const page of pagesOf(source))
    for (const entry of page) {
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
  const kept = await source.setting(AUDIT_HEAD)
  if ((kept ?? `0:${START}`) !== `${count}:${previous}`) return broken('the log ends before the head that was kept', count + 1)
  return { count, head: `${count}:${previous}`, brokenAt: null, why: '' }
}

function splitHead(text: string): { seq: number; digest: string } {
  const [seq, digest] = Head.parse(text).split(':')
  return { seq: Number(seq), digest: digest! }
}
