// The statements of batches: their plans, texts that PostgreSQL cannot store, and rows beside the journal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobStepRow } from '#control-plane/store/job-rows.ts'
import type { Writes } from '#control-plane/store/journal.ts'
import { statementOf } from '#control-plane/store/postgres/batch/statement.ts'
import { connect } from '#control-plane/store/postgres/connection.ts'
import { PURGE_KEYS } from '#control-plane/store/postgres/read/task-reads.ts'
import type { AttemptRow } from '#control-plane/store/rows.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { answerTo, byId, writesOf } from '#test/conformance/journal/commit.ts'
import { newDatabase } from '#test/support/postgres/databases.ts'
import { openCell, takeCell } from '#test/support/postgres/open-cell.ts'
import { poolTask } from '#test/support/postgres/rows.ts'
import { withoutPostgres } from '#test/support/postgres/server.ts'

const attempt: AttemptRow = {
  ...{ task_seq: 1, task_id: 'task-1', epoch: 1, attempt_id: 'a', worker_id: 'w', number: 1, state: 'assigned', progress: 0, stage: '' },
  ...{ failure_code: null, failure_message: null, created_at: 1, finished_at: null, machine: '' },
}
const step: JobStepRow = {
  ...{ job_id: 'j', name: 's', ordinal: 1, state: 'running', key: 'k', task_id: null, result_key: null, failure_code: null, failure: null },
}
const ended = poolTask(2, { phase: 'cancelled', finished_at: 5, result_bytes: null })

test('the plan of a batch reads no table whole, also when it was made for empty tables', { skip: withoutPostgres }, async (t) => {
  const { url } = await newDatabase()
  const connection = await connect(url, clock)
  t.after(() => connection.destroy())
  async function assertPlan(name: string, text: string, values: number): Promise<void> {
    await connection.script(`prepare ${name} as ${text}`)
    const nulls = Array.from({ length: values }, () => 'null').join(', ')
    const plan = await connection.rows<{ 'QUERY PLAN': string }>({ text: `explain execute ${name} (${nulls})`, values: [] })
    const lines = plan.map((row) => row['QUERY PLAN'])
    const whole = lines.filter((line) => /Seq Scan on (?!c\b)|Index Cond: \(+cell = \$1\)+$/.test(line))
    assert.deepEqual(whole, [], lines.join('\n'))
  }
  const fence = { cell: 'c', term: 1, writer: 'w' }
  const batches: Partial<Writes>[] = [
    { newTasks: byId(poolTask(1), ended), newAttempts: [attempt], events: [] },
    { changedTasks: byId(poolTask(1), ended), changedAttempts: [attempt] },
    { breakers: new Map(), clearedBreakers: new Set(['w']), joinTokens: new Map([['j', null]]) },
    {
      jobSteps: new Map([['j s', step]]),
      usedResults: new Map([['k', 1]]),
      discardedSteps: new Set(['j']),
      trimmedEvents: new Map([['j', 1]]),
    },
  ]
  for (const [index, batch] of batches.entries()) {
    const { text, values } = statementOf(writesOf(batch), fence, 1)
    await assertPlan(`batch_${index}`, text, values.length)
  }
  await assertPlan('purge_keys', PURGE_KEYS, 6)
})
test('tasks are removed by their keys in pieces', { skip: withoutPostgres }, async (t) => {
  const { url } = await newDatabase()
  const { journal } = await openCell(url)
  t.after(() => journal.close())
  const tasks = Array.from({ length: 2_500 }, (_, index) => {
    const isKept = index % 5 === 0
    return poolTask(index + 1, { idempotency_key: `k ${index}`, phase: 'cancelled', finished_at: isKept ? 20 : 10 })
  })
  assert.equal(await answerTo(journal, { newTasks: byId(...tasks) }), null)
  await journal.purge(5, { keys: 'k ', before: 15 })
  const kept = await journal.page(1_000, null, null)
  assert.deepEqual([kept?.length, kept?.every(({ finished_at }) => finished_at === 20)], [500, true])
})

test('text that PostgreSQL cannot store is stored with a substitute', { skip: withoutPostgres }, async (t) => {
  const { url } = await newDatabase()
  const { journal } = await openCell(url)
  t.after(() => journal.close())
  const params = JSON.stringify({ text: 'a\0b\ud800 \\u0000 "ü" 😀' })
  const task = poolTask(1, { params, failure_message: 'a\0b\ud800c \\u0000 😀' })
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
  const done = poolTask(2, {
    ...{ phase: 'succeeded', finished_at: 5, result: '{}', result_bytes: bytes, result_digest: 'd', result_size: bytes.length },
  })
  assert.equal(await answerTo(journal, { newTasks: byId(task, done) }), null)
  const found = await journal.find('task-1')
  assert.deepEqual([found?.params, found?.failure_message], [params, 'a\ufffdb\ufffdc \\u0000 😀'])
  assert.deepEqual(await journal.find('task-2'), done)
})

test('sealed keys and rows of files are written on condition of the term', { skip: withoutPostgres }, async (t) => {
  const { url } = await newDatabase()
  const { journal, sealed, artifacts } = await openCell(url)
  const admin = await connect(url, clock)
  t.after(async () => {
    await journal.close()
    admin.destroy()
  })
  const row = { keyId: 'k1', bytes: Buffer.from([0, 1, 255]) }
  assert.equal(await sealed.read('authority/key'), null)
  for (const name of ['authority/key', 'authority/b%', 'connection/1']) assert.equal(await sealed.write(name, row), true)
  assert.equal(await sealed.write('connection/1', { ...row, keyId: 'k2' }), true)
  assert.deepEqual([await sealed.read('authority/key'), (await sealed.read('connection/1'))?.keyId], [row, 'k2'])
  assert.deepEqual(await sealed.list('authority/'), ['authority/b%', 'authority/key'])
  assert.equal(await sealed.remove('authority/key'), true)
  assert.deepEqual(await sealed.list(''), ['authority/b%', 'connection/1'])

  const file = { digest: 'd', bytes: 5, keptUntil: 100, state: 'kept' } as const
  assert.equal(await artifacts.write(file), true)
  assert.equal(await artifacts.write({ ...file, keptUntil: 50 }), true)
  assert.deepEqual(await artifacts.read('d'), file, 'it is kept as long as before')
  assert.deepEqual([await artifacts.list(101, 10), await artifacts.list(100, 10)], [[file], []])
  await takeCell(admin)
  assert.deepEqual(
    [await artifacts.remove('d'), await sealed.write('late', row), await sealed.remove('connection/1')],
    [false, false, false],
  )
  assert.deepEqual(await artifacts.read('d'), file)
  assert.equal(await sealed.read('late'), null)
})
