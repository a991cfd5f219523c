// A writer is frozen (SIGSTOP) with a batch under way, another process takes its cell, and the first one goes on.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { connect } from '#control-plane/store/postgres/connection.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { newDatabase } from '#test/support/postgres/databases.ts'
import { takeCell } from '#test/support/postgres/open-cell.ts'
import { withoutPostgres } from '#test/support/postgres/server.ts'

const FREEZES = 20
const WRITER = join(import.meta.dirname, '../../../support/postgres/writer.ts')

test('twenty frozen writers write nothing after another one has taken the cell', { skip: withoutPostgres }, async (t) => {
  const { url } = await newDatabase()
  const admin = await connect(url, clock)
  const writer = spawn(process.execPath, [WRITER, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(writer, 'exit')
  t.after(async () => {
    writer.kill('SIGKILL')
    await exited
    admin.destroy()
  })
  const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]()
  const line = async (word: string): Promise<number> => {
    for (;;) {
      const { value, done } = await lines.next()
      assert.ok(!done, 'the writer ended')
      if (value.startsWith(`${word} `)) return Number(value.slice(word.length))
    }
  }
  const count = async (): Promise<number> => (await admin.rows<{ n: number }>({ text: 'select count(*) as n from task', values: [] }))[0]!.n
  let late = 0
  for (let freeze = 0; freeze < FREEZES; freeze++) {
    await line('taken')
    await line('confirmed')
    writer.kill('SIGSTOP')
    const { lastBatch } = await takeCell(admin)
    const atTake = await count()
    writer.kill('SIGCONT')
    const confirmed = await line('fenced')
    const [cell] = await admin.rows<{ last_batch: number }>({ text: 'select last_batch from cell', values: [] })
    late += (await count()) - atTake + (cell!.last_batch - lastBatch)
    assert.ok(confirmed <= atTake, 'each confirmed task is there')
    writer.stdin.write('again\n')
  }
  assert.equal(late, 0)
})
