// The consents of the owner to use each machine. A grant counts once it is durable, so that no offer shares a batch with the consent it
// rests on; a withdrawal counts at once, also when it cannot be written.
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { ConsentRow } from '#control-plane/store/rows.ts'
import type { Lasting } from './lasting.ts'
import { type ConsentTerms, readConsentTerms } from './pool-terms.ts'

/** `isDurable`: only then it allows to send anything. `isUndone`: its batch failed, so that it has no row. */
type Grant = { readonly row: ConsentRow; isDurable: boolean; isUndone: boolean }
type Deps = {
  readonly rows: readonly ConsentRow[]
  readonly commits: Pick<GroupCommit, 'stage'>
  readonly lasting: Lasting
  /** The consent in force for this worker has changed. */
  readonly changed: (workerId: string, consentId: string | null) => void
}
const NO_GRANTS: readonly Grant[] = []

export function createConsents({ rows, commits, lasting, changed }: Deps) {
  /** Grants that are not withdrawn, oldest first: the newest durable one is in force. */
  const grants = new Map<string, readonly Grant[]>(rows.map((row) => [row.worker_id, [{ row, isDurable: true, isUndone: false }]]))
  const of = (workerId: string) => grants.get(workerId) ?? NO_GRANTS
  const inForce = (workerId: string): string | null => of(workerId).findLast(({ isDurable }) => isDurable)?.row.id ?? null

  function set(workerId: string, list: readonly Grant[]): void {
    const newest = list.findLastIndex(({ isDurable }) => isDurable)
    grants.set(workerId, list.slice(Math.max(0, newest))) // it has replaced those before it
    changed(workerId, inForce(workerId))
  }

  return {
    inForce,
    /** Terms of the newest consent that is in force or is being written; null without one. */
    termsOf(workerId: string): ConsentTerms | null {
      const row = of(workerId).at(-1)?.row
      return row ? readConsentTerms(row.terms) : null
    },
    /** Replaces the earlier consent when it is durable, so that the moment of the newest request is the one kept. `at`: epoch ms. */
    grant(workerId: string, { id, at, terms }: { readonly id: string; readonly at: number; readonly terms: string }): void {
      const before = of(workerId)
      const row = { id, worker_id: workerId, granted_at: at, withdrawn_at: null, terms }
      const grant: Grant = { row, isDurable: false, isUndone: false }
      grants.set(workerId, [...before, grant])
      commits.stage({
        write({ consents }) {
          for (const { row } of before) consents.set(row.id, { ...row, withdrawn_at: at })
          consents.set(id, grant.row)
        },
        undo() {
          grant.isUndone = true
          set(
            workerId,
            of(workerId).filter((each) => each !== grant),
          )
        },
        durable() {
          grant.isDurable = true
          set(workerId, of(workerId))
        },
      })
    },
    withdraw(workerId: string, at: number, record: () => void): void {
      const before = of(workerId)
      set(workerId, NO_GRANTS)
      lasting.stage({
        write({ consents }) {
          for (const { row, isUndone } of before) if (!isUndone) consents.set(row.id, { ...row, withdrawn_at: at })
        },
        record,
      })
    },
  }
}
