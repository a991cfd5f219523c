// A real ledger on a real database in a folder of its own, with workers that may be offered tasks.
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Database, openDatabase } from '#control-plane/store/database.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempt.store.ts'
import { createLedger, type Ledger } from '#control-plane/tasks/ledger.store.ts'
import type { Result, TaskSpec } from '#control-plane/tasks/record.ts'
import { type Audit, createAudit } from '#control-plane/trust/audit.store.ts'
import { createWorkerStore, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporaryFolder } from '../world/world.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

export const WORKERS = ['w0', 'w1', 'w2'] as const

export const specOf = (wish: Partial<TaskSpec> = {}): TaskSpec => ({
  operation: 'tts',
  engine: 'svc-engine',
  model: '',
  params: '{}',
  priority: 0,
  target: 'auto',
  size: 10,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  idempotencyKey: null,
  ephemeral: false,
  ...wish,
})
export const resultOf = (bytes = Buffer.from('ok')): Result => ({ result: '{}', digest: 'd'.repeat(64), size: bytes.length, bytes })

export type OpenLedger = {
  readonly folder: string
  readonly clock: FakeClock
  readonly marks: AttemptMarks
  db: Database
  ledger: Ledger
  workers: WorkerStore
  audit: Audit
  /** As after the end of the process: what no commit has reached is gone. */
  readonly reopen: () => void
}

export function openLedger(t: TestContext): OpenLedger {
  const folder = temporaryFolder(t)
  const clock = createFakeClock()
  const marks: AttemptMarks = new Map()
  const parts = () => {
    const db = openDatabase(join(folder, 'studio.db'))
    const audit = createAudit({ db, clock })
    return {
      db,
      audit,
      ledger: createLedger({ db, clock, log, marks, sync: (done) => done(null) }),
      workers: createWorkerStore({ db, clock, random, audit }),
    }
  }
  const open: OpenLedger = {
    folder,
    clock,
    marks,
    ...parts(),
    reopen() {
      close(open)
      Object.assign(open, parts())
    },
  }
  for (const [index, id] of WORKERS.entries()) {
    open.workers.add({ id, name: id, pin: String(index).repeat(64), endpoint: '' })
    open.workers.grant(id)
  }
  t.after(() => close(open))
  return open
}

/** What is staged would still be written in the next turn; the end of a process does not wait for it. */
function close({ db, ledger }: OpenLedger): void {
  db.pragma('query_only = on')
  ledger.flush()
  db.close()
}
