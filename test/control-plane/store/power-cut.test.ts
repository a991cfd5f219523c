// The ledger on a disk that loses power at any write: what survives is the log up to the last sync, any part of what was written since, and
// possibly garbage after it. All that the studio has confirmed must be in the database that is opened afterwards, and no batch by half.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAudit } from '#control-plane/audit/audit.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { Journal } from '#control-plane/store/journal.ts'
import { openSqliteJournal } from '#control-plane/store/sqlite/journal.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import { createWorkerStore } from '#control-plane/workers/worker.store.ts'
import type { TaskEvent } from '#shared/protocol/task.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { resultOf, specOf, WORKERS } from '#test/support/doubles/ledger.ts'
import { chosenSeed, seeded } from '#test/support/doubles/seeded.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const TURNS = isLongRun ? 640 : 80
const CUTS_AT_ONCE = 2
const LONG_TEXT = 20_000
const GARBAGE_BYTES = 600

/** Content of the files on the disk, and the number of batches that it certainly contains. */
type Disk = { readonly db: Buffer; readonly log: Buffer; readonly batches: number }
/** Events of each task, and the workers without consent. */
type Facts = { readonly events: ReadonlyMap<string, number>; readonly withdrawn: ReadonlySet<string> }

test('a power cut at any write loses nothing that was confirmed and halves no batch', async (t) => {
  const seed = chosenSeed()
  t.diagnostic(`seed ${seed}`)
  const { unit, below, pick } = seeded(seed)
  const folder = temporaryFolder(t)
  const path = join(folder, 'studio.db')
  const clock = createFakeClock()
  const db = openDatabase(path)
  t.after(() => db.close())

  /** After each batch: how many rows of each kind the database has. */
  const shapes: string[] = []
  const shapeOf = (of: typeof db) =>
    ['task', 'attempt', 'task_event', 'task where finished_at is not null', 'consent where withdrawn_at is not null', 'audit']
      .map((rows) => of.prepare<[], number>(`select count(*) from ${rows}`).pluck().get())
      .join(' ')
  const read = (): Disk => ({ db: readFileSync(path), log: readFileSync(`${path}-wal`), batches: shapes.length - 1 })
  let syncing: { readonly disk: Disk; readonly done: () => void } | null = null
  const { journal, state } = openSqliteJournal({ db, sync: (done) => (syncing = { disk: read(), done: () => done(null) }) })
  shapes.push(shapeOf(db))
  let synced = read()
  const watched: Journal = {
    ...journal,
    commit: (writes, outcome) =>
      journal.commit(writes, {
        ...outcome,
        written() {
          shapes.push(shapeOf(db))
          outcome.written()
        },
      }),
  }
  const sync = async () => {
    const finished = syncing
    syncing = null
    if (finished) synced = finished.disk
    finished?.done()
    await turn()
  }

  const commits = createGroupCommit({ journal: watched, log, clock })
  const ledger = createLedger({ journal, state, commits, clock, marks: new Map() })
  const workers = createWorkerStore({ state, commits, clock, random, audit: createAudit({ state, commits, clock }) })
  const events = new Map<string, number>()
  const withdrawn = new Set<string>()
  let confirmed: Facts = { events: new Map(), withdrawn: new Set() }
  /** A caller is answered once all of this is durable. */
  const confirm = async () => {
    const facts = { events: new Map(events), withdrawn: new Set(withdrawn) }
    await commits.settled()
    confirmed = facts
  }
  for (const [index, id] of WORKERS.entries()) {
    workers.add({ id, name: id, pin: String(index).repeat(64), endpoint: '' })
    workers.grant(id)
  }

  const apply = (id: string, event: TaskEvent) => {
    if (ledger.apply(id, event, event.kind === 'complete' ? resultOf() : undefined).ok) events.set(id, events.get(id)! + 1)
  }
  let serial = 0
  const act = () => {
    const id = `t${++serial}`
    const able = WORKERS.filter((worker) => !withdrawn.has(worker))
    if (unit() < 0.3) {
      ledger.submit(id, specOf(unit() < 0.1 ? { params: JSON.stringify({ text: 'x'.repeat(LONG_TEXT) }) } : {}), '')
      events.set(id, 1)
      if (unit() < 0.7) apply(id, { kind: 'offer', workerId: pick(able), attemptId: `a${serial}` })
      return
    }
    const record = pick([...ledger.live()])
    if (!record) return
    const { task } = record
    const next = ({ queued: 'offer', offered: 'accept', loading: 'start', running: 'deliver', delivering: 'complete' } as const)[
      task.phase as 'queued'
    ]
    if (next === 'offer') apply(task.id, { kind: 'offer', workerId: pick(able), attemptId: `a${serial}` })
    else if (next) apply(task.id, { kind: next, epoch: task.epoch } as TaskEvent)
  }

  let checked = 0
  const cut = (): void => {
    const after = read()
    const isSameLog = after.log.subarray(0, 32).equals(synced.log.subarray(0, 32))
    for (let at = 0; at < CUTS_AT_ONCE; at++) {
      // Nothing of a log that was begun again is older than a sync of SQLite's own.
      const from = isSameLog ? synced.log.length : after.log.length
      const length = from + below(Math.max(0, after.log.length - from) + 1)
      const garbage = Buffer.from(Array.from({ length: unit() < 0.5 ? below(GARBAGE_BYTES) : 0 }, () => below(256)))
      const copy = join(folder, 'cut')
      mkdirSync(copy)
      writeFileSync(join(copy, 'studio.db'), after.db)
      writeFileSync(join(copy, 'studio.db-wal'), Buffer.concat([after.log.subarray(0, length), garbage]))
      const found = openDatabase(join(copy, 'studio.db'))
      try {
        assert.equal(found.pragma('integrity_check', { simple: true }), 'ok')
        assert.deepEqual(found.pragma('foreign_key_check'), [])
        const batch = shapes.lastIndexOf(shapeOf(found))
        assert.ok(batch >= synced.batches, `batch ${batch} of ${shapes.length}, ${synced.batches} were synced`)
        const rows = found
          .prepare<[], { id: string; n: number }>('select task_id as id, count(*) as n from task_event group by task_id')
          .all()
        const stored = new Map(rows.map(({ id, n }) => [id, n]))
        for (const [id, count] of confirmed.events)
          assert.ok((stored.get(id) ?? 0) >= count, `${id} has ${stored.get(id)} of ${count} events`)
        const consents = found.prepare<[], string>('select worker_id from consent where withdrawn_at is null').pluck().all()
        for (const id of confirmed.withdrawn) assert.ok(!consents.includes(id), `the withdrawal of ${id} is lost`)
      } finally {
        found.close()
        rmSync(copy, { recursive: true })
      }
      checked++
    }
  }

  await confirmSynced()
  for (let at = 0; at < TURNS; at++) {
    // Before the offers of the turn, which the scheduler makes at its end.
    if (at === TURNS >> 1) {
      workers.withdraw('w2')
      withdrawn.add('w2')
    }
    for (let count = 1 + below(4); count > 0; count--) act()
    if (unit() < 0.3) void confirm()
    await turn()
    if (unit() < 0.5) clock.advance(below(8))
    await turn()
    if (at === TURNS >> 2) db.pragma('wal_checkpoint(passive)')
    if (unit() < 0.4) await sync()
    if (unit() < 0.5) cut()
  }
  await confirmSynced()
  cut()
  assert.deepEqual([...confirmed.events].sort(), [...events].sort())
  assert.ok(checked > TURNS / 2 && shapes.length > TURNS / 2, `${checked} cuts of ${shapes.length} batches`)
  t.diagnostic(`${checked} cuts, ${shapes.length} batches, ${events.size} tasks`)

  async function confirmSynced(): Promise<void> {
    let isConfirmed = false
    void confirm().then(() => {
      isConfirmed = true
    })
    while (!isConfirmed) {
      await turn()
      await sync()
    }
  }
})
