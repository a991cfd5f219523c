// A real ledger on a real database in a folder of its own, with workers that have consent. Its sync returns at once, so that `flush`
// makes a batch durable before it returns.
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Audit, createAudit } from '#control-plane/audit/audit.ts'
import { type OpenedStore, openLibrary, openSqliteStore } from '#control-plane/store/open.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import { createLedger, type Ledger } from '#control-plane/tasks/ledger.ts'
import type { Result, TaskSpec } from '#control-plane/tasks/record.ts'
import { createWorkerStore, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporaryFolder } from '../world/world.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

export const WORKERS = ['w0', 'w1', 'w2'] as const

export const specOf = (fields: Partial<TaskSpec> = {}): TaskSpec => ({
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
  ...fields,
})
export const resultOf = (bytes = Buffer.from('ok')): Result => ({ result: '{}', digest: 'd'.repeat(64), size: bytes.length, bytes })

export type OpenLedger = OpenedStore & {
  library: ReturnType<typeof openLibrary>
  db: ReturnType<typeof openLibrary>['db']
  readonly folder: string
  readonly clock: FakeClock
  readonly marks: AttemptMarks
  ledger: Ledger
  workers: WorkerStore
  audit: Audit
  /** Reopens it as after the end of the process: what was staged and not committed is lost. */
  readonly reopen: () => void
}

export function openLedger(t: TestContext): OpenLedger {
  const folder = temporaryFolder(t)
  const clock = createFakeClock()
  const marks: AttemptMarks = new Map()
  const parts = () => {
    const path = join(folder, 'studio.db')
    const library = openLibrary(path)
    const store = openSqliteStore({ kind: 'sqlite', path, library }, { log, clock, timed: () => (done) => done(null) })
    const audit = createAudit({ ...store, clock })
    return {
      ...store,
      library,
      db: library.db,
      audit,
      ledger: createLedger({ ...store, clock, marks }),
      workers: createWorkerStore({ ...store, clock, random, audit }),
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
  open.commits.flush()
  t.after(() => close(open))
  return open
}

/** Closes the ledger. Staged changes would still be written later; the end of a process does not wait for them. */
function close({ db, commits, close, library }: OpenLedger): void {
  db.pragma('query_only = on')
  commits.flush()
  void close() // at once
  library.close()
}
