// Jobs that are killed at any step border, cancelled at any time, and run in parallel with shared steps.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { type JobFrame, jobType, type StepContext, type StepOutput, type StepPlan } from '#control-plane/jobs/job-type.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import { ANY_EVENT } from '#test/support/doubles/job-stage.ts'
import { ended, type JobWorld, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { seeded } from '#test/support/doubles/seeded.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const Book = z.object({ lines: z.array(z.string()) })
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** The machine around the studio: it survives a kill. `files`: half-made ones, by the key of their step. */
function machine(seed: number) {
  const chance = seeded(seed)
  const files = new Set<string>()
  const ran = new Map<string, number>()
  const violations: string[] = []
  let world: JobWorld
  const turns = async (signal: AbortSignal) => {
    for (let left = chance.below(4); left > 0 && !signal.aborted; left--) await new Promise((resolve) => setImmediate(resolve))
  }

  async function work(step: StepPlan<JobFrame>, { signal, emit, report }: StepContext<JobFrame>, make: () => string): Promise<StepOutput> {
    const mine = world
    const key = keyOf(step.key)
    if (mine.isDead()) return new Promise(() => {})
    const done = mine.db.prepare<[string], { n: number }>('select count(*) as n from step_result where key = ?').get(key)!.n
    if (done > 0) violations.push(`${step.name} runs although its key is done`)
    if (files.has(key)) violations.push(`${step.name} runs twice at the same time`)
    files.add(key)
    ran.set(key, (ran.get(key) ?? 0) + 1)
    try {
      await turns(signal)
      if (chance.below(3) === 0) await emit({ type: 'note', step: step.name })
      if (chance.below(3) === 0) report({ fraction: 0.5, secondsLeft: null, frame: { type: 'progress', step: step.name } })
      await turns(signal)
      if (mine.isDead()) return await new Promise(() => {})
      signal.throwIfAborted()
      return { json: make(), digest: digest(make()), bytes: 1 }
    } finally {
      if (!mine.isDead()) files.delete(key)
    }
  }

  const stepOf = (name: string, inputs: readonly string[], text: string): StepPlan<JobFrame> => {
    const step: StepPlan<JobFrame> = {
      name,
      output: z.string(),
      key: { kind: name.split(':')[0]!, version: 1, inputs, params: { text } },
      run: (context) => work(step, context, () => `${name.split(':')[0]}(${text})`),
      frame: (output) => ({ type: 'step', step: name, digest: output.digest }),
    }
    return step
  }
  const book = jobType({
    type: 'book',
    params: Book,
    events: ANY_EVENT,
    steps({ lines }, { outputs }) {
      const made = lines.map((_, index) => outputs.get(`speak:${index}`)?.digest ?? '')
      return [
        [stepOf('plan', [], lines.join('|'))],
        lines.map((line, index) => stepOf(`speak:${index}`, [], line)),
        [stepOf('join', made, '')],
      ]
    },
    concurrency: 2,
    parallel: 3,
    onRestart: 'resume',
    result: (_, { outputs }) => ({ output: outputs.get('join')!.digest, parts: outputs.size }),
  })
  return {
    files,
    ran,
    violations,
    open(path: string, killAt: KillPoint | null = null): JobWorld {
      world = openJobs(path, [book], killAt)
      return world
    },
    /** The process is gone; the next start empties its work folder. */
    bury(): void {
      world.close()
      files.clear()
    },
  }
}

/** Follows over restarts with the last number seen, as a client does. */
function follower(id: string) {
  const events: { seq: number; payload: string }[] = []
  return {
    events,
    async attach({ jobs, killed, isDead }: JobWorld): Promise<void> {
      const abort = new AbortController()
      void killed.then(() => abort.abort())
      const reading = (async () => {
        for await (const { seq, payload } of await jobs.follow(id, events.at(-1)?.seq ?? 0, abort.signal)) {
          if (isDead()) return // nothing leaves a killed process
          if (seq !== null) events.push({ seq, payload })
        }
      })()
      await Promise.race([reading, killed])
    },
  }
}

function assertEvents(events: readonly { seq: number; payload: string }[], last: string): void {
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
    'numbers ascend without a gap',
  )
  const types = events.map(({ payload }) => (JSON.parse(payload.slice('data: '.length)) as { type: string }).type)
  assert.equal(types.at(-1), last)
  assert.equal(types.filter((type) => ['done', 'error', 'cancelled'].includes(type)).length, 1)
}

const LINES = ['one', 'two', 'one', 'three']

async function uninterrupted(t: TestContext, lines: readonly string[]): Promise<{ readonly meta: string; readonly writes: number }> {
  const world = machine(1).open(join(temporaryFolder(t), 'studio.db'))
  const { record } = await world.jobs.create({ type: 'book', params: { lines }, meta: { title: 'x' } })
  const { record: done } = await ended(world, record.job.id)
  assert.equal(done.job.status, 'done')
  await world.jobs.stop()
  world.close()
  return { meta: done.meta, writes: world.writes() }
}

/** Kills a job at each `every`th write, before and after it reached the disk. */
export async function killedAtWrites(t: TestContext, every: number): Promise<void> {
  const expected = await uninterrupted(t, LINES)
  const folder = temporaryFolder(t)
  for (let write = 2; write <= expected.writes; write += every)
    for (const isWritten of [false, true]) {
      const where = `write ${write} ${isWritten ? 'reached' : 'did not reach'} the disk`
      const around = machine(1)
      const path = join(folder, `${write}-${isWritten}.db`)
      const first = around.open(path, { write, isWritten })
      const { record } = await first.jobs.create({ type: 'book', params: { lines: LINES }, meta: { title: 'x' } })
      const { id } = record.job
      const mine = follower(id)
      const following = mine.attach(first)
      await Promise.race([first.killed, ended(first, id)])
      await following
      around.bury()
      const second = around.open(path)
      await second.jobs.start()
      await mine.attach(second)
      const { record: done } = await ended(second, id)
      assert.equal(done.job.status, 'done', where)
      assert.equal(done.meta, expected.meta, where)
      assertEvents(mine.events, 'done')
      assert.deepEqual(around.violations, [], where)
      await second.jobs.stop()
      second.close()
    }
}

const kill = fc.record({ write: fc.integer({ min: 3, max: 40 }), isWritten: fc.boolean() })
const texts = fc.array(fc.constantFrom('one', 'two', 'three', 'four'), { maxLength: 6 })

/** Two jobs with shared steps, random kills and a cancel in each run. */
export async function killedByChance(t: TestContext, runs: number): Promise<void> {
  const folder = temporaryFolder(t)
  const counts = { killed: 0, cancelled: 0, shared: 0 }
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        seed: fc.nat(),
        lines: fc.tuple(texts, texts),
        kills: fc.array(kill, { maxLength: 2 }),
        cancelAt: fc.option(fc.nat(20)),
      }),
      async ({ seed, lines, kills, cancelAt }) => {
        const around = machine(seed)
        const path = join(folder, `${++run}.db`)
        const wanted = [kills[0] ?? null, kills[1] ?? null, null]
        let ids: readonly string[] = []
        let mine: ReturnType<typeof follower>[] = []
        let isCancelled = false
        for (const [round, killAt] of wanted.entries()) {
          const world = around.open(path, killAt)
          if (round === 0) {
            for (const [index, each] of lines.entries()) {
              const created = world.jobs.create({ id: `job-${index}`, type: 'book', params: { lines: each }, meta: {} })
              await Promise.race([created, world.killed])
            }
          } else world.jobs.start()
          // A job whose creation was killed may still be there, and goes on.
          ids = world.db
            .prepare<[], { id: string }>('select id from job order by seq')
            .all()
            .map(({ id }) => id)
          mine = ids.map((id, index) => mine[index] ?? follower(id))
          const following = Promise.all(mine.map((each) => each.attach(world)))
          if (cancelAt !== null && ids[0] && !isCancelled) {
            for (let turns = 0; turns < cancelAt; turns++) await new Promise((resolve) => setImmediate(resolve))
            const cancelling = world.jobs.cancel(ids[0]).then(
              () => true,
              () => false,
            )
            isCancelled = (await Promise.race([cancelling, world.killed.then(() => false)])) || isCancelled
          }
          await Promise.race([world.killed, Promise.all([following, ...ids.map((id) => ended(world, id))])])
          if (world.isDead()) {
            counts.killed++
            around.bury()
            continue
          }
          await following
          await check(world, around, ids, mine, lines, isCancelled, counts)
          await world.jobs.stop()
          world.close()
          break
        }
      },
    ),
    { numRuns: runs },
  )
  assert.ok(counts.killed > runs / 5 && counts.cancelled > runs / 20 && counts.shared > runs / 10, JSON.stringify(counts))
}

async function check(
  world: JobWorld,
  around: ReturnType<typeof machine>,
  ids: readonly string[],
  mine: readonly ReturnType<typeof follower>[],
  lines: readonly (readonly string[])[],
  isCancelled: boolean,
  counts: { cancelled: number; shared: number },
): Promise<void> {
  assert.deepEqual(around.violations, [])
  assert.deepEqual([...around.files], [], 'nothing half made is left')
  const distinct = new Set(lines.flat()).size
  if (distinct < lines.flat().length) counts.shared++
  for (const [index, id] of ids.entries()) {
    const { record } = (await world.jobs.get(id))!
    const { status } = record.job
    assertEvents(mine[index]!.events, status)
    if (status === 'cancelled') {
      counts.cancelled++
      assert.equal(index, 0)
      const left = world.db.prepare<[string], { n: number }>('select count(*) as n from job_step where job_id = ?').get(id)!.n
      assert.equal(left, 0, 'no step of a cancelled job is left')
      const orphans = `select count(*) as n from step_result where key not in (select result_key from job_step where result_key is not null)`
      assert.equal(world.db.prepare<[], { n: number }>(orphans).get()!.n, 0, 'nor a result that only it used')
    } else {
      assert.equal(status, 'done')
      const parts = lines[index]!
      const joined = digest('join()')
      assert.deepEqual(JSON.parse(record.meta), { output: joined, parts: parts.length + 2 })
    }
  }
  if (isCancelled && ids[0]) assert.notEqual((await world.jobs.get(ids[0]))!.record.finishedAt, null)
  const running = world.db.prepare<[], { n: number }>(`select count(*) as n from job_step where state in ('waiting','running')`)
  assert.equal(running.get()!.n, 0)
}
