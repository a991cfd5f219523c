// The contract of every journal, on any database.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { Journal, Writes } from '#control-plane/store/journal.ts'
import type { AttemptRow, TaskRow } from '#control-plane/store/rows.ts'
import { rowOfTask, taskOfRow } from '#control-plane/tasks/row.ts'
import type { Task } from '#shared/protocol/task.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { resultOf } from '#test/support/doubles/ledger.ts'
import { recordOf } from '#test/support/doubles/record.ts'
import { answerTo, byId, commit, writesOf } from './commit.ts'
import type { JournalFactory } from './harness.ts'

const worker = (id: string) => ({
  id,
  name: id,
  pin: id.repeat(32),
  enabled: 1 as const,
  revoked_at: null,
  priority: 50,
  endpoint: '',
  host: '{}',
  generation: 0,
  renewal_nonce: '',
  quarantine: null,
  quarantined_at: null,
  resync: 0 as const,
  issuer: '',
  trusts: '',
  followed: 0 as const,
  created_at: 1,
  last_seen_at: null,
  pool: '',
  lapsed: '',
})
const consent = (id: string, workerId: string, withdrawnAt: number | null = null) => ({
  id,
  worker_id: workerId,
  granted_at: 1,
  withdrawn_at: withdrawnAt,
  terms: '{"digest":"d"}',
})
const attempt = (task: TaskRow, workerId: string): AttemptRow => ({
  task_seq: task.seq,
  task_id: task.id,
  epoch: 1,
  attempt_id: `a-${task.id}`,
  worker_id: workerId,
  number: 1,
  state: 'assigned',
  progress: 0,
  stage: '',
  failure_code: null,
  failure_message: null,
  created_at: 1,
  finished_at: null,
  machine: '',
})
const taskRow = (id: string, moved: Partial<Task> = {}, finishedAt: number | null = null, key: string | null = null): TaskRow =>
  rowOfTask({ ...recordOf(id, { idempotencyKey: key }, moved), finishedAt }, 1)
const ended = (id: string, at: number, key: string | null = null) => taskRow(id, { phase: 'cancelled' }, at, key)

export function journalSuite(name: string, factory: JournalFactory): void {
  const check = (title: string, run: (t: TestContext, harness: ReturnType<JournalFactory>, journal: Journal) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const harness = factory(t)
      const { journal } = await harness.open()
      await run(t, harness, journal)
    })

  check('a batch is written, then durable, and there after a restart with every table', async (_t, harness, journal) => {
    const calls: string[] = []
    const spec = { modelDigest: 'aa', speaks: { voices: ['a', 'b'], language: 'de' } }
    const queued = rowOfTask(recordOf('t1', spec), 1)
    const rows: Partial<Writes> = {
      settings: new Map([['a', '1']]),
      workers: new Map([['w', worker('w')]]),
      consents: new Map([
        ['c1', consent('c1', 'w', 5)],
        ['c2', consent('c2', 'w')],
      ]),
      joinTokens: new Map([
        [
          'j',
          {
            id: 'j',
            secret_digest: 'd',
            label: 'l',
            endpoint: 'e',
            worker_id: null,
            created_at: 1,
            expires_at: 2,
            used_at: null,
            used_by: null,
          },
        ],
      ]),
      breakers: new Map([['w m', { workerId: 'w', modelKey: 'm', state: 'open', trips: 1, retryAt: 5, reason: 'r' }]]),
      audit: [{ seq: 1, at: 1, kind: 'enrol', subject: 'w', detail: '{}', previous: '0', digest: 'x' }],
      newTasks: byId(queued),
      events: [{ task_id: 't1', epoch: 0, at: 1, kind: 'submit', phase: 'queued', worker_id: null, code: null }],
    }
    await commit(journal, rows, calls)
    assert.deepEqual(calls, ['written', 'durable'])
    await harness.crash()
    const { state } = await harness.open()
    assert.deepEqual(state.tasks, [queued])
    const { modelDigest, speaks } = taskOfRow(state.tasks[0]!).spec
    assert.deepEqual({ modelDigest, speaks }, spec)
    assert.deepEqual([state.lastSeq, state.settings.get('a'), state.auditHead], [queued.seq, '1', { seq: 1, digest: 'x' }])
    assert.deepEqual(
      state.workers.map(({ id, pin }) => [id, pin]),
      [['w', 'w'.repeat(32)]],
    )
    assert.deepEqual(state.consents, [consent('c2', 'w')], 'a withdrawn consent is not in force')
    assert.deepEqual(state.joinTokens, [...rows.joinTokens!.values()])
    assert.deepEqual(state.breakers, [...rows.breakers!.values()])
    assert.equal((await harness.events()).length, 1)
  })

  check('rows are replaced and removed by their key', async (_t, harness, journal) => {
    const token = {
      id: 'j',
      secret_digest: 'd',
      label: '',
      endpoint: '',
      worker_id: null,
      created_at: 1,
      expires_at: 2,
      used_at: null,
      used_by: null,
    }
    const row = { workerId: 'w', modelKey: 'm', state: 'closed', trips: 1, retryAt: null, reason: '' } as const
    await commit(journal, {
      workers: new Map([['w', worker('w')]]),
      settings: new Map([['a', '1']]),
      joinTokens: new Map([
        ['j', token],
        ['k', { ...token, id: 'k' }],
      ]),
      breakers: new Map([
        ['w m', row],
        ['w n', { ...row, modelKey: 'n' }],
      ]),
    })
    await commit(journal, {
      workers: new Map([['w', { ...worker('w'), name: 'renamed', last_seen_at: 7, pool: '{}', lapsed: '{"digest":""}' }]]),
      settings: new Map([['a', '2']]),
      joinTokens: new Map([
        ['j', { ...token, used_at: 3, used_by: 'w' }],
        ['k', null],
      ]),
      clearedBreakers: new Set(['w']),
      breakers: new Map([['w m', { ...row, trips: 2 }]]),
    })
    await harness.crash()
    const { state } = await harness.open()
    assert.deepEqual([state.workers[0]!.name, state.workers[0]!.last_seen_at, state.settings.get('a')], ['renamed', 7, '2'])
    assert.deepEqual([state.workers[0]!.pool, state.workers[0]!.lapsed], ['{}', '{"digest":""}'])
    assert.deepEqual(state.joinTokens, [{ ...token, used_at: 3, used_by: 'w' }])
    assert.deepEqual(state.breakers, [{ ...row, trips: 2 }])
  })

  check('a full disk refuses a whole batch, and the next one is written', async (_t, harness, journal) => {
    await commit(journal, { settings: new Map([['a', '1']]) })
    await harness.setDiskFull(true)
    const calls: string[] = []
    const refused = commit(journal, { settings: new Map([['a', '2']]), newTasks: byId(taskRow('t1')) }, calls)
    await assert.rejects(refused, { code: 'STORAGE_FULL' })
    await assert.rejects(journal.purge(1), { code: 'STORAGE_FULL' })
    assert.deepEqual(calls, ['failed'])
    await harness.setDiskFull(false)
    assert.equal(await journal.find('t1'), null)
    await commit(journal, { newTasks: byId(taskRow('t2')) }, calls)
    await harness.crash()
    const { state } = await harness.open()
    assert.deepEqual([state.settings.get('a'), state.tasks.map(({ id }) => id)], ['1', ['t2']])
  })

  check('an offer needs a consent that is in force in its own batch', async (_t, _harness, journal) => {
    const task = taskRow('t1', { phase: 'offered', epoch: 1, workerId: 'w', attemptId: 'a-t1' })
    const offer = { newTasks: byId(task), newAttempts: [attempt(task, 'w')] }
    const refuses = (rows: Partial<Writes>) => assert.rejects(commit(journal, { ...rows, ...offer }), { code: 'INTERNAL' })
    await refuses({})
    await commit(journal, { workers: new Map([['w', worker('w')]]), consents: new Map([['c', consent('c', 'w')]]) })
    await refuses({ consents: new Map([['c', consent('c', 'w', 5)]]) })
    await refuses({ workers: new Map([['w', { ...worker('w'), enabled: 0 }]]) })
    await commit(journal, offer)
    assert.deepEqual(await journal.attemptsOf(task.seq), [attempt(task, 'w')])
    const moved = { task_seq: task.seq, epoch: 1, state: 'lost', progress: 0.5, stage: 's', failure_message: '', finished_at: 5 } as const
    const rows = [{ ...moved, failure_code: 'WORKER_REMOVED', machine: 'rack' }]
    // The attempt of a worker without consent still ends.
    await commit(journal, { consents: new Map([['c', consent('c', 'w', 5)]]), changedAttempts: rows })
    assert.deepEqual(await journal.attemptsOf(task.seq), [{ ...attempt(task, 'w'), ...rows[0] }])
    await commit(journal, { changedAttempts: [{ ...rows[0]!, machine: '' }] })
    assert.equal((await journal.attemptsOf(task.seq))[0]!.machine, 'rack', 'an empty name leaves the one that is stored')
  })

  check('a batch that contradicts a constraint is a defect, and the task of the row is named', async (_t, _harness, journal) => {
    const first = taskRow('t1', {}, null, 'k')
    await commit(journal, { newTasks: byId(first) })
    const refusalOf = async (rows: Partial<Writes>) => {
      const refusal = await answerTo(journal, rows)
      return { by: refusal?.by, code: refusal?.failure?.code, taskSeq: refusal?.taskSeq }
    }
    const defect = (taskSeq: number | null) => ({ by: 'defect', code: 'INTERNAL', taskSeq })
    const same = taskRow('t2', {}, null, 'k')
    assert.deepEqual(await refusalOf({ newTasks: byId(same) }), defect(same.seq))
    assert.deepEqual(await refusalOf({ newTasks: byId({ ...first, seq: same.seq + 1 }) }), defect(same.seq + 1))
    assert.deepEqual(await refusalOf({ changedTasks: byId({ ...first, updated_at: 1.5 }) }), defect(first.seq))
    const settings = new Map([['a', null as unknown as string]])
    assert.deepEqual(await refusalOf({ settings, changedTasks: byId(first) }), defect(null))
    assert.equal((await journal.byKey('k'))?.id, 't1')
    assert.equal(await journal.byKey('other'), null)
  })

  check('batches become durable in the order in which they were committed', async (_t, harness, journal) => {
    const order: number[] = []
    const everyDurable: Promise<void>[] = []
    for (let n = 0; n < 20; n++)
      await new Promise<void>((written, reject) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        everyDurable.push(promise)
        const refused = () => reject(new Error(`batch ${n} was not written`))
        const durable = () => {
          order.push(n)
          resolve()
        }
        const outcome = { written, durable, failed: refused, defect: refused, unknown: () => refused, fenced: refused }
        journal.commit(writesOf({ settings: new Map([['n', String(n)]]) }), outcome)
      })
    await Promise.all(everyDurable)
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, index) => index),
    )
    await harness.crash()
    assert.equal((await harness.open()).state.settings.get('n'), '19')
  })

  check('the audit log is read in order, page by page', async (_t, _harness, journal) => {
    const entry = (seq: number) => ({
      seq,
      at: seq * 10,
      kind: 'enrol',
      subject: `w${seq}`,
      detail: '{"ü":1}',
      previous: `d${seq - 1}`,
      digest: `d${seq}`,
    })
    assert.deepEqual(await journal.auditAfter(0, 10), [])
    await commit(journal, { audit: [entry(1), entry(2)] })
    await commit(journal, { audit: [entry(3)] })
    assert.deepEqual(await journal.auditAfter(0, 2), [entry(1), entry(2)])
    assert.deepEqual(await journal.auditAfter(2, 2), [entry(3)])
    assert.deepEqual(await journal.auditAfter(3, 2), [])
  })

  check('closing is idempotent', async (_t, _harness, journal) => {
    await commit(journal, { settings: new Map([['a', '1']]) })
    await journal.close()
    await journal.close()
  })

  check('pages are newest first, by group, and end where a task is not kept', async (_t, _harness, journal) => {
    await commit(journal, {
      newTasks: byId(
        ...Array.from({ length: 5 }, (_, index) => taskRow(`t${index + 1}`)),
        taskRow('t6', { phase: 'offered', workerId: 'w', attemptId: 'a' }),
        ended('t7', 5),
      ),
    })
    const ids = async (...args: Parameters<Journal['page']>) => (await journal.page(...args))?.map(({ id }) => id) ?? null
    assert.deepEqual(await ids(3, null, null), ['t7', 't6', 't5'])
    assert.deepEqual(await ids(3, null, 't5'), ['t4', 't3', 't2'])
    assert.deepEqual(await ids(2, 'waiting', 't4'), ['t3', 't2'])
    assert.deepEqual([await ids(9, 'running', null), await ids(9, 'failed', null), await ids(9, 'done', null)], [['t6'], ['t7'], []])
    assert.equal(await ids(3, null, 'a task of last year'), null)
  })

  check('purging keeps what is live, what is recent and what has a key', async (_t, harness, journal) => {
    const event = { epoch: 0, kind: 'submit', phase: 'queued', worker_id: null, code: null } as const
    await commit(journal, {
      newTasks: byId(taskRow('t1'), ended('t2', 100), ended('t3', 100, 'k'), ended('t4', 200)),
      events: [
        { ...event, task_id: 't2', at: 100 },
        { ...event, task_id: 't4', at: 200 },
      ],
    })
    await journal.purge(150)
    const kept = await Promise.all(['t1', 't2', 't3', 't4'].map(async (id) => (await journal.find(id))?.id ?? null))
    assert.deepEqual(kept, ['t1', null, 't3', 't4'])
    assert.deepEqual(
      (await harness.events()).map(({ task_id }) => task_id),
      ['t4'],
    )
    await harness.crash()
    assert.equal((await harness.open()).state.lastSeq, 4, 'numbers go on')
  })

  check('purging removes old tasks whose key begins with the words that it names', async (_t, _harness, journal) => {
    const keys = ['relay a 1', 'relay ', 'relay \u{1f600}', 'relay b 2', 'relay', 'relaya', 'relay-a', 'RELAY a', 'sent by a caller']
    const old = keys.map((key) => ended(`old ${key}`, 100, key))
    const offered = { phase: 'offered', epoch: 1, workerId: 'w', attemptId: `a-${old[0]!.id}` } as const
    await commit(journal, {
      workers: new Map([['w', worker('w')]]),
      consents: new Map([['c', consent('c', 'w')]]),
      newTasks: byId(...old, ended('recent', 200, 'relay c'), taskRow('live', offered, null, 'relay d'), ended('no key', 100)),
      newAttempts: [attempt(old[0]!, 'w')],
    })
    const kept = async () => {
      const rows = await journal.page(20, null, null)
      return rows!.map(({ id }) => id).sort()
    }
    const others = [...keys.slice(4).map((key) => `old ${key}`), 'recent', 'live'].sort()
    await journal.purge(50)
    assert.equal((await kept()).length, old.length + 3)
    await journal.purge(50, { keys: 'relay ', before: 150 })
    assert.deepEqual(await kept(), [...others, 'no key'].sort())
    assert.deepEqual(await journal.attemptsOf(old[0]!.seq), [], 'its attempts go with it')
    assert.equal(await journal.byKey('relay a 1'), null)
    await commit(journal, { newTasks: byId(taskRow('again', {}, null, 'relay a 1')) })
    await journal.purge(150, { keys: 'relay ', before: 100 })
    assert.deepEqual(await kept(), [...others, 'again'].sort())
  })

  check('the events of a batch of any size are kept in their order', async (_t, harness, journal) => {
    const event = { epoch: 0, at: 1, kind: 'submit', phase: 'queued', worker_id: null, code: null } as const
    const expected: string[] = []
    for (const size of [1, 2, 3, 7, 16, 41]) {
      const ids = Array.from({ length: size }, (_, index) => `batch of ${size}, ${index}`)
      await commit(journal, { events: ids.map((task_id) => ({ ...event, task_id })) })
      expected.push(...ids)
    }
    assert.deepEqual(
      (await harness.events()).map(({ task_id }) => task_id),
      expected,
    )
  })

  check('the files of results are named as a set, as long as they are kept', async (_t, _harness, journal) => {
    const succeeded = (id: string, digest: string, { bytes = null as Buffer | null, ephemeral = false, at = 100 } = {}) =>
      rowOfTask(
        {
          ...recordOf(id, { ephemeral }, { phase: 'succeeded' }),
          finishedAt: at,
          result: { ...resultOf(), digest, bytes },
        },
        1,
      )
    await commit(journal, {
      newTasks: byId(
        succeeded('t1', 'file'),
        succeeded('t2', 'inline', { bytes: Buffer.from('x') }),
        succeeded('t3', 'fleeting', { ephemeral: true }),
        succeeded('t4', 'old', { at: 10 }),
      ),
    })
    const among = (digests: readonly string[]) => journal.resultFilesAmong(digests, 50)
    assert.deepEqual(await among(['file', 'inline', 'fleeting', 'old', 'unknown']), new Set(['file']))
    assert.deepEqual(await among([]), new Set())
  })

  check('what is staged by several stores is one batch, and is undone in reverse order', async (_t, harness, journal) => {
    const commits = createGroupCommit({ journal, log, clock })
    const calls: string[] = []
    const stage = (key: string, value: string) =>
      commits.stage({
        write: ({ settings }) => void settings.set(key, value),
        written: () => void calls.push(`written ${value}`),
        durable: () => void calls.push(`durable ${value}`),
        undo: () => void calls.push(`undo ${value}`),
      })
    commits.beforeCommit(() => void calls.push('hook'))
    stage('a', '1')
    stage('a', '2')
    await commits.settled()
    assert.deepEqual(calls.splice(0), ['hook', 'written 1', 'written 2', 'durable 1', 'durable 2'])
    await harness.setDiskFull(true)
    stage('a', '3')
    stage('b', '4')
    await assert.rejects(commits.settled(), { code: 'STORAGE_FULL' })
    assert.deepEqual(calls.splice(0), ['hook', 'undo 4', 'undo 3'])
    await commits.settled()
    await harness.setDiskFull(false)
    await harness.crash()
    assert.deepEqual([...(await harness.open()).state.settings], [['a', '2']])
  })
}
