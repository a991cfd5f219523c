// The PostgreSQL body of the journal against the SQLite one, through the ledger: tasks a second and time of the event loop for a task, with one
// and with 64 tasks in flight. Both keep their files in the temporary folder, with syncs. A task is three commits: submit and offer, accept
// and start, complete. It needs PostgreSQL on this machine.
import { join } from 'node:path'
import { createAudit } from '#control-plane/audit/audit.ts'
import { openDatabase, openSync } from '#control-plane/store/database.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { OpenedJournal } from '#control-plane/store/journal.ts'
import { openSqliteJournal } from '#control-plane/store/sqlite/journal.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import { createWorkerStore } from '#control-plane/workers/worker.store.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { startedServer } from '#test/support/postgres/for-bench.ts'
import { temporary } from './support/peers.ts'
import { flood, interleave, row, title } from './support/rounds.ts'

const ROUNDS = 7
const WORKER = 'bench'
const PARAMS = JSON.stringify({ echo: 'x'.repeat(1024) })
const RESULT = { result: '{}', digest: 'd'.repeat(64), size: 1024, bytes: Buffer.alloc(1024, 120) }
const SPEC = {
  operation: 'probe',
  engine: 'probe',
  model: '',
  params: PARAMS,
  priority: 0,
  target: 'auto',
  size: PARAMS.length,
  idempotencyKey: null,
  ephemeral: false,
} as const
/** Tasks of a round by the number that are in flight. */
const TASKS = new Map([
  [1, 300],
  [64, 6_000],
])

/** Microseconds of the calling thread. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

async function subject({ journal, state }: OpenedJournal) {
  const commits = createGroupCommit({ journal, log, clock })
  const shared = { state, commits, clock }
  const workers = createWorkerStore({ ...shared, random, audit: createAudit(shared) })
  const ledger = createLedger({ ...shared, journal, marks: new Map() })
  workers.add({ id: WORKER, name: WORKER, pin: 'f'.repeat(64), endpoint: '' })
  workers.grant(WORKER)
  await commits.settled()
  let next = 0

  async function task(): Promise<void> {
    const id = `task-${String(next++).padStart(12, '0')}`
    ledger.submit(id, { ...SPEC, deadlineAt: clock.now() + 60_000 }, '')
    ledger.apply(id, { kind: 'offer', workerId: WORKER, attemptId: `attempt-of-${id}` })
    await ledger.settled()
    ledger.apply(id, { kind: 'accept', epoch: 1 })
    ledger.apply(id, { kind: 'start', epoch: 1 })
    await ledger.settled()
    ledger.apply(id, { kind: 'complete', epoch: 1 }, RESULT)
    await ledger.settled()
  }
  const measured = { loop: [] as number[], p50: [] as number[] }
  return {
    measured,
    /** Tasks a second. */
    async round(width: number): Promise<number> {
      const count = TASKS.get(width)!
      const before = processorTime()
      const { each, perSecond } = await flood(count, width, task)
      measured.loop.push((processorTime() - before) / count)
      measured.p50.push(each.toSorted((a, b) => a - b)[each.length >> 1]!)
      return perSecond
    },
  }
}

export async function run(): Promise<void> {
  const folder = temporary()
  const db = openDatabase(join(folder.path, 'studio.db'))
  const wal = openSync(join(folder.path, 'studio.db'))
  const server = await startedServer()
  if (typeof server === 'string') return title(`The journal is not measured: ${server}.`)
  try {
    const subjects = {
      postgres: await subject(await server.open()),
      sqlite: await subject(openSqliteJournal({ db, sync: wal.sync })),
    }
    title('The journal on PostgreSQL; limit: on SQLite')
    for (const width of TASKS.keys()) {
      for (const { measured } of Object.values(subjects)) for (const list of Object.values(measured)) list.length = 0
      const columns = { postgres: () => subjects.postgres.round(width), sqlite: () => subjects.sqlite.round(width) }
      const { postgres, sqlite } = await interleave(ROUNDS, columns)
      const isOne = width === 1
      const of = (name: 'loop' | 'p50') => [subjects.postgres.measured[name].slice(1), subjects.sqlite.measured[name].slice(1)] as const
      row(isOne ? 'one task at a time' : `${width} tasks in flight`, postgres, sqlite, '/s ', isOne ? '' : 'goal >= 0.65')
      row('  time of the event loop for a task', ...of('loop'), 'us ', isOne ? 'goal <= 1.5' : 'goal <= 1.0')
      row('  a task, half of them', ...of('p50'), 'ms ', isOne ? 'goal <= 2.5' : '')
    }
  } finally {
    await server.stop()
    wal.close()
    db.close()
    folder.remove()
  }
}
