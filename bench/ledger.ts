// Processor time of the ledger for a null task, without HTTP, links and the sync, which another thread does. Limit: one row of the same
// content for each task in a table of its own, one transaction for each turn.
import { join } from 'node:path'
import { createAudit } from '#control-plane/audit/audit.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { openSqliteStore } from '#control-plane/store/open.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import { createWorkerStore } from '#control-plane/workers/worker.store.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporary } from './support/peers.ts'
import { interleave, row, title } from './support/rounds.ts'

const ROUNDS = 7
const TASKS = 4096
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

/** Microseconds of the calling thread. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

export function openBenchLedger(folder: string) {
  const store = openSqliteStore({ kind: 'sqlite', path: join(folder, 'studio.db') }, { log, clock, timed: () => (done) => done(null) })
  const audit = createAudit({ ...store, clock })
  const workers = createWorkerStore({ ...store, clock, random, audit })
  const ledger = createLedger({ ...store, clock, marks: new Map() })
  workers.add({ id: WORKER, name: WORKER, pin: 'f'.repeat(64), endpoint: '' })
  workers.grant(WORKER)
  ledger.flush()
  let next = 0

  /** Takes `width` tasks through their life, which ends before their admission is written, and reads their attempts for the answers. */
  async function turns(width: number): Promise<void> {
    const ids = Array.from({ length: width }, () => `task-${String(next++).padStart(12, '0')}`)
    for (const id of ids) {
      ledger.submit(id, { ...SPEC, deadlineAt: clock.now() + 60_000 }, '')
      ledger.apply(id, { kind: 'offer', workerId: WORKER, attemptId: `attempt-of-${id}` })
    }
    await nextTurn()
    const records = ids.map((id) => {
      ledger.apply(id, { kind: 'accept', epoch: 1 })
      ledger.apply(id, { kind: 'start', epoch: 1 })
      ledger.apply(id, { kind: 'complete', epoch: 1 }, RESULT)
      return ledger.peek(id)!
    })
    ledger.flush()
    for (const record of records) await ledger.attemptsOf(record)
  }

  return { turns, close: () => store.close() }
}

function openRaw(folder: string) {
  const db = openDatabase(join(folder, 'raw.db'))
  db.pragma('synchronous = normal')
  db.exec('create table raw (id text primary key, params text, result blob)')
  const insert = db.prepare('insert into raw values (?, ?, ?)')
  let next = 0
  const write = db.transaction((count: number) => {
    for (let index = 0; index < count; index++) insert.run(`task-${String(next++).padStart(12, '0')}`, PARAMS, RESULT.bytes)
  })
  return { turns: async (width: number) => write.immediate(width), close: () => db.close() }
}

export async function run(): Promise<void> {
  const folder = temporary()
  const subjects = { ours: openBenchLedger(folder.path), raw: openRaw(folder.path) }
  const perTask = (name: keyof typeof subjects, width: number) => async () => {
    const before = processorTime()
    for (let done = 0; done < TASKS; done += width) await subjects[name].turns(width)
    return (processorTime() - before) / TASKS
  }
  try {
    title('The ledger for a null task: processor time of the event loop, without the sync')
    for (const width of [1, 32]) {
      const { ours, raw } = await interleave(ROUNDS, { ours: perTask('ours', width), raw: perTask('raw', width) })
      row(width === 1 ? 'one task per turn' : `${width} tasks per turn`, ours, raw, 'us ', '')
    }
  } finally {
    for (const { close } of Object.values(subjects)) close()
    folder.remove()
  }
}
