// The job that speaks lines again: its rounds, the takes that stay, kills, a cancel, and what it refuses.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { z } from 'zod'
import type { JudgedLine } from '#control-plane/features/dubbing/make/repair/judging.ts'
import type { TakeScore } from '#control-plane/features/dubbing/make/repair/repair.rules.ts'
import { createDubRepairs, type FailedLine } from '#control-plane/features/dubbing/make/repair/repair-job.ts'
import { createDubRequests } from '#control-plane/features/dubbing/make/repair/requests.ts'
import { createTrialTakes } from '#control-plane/features/dubbing/make/repair/trial-takes.ts'
import { createAbort } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createPartFiles } from '#control-plane/features/dubbing/store/files/part-files.ts'
import type { DubManifest } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import type { SpeakPlan } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import { JobEnd, jobType } from '#control-plane/jobs/job-type.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { framesOf } from '#test/support/doubles/job-stage.ts'
import { ended, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const coded = (code: string) => (error: unknown) => error instanceof Failure && error.code === code
const GOOD: TakeScore = { isSilent: false, isOtherLanguage: false, isRepeated: false, characterError: 0.1, filled: 1, need: 0.9 }
const worse = (characterError: number): TakeScore => ({ ...GOOD, characterError })
/** The scores of the takes of each line, in order. `a` is good at once, `b` never, `c` gets worse. */
const SCORES: Readonly<Record<string, readonly TakeScore[]>> = {
  a: [worse(0.9), GOOD, GOOD],
  b: [worse(0.9), worse(0.8), worse(0.5)],
  c: [worse(0.4), worse(0.9), worse(0.7)],
  fine: [GOOD],
}
const IDS = Object.keys(SCORES)
const FAILED: FailedLine[] = IDS.map((id) => ({ id, slotUs: 1e6, roomUs: 1e6, score: SCORES[id]![0]! }))
const keyOf = (id: string, takeNo: number) => `${id}-${takeNo}-`.padEnd(64, '0')
const manifest = {
  dub: 'one',
  languageCode: 'es',
  language: 'Spanish',
  engine: 'e',
  numStep: 8,
  guidance: 2,
  voiceMatch: 'per_line',
  timing: { timing_strategy: 'concise', slot_fit: 'time_stretch', overflow_budget_s: 0, fit_options: null },
  lines: IDS.map((id) => ({
    ...{ id, startUs: 0, endUs: 1e6, text: `Text ${id}`, speakerId: '', profileId: '', instruct: '', direction: '', speed: 1, gain: 1 },
    ...{ language: 'es', effectPreset: 'raw', isAgain: false, fingerprint: '' },
  })),
} satisfies DubManifest

async function open(
  t: TestContext,
  folder: string,
  killAt: KillPoint | null = null,
  hold: (name: string) => Promise<void> = async () => {},
) {
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  t.after(world.close)
  const { db, jobs } = world
  const store = createDubStore({ db })
  const rows = createFileRows({ db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows, clock: systemClock })
  const requests = createDubRequests({ files, parts: createPartFiles(files), rows })
  const trials = createTrialTakes({ store, files })
  const add = (segmentId: string, takeNo: number) =>
    store.tracks.addTake('one', 'es', {
      segmentId,
      takeNo,
      key: keyOf(segmentId, takeNo),
      digest: 'd'.repeat(64),
      naturalUs: 1_000,
      sampleRate: 16_000,
      createdAt: 1,
    })
  const takesOf = (id: string) => store.tracks.takesOfLine('one', 'es', id).map(({ takeNo }) => takeNo)
  const isNew = store.dubs.find('one') === null
  if (isNew) {
    store.dubs.create({ id: 'one', filename: 'f', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
    for (const id of IDS) add(id, 0)
    await requests.keep('dub_one_1', manifest)
  }
  const calls: string[] = []
  const alive = async <R>(name: string, run: () => R): Promise<R> => {
    if (world.isDead()) return new Promise(() => {})
    calls.push(name)
    await hold(name)
    return run()
  }
  const abort = createAbort({ jobs, stopExports: () => false })
  const repairs = createDubRepairs({
    core: { store, makerOf: () => OWNER_ID } as unknown as DubCore,
    jobs,
    abort,
    requests,
    trials,
    planning: (_, { lines }) =>
      alive('plan', (): SpeakPlan => {
        const again = lines.flatMap(({ id, isAgain }, line) => (isAgain ? [{ id, line }] : []))
        const takes = again.map(({ id, line }) => ({ line, voice: 0, key: keyOf(id, takesOf(id).length), seed: 0, text: id, speed: 1 }))
        return { voices: [], takes, groups: takes.map((_take, at) => [at]), failed: [], notices: [], routing: [] }
      }),
    speaking: (_manifest, plan, [index]) =>
      alive('speak', () => {
        const [id, takeNo] = plan.takes[index!]!.key.split('-') as [string, string]
        if (!takesOf(id).includes(Number(takeNo))) add(id, Number(takeNo))
        return []
      }),
    secondTakes: { make: async () => {} },
    assembling: () => alive('assemble', () => ({}) as never),
    judge: (_dub, _language, { id, key }: JudgedLine) =>
      alive('judge', () => ({ id, key, score: SCORES[id]![Number(key.split('-')[1])]! })),
    examine: () => alive('examine', () => ({ answer: { flagged_count: 1, faulty_count: 2 } }) as never),
    clock: systemClock,
    random: { hex: () => 'run' } as never,
  })
  return { world, abort, calls, store, requests, trials, repairs, takesOf }
}
const KEPT = [
  { seg_id: 'a', takes: 2, best: 1 },
  { seg_id: 'b', takes: 3, best: 2 },
  { seg_id: 'c', takes: 3, best: 0 },
]
const DONE = { type: 'done', flagged_count: 1, faulty_count: 2, lines: KEPT }

test('lines get up to two more takes, and the takes after the best one go', async (t) => {
  const held = Promise.withResolvers<void>()
  const { world, abort, calls, repairs, requests, takesOf } = await open(t, temporaryFolder(t), null, () => held.promise)
  assert.equal(await repairs.start('one', 'es', 0.5, [FAILED.at(-1)!]), null)
  assert.equal(await repairs.start('one', 'es', 0.5, [{ ...FAILED[0]!, id: 'unknown' }]), null)
  await assert.rejects(repairs.start('one', 'fr', 0.5, FAILED), coded('BAD_REQUEST'))
  const [first, second] = await Promise.allSettled(Array.from({ length: 2 }, () => repairs.start('one', 'es', 0.5, FAILED)))
  assert.ok(first?.status === 'fulfilled' && second?.status === 'rejected' && coded('CONFLICT')(second.reason), 'one of two at once')
  const id = first.value!
  assert.throws(() => repairs.requireIdle('one'), coded('CONFLICT'))
  assert.throws(() => abort.requireNoOtherTracks('one'), coded('CONFLICT'))
  held.resolve()
  assert.equal((await ended(world, id)).record.job.status, 'done')
  assert.deepEqual(framesOf(await world.jobs.events(id, 0, 100)).at(-1), DONE)
  assert.deepEqual(IDS.map(takesOf), [[0, 1], [0, 1, 2], [0], [0]])
  const count = (name: string) => calls.filter((call) => call === name).length
  assert.deepEqual([count('speak'), count('judge'), count('assemble'), count('examine')], [5, 5, 1, 1])
  assert.equal((await requests.of('one', 'es'))!.job, id)
})

test('a repair that is killed at any write ends as an undisturbed one', async (t) => {
  const plain = await open(t, temporaryFolder(t))
  await ended(plain.world, (await plain.repairs.start('one', 'es', 0.5, FAILED))!)
  for (let write = 2; write <= plain.world.writes(); write++) {
    const folder = temporaryFolder(t)
    const first = await open(t, folder, { write, isWritten: write % 2 === 0 })
    const id = (await first.repairs.start('one', 'es', 0.5, FAILED))!
    await Promise.race([first.world.killed, ended(first.world, id)])
    first.world.kill()
    first.world.close()
    const second = await open(t, folder)
    await second.world.jobs.start()
    await ended(second.world, id)
    assert.deepEqual(framesOf(await second.world.jobs.events(id, 0, 100)).at(-1), DONE, `write ${write}`)
    assert.deepEqual(IDS.map(second.takesOf), [[0, 1], [0, 1, 2], [0], [0]], `write ${write}`)
  }
})

test('what a cancelled or failed repair has spoken is dropped before the next work on the track', async (t) => {
  const held = Promise.withResolvers<void>()
  const judging = Promise.withResolvers<void>()
  const { world, repairs, requests, trials, takesOf } = await open(t, temporaryFolder(t), null, (name) => {
    if (name !== 'judge') return Promise.resolve()
    judging.resolve()
    return held.promise
  })
  const cancelled = (await repairs.start('one', 'es', 0.5, FAILED))!
  await judging.promise
  assert.deepEqual(IDS.map(takesOf), [[0, 1], [0, 1], [0, 1], [0]])
  await world.jobs.cancel(cancelled)
  held.resolve()
  await ended(world, cancelled)
  await trials.drop('one', 'es')
  assert.deepEqual(IDS.map(takesOf), [[0], [0], [0], [0]])

  const failed = (await repairs.start('one', 'es', 0.5, FAILED))!
  await requests.keep('dub_one_2', manifest)
  assert.equal((await ended(world, failed)).record.job.status, 'failed')
  await requests.keep('dub_one_1', manifest)
  await ended(world, (await repairs.start('one', 'es', 0.5, FAILED))!)
  await trials.drop('one', 'es')
  assert.deepEqual(IDS.map(takesOf), [[0, 1], [0, 1, 2], [0], [0]], 'those that a repair has chosen stay')
})

test('a cancel ends it, and a dub that was generated again meanwhile is left alone', async (t) => {
  const held = Promise.withResolvers<void>()
  const { world, abort, repairs, requests } = await open(t, temporaryFolder(t), null, () => held.promise)
  const cancelled = (await repairs.start('one', 'es', 0.5, FAILED))!
  await world.jobs.cancel(cancelled)
  held.resolve()
  assert.equal((await ended(world, cancelled)).record.job.status, 'cancelled')
  assert.deepEqual(abort.activeOf('one'), [])
  const id = (await repairs.start('one', 'es', 0.5, FAILED))!
  await requests.keep('dub_one_2', manifest)
  const { job } = (await ended(world, id)).record
  assert.deepEqual([job.status, job.failure?.code], ['failed', 'CONFLICT'])
})

test('the work of a dub is found among many newer jobs', async (t) => {
  const held = Promise.withResolvers<void>()
  const { world, abort, repairs } = await open(t, temporaryFolder(t), null, () => held.promise)
  const waiting = { type: 'waiting', params: z.null(), concurrency: 1, onRestart: 'resume' } as const
  const key = { kind: 'wait', version: 1, inputs: [], params: null }
  const step = { name: 'wait', key, output: z.null(), run: () => held.promise.then(() => ({ json: null, digest: null, bytes: 0 })) }
  world.jobs.add(jobType({ ...waiting, events: JobEnd, steps: () => [[step]] }))
  const id = (await repairs.start('one', 'es', 0.5, FAILED))!
  await Promise.all(Array.from({ length: 600 }, () => world.jobs.create({ type: 'waiting', params: null, meta: {} })))
  assert.deepEqual(abort.activeOf('one'), [id])
  assert.equal(await abort.abort('one'), true)
  held.resolve()
  assert.equal((await ended(world, id)).record.job.status, 'cancelled')
  await world.jobs.stop()
})
