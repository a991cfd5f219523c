// The PostgreSQL body of the journal against the suites that every body has to pass, on a real server.
import { test } from 'node:test'
import type { OpenedJournal } from '#control-plane/store/journal.ts'
import type { EventRow } from '#control-plane/store/rows.ts'
import { postgresCell } from '#test/support/postgres/cell.ts'
import { withoutPostgres } from '#test/support/postgres/server.ts'
import { distantSuite } from './distant-suite.ts'
import type { DistantFactory } from './harness.ts'
import { jobSuite } from './job-suite.ts'
import { ledgerModel } from './ledger-model.ts'
import { journalSuite } from './suite.ts'

const postgres: DistantFactory = (t) => {
  const cell = postgresCell(t)
  let opened: OpenedJournal | null = null
  const close = async () => {
    await opened?.journal.close()
    opened = null
  }
  return {
    async open() {
      opened = await cell.open()
      return opened
    },
    crash: close,
    setDiskFull: cell.setDiskFull,
    async events() {
      const rows = await cell.rows<{ at: number; events: string }>('select at, events from task_event_batch order by batch, place')
      return rows.flatMap(({ at, events }) =>
        (JSON.parse(events) as unknown[][]).map(
          ([task_id, epoch, kind, phase, worker_id, code]) => ({ task_id, epoch, at, kind, phase, worker_id, code }) as EventRow,
        ),
      )
    },
    loseAnswer: cell.loseAnswer,
    takeOver: cell.takeOver,
  }
}

if (withoutPostgres) test('PostgreSQL: the contract of a journal', { skip: withoutPostgres }, () => {})
else {
  journalSuite('PostgreSQL', postgres)
  jobSuite('PostgreSQL', postgres)
  distantSuite('PostgreSQL', postgres)
  ledgerModel('PostgreSQL', postgres)
}
