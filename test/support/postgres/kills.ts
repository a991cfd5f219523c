// The server of a journal is killed under load, again and again: no confirmed task is lost, and each batch without an answer is found out.
import assert from 'node:assert/strict'
import { connect } from '#control-plane/store/postgres/connection.ts'
import { migratePostgres } from '#control-plane/store/postgres/migrate.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { answerTo, byId } from '#test/conformance/journal/commit.ts'
import { openCell } from './open-cell.ts'
import { poolTask } from './rows.ts'
import { startPostgres } from './server.ts'

/** Tasks in a batch, and batches that are confirmed between two kills. */
const WIDTH = 8
const BATCHES = 25

export async function killServer(kills: number): Promise<{ readonly confirmed: number; readonly unknown: number }> {
  const server = await startPostgres()
  try {
    await server.run('postgres', 'create database pool')
    await migratePostgres(server.url('pool'), clock)
    const { journal } = await openCell(server.url('pool'))
    const calls: string[] = []
    const confirmed: string[] = []
    let next = 1
    let isDone = false
    let batches = 0
    const waiting = { wake: () => {} }
    const load = (async () => {
      while (!isDone) {
        const rows = Array.from({ length: WIDTH }, () => poolTask(next++))
        const refusal = await answerTo(journal, { newTasks: byId(...rows) }, calls)
        assert.equal(refusal, null, 'a batch is written, however often the server is killed')
        confirmed.push(...rows.map(({ id }) => id))
        batches++
        waiting.wake()
      }
    })()
    const more = (count: number) =>
      new Promise<void>((resolve) => {
        const until = batches + count
        waiting.wake = () => {
          if (batches >= until) resolve()
        }
      })
    for (let kill = 0; kill < kills; kill++) {
      await Promise.race([more(BATCHES + (kill % 7)), load])
      await server.kill()
      assert.notEqual(journal.readiness(), 'standby')
      await server.start()
    }
    await Promise.race([more(BATCHES), load])
    isDone = true
    await load
    await journal.close()
    const connection = await connect(server.url('pool'), clock)
    const rows = await connection.rows<{ id: string }>({ text: 'select t.id from task t join task_state s using (cell, seq)', values: [] })
    connection.destroy()
    const stored = new Set(rows.map(({ id }) => id))
    assert.deepEqual(
      confirmed.filter((id) => !stored.has(id)),
      [],
      'no confirmed task is lost',
    )
    assert.equal(stored.size, confirmed.length, 'nothing is written twice or without its answer')
    return { confirmed: confirmed.length, unknown: calls.filter((call) => call === 'unknown').length }
  } finally {
    await server.stop()
  }
}
