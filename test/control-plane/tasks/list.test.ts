import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TASK_GROUPS } from '#control-plane/store/journal.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'

/** The plan of every page, as SQLite would run it. */
const WHERE = {
  waiting: "phase = 'queued' and finished_at is null",
  failed: 'finished_at is not null and result_digest is null',
}

test('pages of a group follow each other, newest first, without a gap and without a repetition', async (t) => {
  const { ledger } = openLedger(t)
  for (let index = 0; index < 60; index++) {
    const id = `t${String(index).padStart(3, '0')}`
    ledger.submit(id, specOf(), '')
    if (index % 4 === 0) continue
    ledger.apply(id, { kind: 'offer', workerId: 'w0', attemptId: `a${index}` })
    if (index % 4 === 1) ledger.apply(id, { kind: 'cancel' })
    if (index % 4 !== 3) continue
    for (const kind of ['accept', 'start', 'deliver'] as const) ledger.apply(id, { kind, epoch: 1 })
    ledger.apply(id, { kind: 'complete', epoch: 1 }, resultOf())
  }
  ledger.apply('t000', { kind: 'cancel' })
  ledger.flush()
  const walk = async (group: (typeof TASK_GROUPS)[number] | null) => {
    const ids: string[] = []
    for (let before: string | null = null; ; before = ids.at(-1)!) {
      const page: TaskRecord[] = (await ledger.list(7, group, before))!
      ids.push(...page.map(({ task }) => task.id))
      if (page.length < 7) return ids
    }
  }
  const all = await walk(null)
  assert.equal(all.length, 60)
  assert.deepEqual(all, [...all].sort().reverse())
  assert.deepEqual(
    (await Promise.all(TASK_GROUPS.map(walk))).map(({ length }) => length),
    [14, 30, 15, 1],
  )
  assert.equal(await ledger.list(7, null, 'a task of last year'), null)
})

test('what waits and what failed are found by an index, not by reading every task', (t) => {
  const { db } = openLedger(t)
  for (const [group, where] of Object.entries(WHERE)) {
    const plan = db.prepare(`explain query plan select * from task where ${where} and seq < ? order by seq desc limit ?`).all(9, 9)
    assert.match(JSON.stringify(plan), /USING INDEX task_(live|failed)/, group)
    assert.doesNotMatch(JSON.stringify(plan), /TEMP B-TREE/, `${group} is not sorted`)
  }
})
