// Records decisions about trust: append-only, each entry bound to the one before it by its digest, so that a changed, removed or inserted
// entry breaks the chain from there on. The head (count and digest) is also kept in the setting table, in the same batch, so that a
// shortened log no longer fits it. A person who may write the whole file can write a new chain and a new head; against that only a
// head noted elsewhere helps (`./studio audit verify --head`). No secret is ever written.
import { createHash } from 'node:crypto'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { JournalState } from '#control-plane/store/journal.ts'
import type { AuditRow } from '#control-plane/store/rows.ts'
import type { Clock } from '#shared/runtime/clock.ts'

export const AUDIT_KINDS = [
  'code-issued',
  'enrol',
  'renew',
  'consent',
  'withdraw',
  'revoke',
  'connect',
  'disconnect',
  'pool-machines',
  'quarantine',
  'release',
  'rotate-prepare',
  'rotate-activate',
  'rotate-retire',
  'remote-on',
  'remote-off',
  'voice-revoke',
  'mark-on',
  'mark-off',
  'person-add',
  'person-change',
  'person-end',
  'key-add',
  'key-end',
  'oidc-set',
  'oidc-remove',
  'identity-bind',
  'sign-in-refused',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
export type Audit = ReturnType<typeof createAudit>

/** `previous` of the first entry. */
export const START = '0'.repeat(64)
/** The setting that repeats the head of the log as `COUNT:DIGEST`. */
export const AUDIT_HEAD = 'audit_head'

export const auditDigestOf = ({ seq, at, kind, subject, detail, previous }: Omit<AuditRow, 'digest'>): string =>
  createHash('sha256')
    .update(JSON.stringify([seq, at, kind, subject, detail, previous]))
    .digest('hex')

type Deps = { readonly state: Pick<JournalState, 'auditHead'>; readonly commits: Pick<GroupCommit, 'stage'>; readonly clock: Clock }

export function createAudit({ state, commits, clock }: Deps) {
  let head = state.auditHead
  return {
    /** Part of the batch of the decision it records, which it is durable with. `subject`: a worker id, a code id, `studio`, or the id of a voice or a person. */
    record(kind: AuditKind, subject: string, detail: object = {}): void {
      const before = head
      const entry = {
        seq: (head?.seq ?? 0) + 1,
        at: clock.now(),
        kind,
        subject,
        detail: JSON.stringify(detail),
        previous: head?.digest ?? START,
      }
      const row: AuditRow = { ...entry, digest: auditDigestOf(entry) }
      head = row
      commits.stage({
        write({ audit, settings }) {
          audit.push(row)
          settings.set(AUDIT_HEAD, `${row.seq}:${row.digest}`)
        },
        undo: () => {
          head = before
        },
      })
    },
  }
}
