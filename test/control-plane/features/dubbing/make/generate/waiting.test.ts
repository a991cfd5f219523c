// Dubs that wait for a machine or for space on the disk, beside dubs that could run.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { z } from 'zod'
import { untilPossible } from '#control-plane/features/dubbing/film/prep/until-possible.ts'
import { createGenerateJobs } from '#control-plane/features/dubbing/make/generate/generate-job.ts'
import { createPlaceFor } from '#control-plane/features/dubbing/voice/speak/speaking.ts'
import { type JobFrame, jobType, type StepContext } from '#control-plane/jobs/job-type.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { madeTrack } from '#test/support/builders/made-track.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { ANY_EVENT } from '#test/support/doubles/job-stage.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const OUTPUT = { json: null, digest: null, bytes: 0 }
/** Generations at the same time. */
const AT_ONCE = 4

/** Jobs of one step of which one runs at a time. */
function oneAtATime(t: TestContext, run: (name: string, context: StepContext<JobFrame>) => Promise<unknown>) {
  const type = jobType({
    type: 'one',
    params: z.object({ name: z.string() }),
    events: ANY_EVENT,
    steps: ({ name }) => [
      [
        {
          name,
          output: z.null(),
          key: { kind: 'one', version: 1, inputs: [], params: { name } },
          run: async (context) => {
            await run(name, context)
            return OUTPUT
          },
        },
      ],
    ],
    concurrency: 1,
    onRestart: 'resume',
  })
  const world = jobsFor(t, [type])
  const start = async (name: string) => (await world.jobs.create({ type: 'one', params: { name }, meta: {} })).record.job.id
  return { world, start, statusOf: async (id: string) => (await ended(world, id)).record.job.status }
}

test('a film that waits for space on the disk does not keep the next one from being prepared', async (t) => {
  let isFull = true
  const { start, statusOf } = oneAtATime(t, async (name, context) => {
    const read = async () => {
      if (name === 'large' && isFull) throw new Failure('STORAGE_FULL', 'The disk is full.')
    }
    await untilPossible(read, context, 'extract', systemClock)
  })
  const large = await start('large')
  assert.equal(await statusOf(await start('small')), 'done')
  isFull = false
  assert.equal(await statusOf(large), 'done')
})

test('a preparation waits for the engines of the machine, and says so once', async () => {
  const frames: object[] = []
  const context = {
    signal: new AbortController().signal,
    emit: async (frame: object) => void frames.push(frame),
    whileWaiting: <T>(work: () => Promise<T>) => work(),
  } as unknown as StepContext<JobFrame>
  let looks = 0
  const run = async () => {
    if (++looks < 4) throw new Failure('NOT_READY', 'The engines are starting.')
    return 'separated'
  }
  assert.equal(await untilPossible(run, context, 'demucs', { sleep: async () => {} }), 'separated')
  assert.equal(frames.length, 1)
  assert.partialDeepStrictEqual(frames[0], { type: 'warning', stage: 'demucs' })
})

test('lines whose machine is away do not keep those of other dubs from being spoken', async (t) => {
  let place: string | null = null
  const { start, statusOf } = oneAtATime(t, async (name, context) => {
    const placeOf = () => (name === 'lent' ? place : 'here')
    assert.ok(await createPlaceFor({ casting: { placeOf }, clock: systemClock })({ engine: 'e' } as never, context))
  })
  const lent = await start('lent')
  assert.equal(await statusOf(await start('own')), 'done')
  place = 'there'
  assert.equal(await statusOf(lent), 'done')
})

test('as many generations as run at once wait for a machine, another one ends, and a cancelled one marks its dub', async (t) => {
  const folder = temporaryFolder(t)
  const world = jobsFor(t, [])
  let isAway = true
  const planning = async ({ id }: { id: string }) => {
    if (id !== 'own' && isAway) throw new Failure('NO_CAPABLE_WORKER', 'No machine can speak.')
    return { voices: [], takes: [], groups: [], failed: [], notices: [], routing: [] }
  }
  const marked: unknown[] = []
  const change = (id: string, what: object) => marked.push({ id, ...what })
  let moment = 1e12
  const generations = createGenerateJobs({
    core: { makerOf: () => OWNER_ID, store: { dubs: { find: (id: string) => ({ id, filename: 'f.mp4' }), change } } },
    jobs: world.jobs,
    artifacts: {
      keep: async (digest: string, { chunks }: { chunks: Buffer[] }) => writeFileSync(join(folder, digest), chunks[0]!),
      pathOf: (digest: string) => join(folder, digest),
    },
    planning,
    secondTakes: { make: async () => {} },
    assembling: async () => madeTrack(),
    requests: { keep: () => {} },
    trials: { drop: async () => {} },
    fallback: () => null,
    clock: { ...systemClock, now: () => (moment += 1_000) },
    random: { hex: () => '0'.repeat(16) },
  } as never)
  const start = (dub: string) =>
    generations.start({
      dub,
      language: 'es',
      languageCode: 'es',
      engine: 'e',
      numStep: 8,
      guidance: 2,
      voiceMatch: 'consistent',
      timing: { timing_strategy: 'concise', slot_fit: 'off', overflow_budget_s: 0, fit_options: null },
      lines: [],
    })
  const waiting: string[] = []
  for (let dub = 0; dub < AT_ONCE; dub++) waiting.push(await start(`lent${dub}`))
  const own = await start('own')
  assert.equal((await ended(world, own)).record.job.status, 'done')
  for (const id of waiting) assert.equal((await world.jobs.get(id))!.record.job.status, 'running')
  await world.jobs.cancel(waiting.pop()!)
  while (marked.length === 0) await turn()
  assert.deepEqual(marked, [{ id: `lent${AT_ONCE - 1}`, isAborted: true }])
  isAway = false
  for (const id of waiting) assert.equal((await ended(world, id)).record.job.status, 'done')
})
