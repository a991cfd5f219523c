// Takes cells and opens their journals, without regard to the writer before.
import { connect, type DatabaseConnection } from '#control-plane/store/postgres/connection.ts'
import { createHold } from '#control-plane/store/postgres/hold.ts'
import { type OpenedPostgres, openPostgresJournal } from '#control-plane/store/postgres/journal.ts'
import { schemaVersion } from '#control-plane/store/postgres/migrate.ts'
import { lookAt, takeTerm } from '#control-plane/store/postgres/term.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'

const CELL = 'c'
let writers = 0
const nextWriter = () => `writer-${process.pid}-${++writers}`

/** Takes the cell from any writer. */
export async function takeCell(connection: DatabaseConnection, cell = CELL, writer = nextWriter()) {
  for (;;) {
    const observed = (await lookAt(connection, cell))?.term ?? 0
    const taken = await takeTerm(connection, { cell, writer, address: '' }, observed, { version: schemaVersion() })
    if (taken) return { ...taken, fence: { cell, term: taken.term, writer } }
  }
}
/** Opens the journal of a cell as its next writer. */
export async function openCell(url: string, onLost = () => {}): Promise<OpenedPostgres> {
  const connection = await connect(url, clock)
  const sentAt = clock.mono()
  const { fence, lastBatch } = await takeCell(connection)
  return openPostgresJournal({ url, connection, hold: createHold(fence, clock, sentAt), lastBatch, clock, log, onLost })
}
