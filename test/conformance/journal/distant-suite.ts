// The contract of a journal whose database is behind a connection, and may be taken over by another process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Journal } from '#control-plane/store/journal.ts'
import type { TaskRow } from '#control-plane/store/rows.ts'
import { rowOfTask } from '#control-plane/tasks/row.ts'
import { recordOf } from '#test/support/doubles/record.ts'
import { answerTo, byId, commit } from './commit.ts'
import type { DistantFactory } from './harness.ts'

const taskRow = (id: string): TaskRow => rowOfTask(recordOf(id), 1)

export function distantSuite(name: string, factory: DistantFactory): void {
  const check = (title: string, run: (harness: ReturnType<DistantFactory>, journal: Journal) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const harness = factory(t)
      const { journal } = await harness.open()
      await run(harness, journal)
    })

  check('no offer leaves early', async (_harness, journal) => {
    assert.equal(journal.allowsEarlyOffers, false)
  })

  check('a batch whose answer is lost is there once, however it ended', async (harness, journal) => {
    for (const isWritten of [true, false]) {
      await harness.loseAnswer(isWritten)
      const task = taskRow(`t ${isWritten}`)
      const calls: string[] = []
      await commit(journal, { newTasks: byId(task), settings: new Map([[`lost ${isWritten}`, '1']]) }, calls)
      assert.deepEqual(calls, ['unknown', ...(isWritten ? ['it was written'] : ['it was not written', 'written', 'durable'])])
      assert.equal((await journal.find(task.id))?.seq, task.seq)
    }
    await harness.crash()
    assert.deepEqual([...(await harness.open()).state.settings.keys()].toSorted(), ['lost false', 'lost true'])
  })

  check('a batch that is refused after its answer was lost is a refusal', async (harness, journal) => {
    await harness.loseAnswer(false)
    await harness.setDiskFull(true)
    await assert.rejects(commit(journal, { newTasks: byId(taskRow('t1')) }), { code: 'STORAGE_FULL' })
    await harness.setDiskFull(false)
    assert.equal(await journal.find('t1'), null)
  })

  check('a journal that another process has taken over from writes nothing', async (harness, journal) => {
    await commit(journal, { newTasks: byId(taskRow('t1')) })
    assert.equal(journal.readiness(), 'ready')
    await harness.takeOver()
    const calls: string[] = []
    for (const id of ['t2', 't3']) assert.equal((await answerTo(journal, { newTasks: byId(taskRow(id)) }, calls))?.by, 'fenced')
    assert.deepEqual([calls, journal.readiness()], [['fenced', 'fenced'], 'standby'])
    assert.deepEqual([(await journal.find('t1'))?.id, await journal.find('t2'), await journal.find('t3')], ['t1', null, null])
  })

  check('a take-over under a lost answer fences a batch that was not written', async (harness, journal) => {
    await harness.loseAnswer(false)
    const answer = answerTo(journal, { newTasks: byId(taskRow('t1')) })
    await harness.takeOver()
    assert.equal((await answer)?.by, 'fenced')
    assert.equal(await journal.find('t1'), null)
  })
}
