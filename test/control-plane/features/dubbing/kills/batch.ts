// The job of a batch item on a database that can be killed at any write. What its steps call are doubles.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { z } from 'zod'
import { createBatchRows } from '#control-plane/features/dubbing/batch/batch.store.ts'
import { createBatchJobs } from '#control-plane/features/dubbing/batch/batch-job.ts'
import { createBatchProgress } from '#control-plane/features/dubbing/batch/batch-progress.ts'
import { createBatchSteps } from '#control-plane/features/dubbing/batch/batch-steps.ts'
import { createBatchView } from '#control-plane/features/dubbing/batch/batch-view.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createRemoval } from '#control-plane/features/dubbing/store/files/removal.ts'
import type { SpeakEvent } from '#control-plane/features/dubbing/voice/speak/speak-events.schema.ts'
import type { StepContext, StepOutcomes, StepPlan } from '#control-plane/jobs/job-type.ts'
import type { Json } from '#control-plane/jobs/key.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { madeTrack } from '#test/support/builders/made-track.ts'
import { ended, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const [SOURCE, SOUND, SPEECH] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string]
export const ID = 'a1b2c3d4e5f6'
/** More than one step of translation. */
export const LINES = 201
const hang = new Promise<never>(() => {})
export type Row = { id: string; text: string; error?: string }
export type Change = {
  readonly translate?: (rows: Row[], language: string) => Row[]
  readonly export?: (language: string, time: number) => void
  readonly speak?: (language: string) => string[]
  /** Hangs there until the step is aborted. */
  readonly stopAt?: string
}

export function open(t: TestContext, folder: string, { killAt = null, change = {} }: { killAt?: KillPoint | null; change?: Change } = {}) {
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  t.after(world.close)
  const calls: string[] = []
  const reached = Promise.withResolvers<void>()
  const stopped: string[] = []
  /** Calls of a killed process never happen. */
  async function call(name: string, signal: AbortSignal): Promise<void> {
    if (world.isDead()) return hang
    calls.push(name)
    if (name !== change.stopAt) return
    reached.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const { jobs } = world
  const fileRows = createFileRows({ db: world.db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: fileRows, clock: systemClock })
  const store = createDubStore({ db: world.db })
  const rows = createBatchRows({ db: world.db })
  const core = { store, files, rows: fileRows, makerOf: () => OWNER_ID } as unknown as DubCore
  const removal = createRemoval({ core, machines: { forgetVoices: async () => {} } })
  const double = (name: string, run: (context: StepContext) => Json = () => null, as = name): StepPlan => ({
    name,
    output: z.json(),
    key: { kind: `double.${as}`, version: 1, inputs: [], params: null },
    async run(context) {
      await call(as, context.signal)
      const { report } = context as StepContext<SpeakEvent>
      report({ fraction: 0.5, secondsLeft: null, frame: { type: 'progress', current: 1, total: 2, text: as } })
      return { json: run(context), digest: null, bytes: 0 }
    },
  })
  const prep = {
    steps: (_: unknown, { outputs }: StepOutcomes) => [
      [double('probe')],
      ...(outputs.has('probe')
        ? [
            [
              double('extract', () => {
                store.dubs.change(ID, { sound: { durationUs: 60e6, sound: SOUND, speech: SPEECH } })
                return null
              }),
            ],
          ]
        : []),
    ],
    doneFrame: () => ({ type: 'ready' as const, job_id: ID, duration: 1, filename: '' }),
  }
  const line = (at: number) =>
    dubLine({ id: `s${at}`, startUs: at * 1e5, endUs: at * 1e5 + 9e4, text: `line ${at}`, textOriginal: '', profileId: 'auto:Speaker 1' })
  const transcriptions = {
    steps: () => [
      [double('begin')],
      [{ ...double('part 0'), optional: true, run: () => Promise.reject(new Failure('WORKER_FAILED', 'One part failed.')) }],
      [
        double('final', () => {
          store.segments.replace(
            ID,
            Array.from({ length: LINES }, (_, at) => line(at)),
          )
          store.dubs.change(ID, { sourceLang: 'en' })
          return null
        }),
      ],
    ],
  }
  const manifests: Record<string, string> = {}
  const generateJobs = {
    keepManifest: async (manifest: unknown) => (manifest as { language: string }).language.padEnd(64, '0'),
    steps({ manifest }: { manifest: string }, { outputs }: StepOutcomes) {
      const language = manifest.replace(/0+$/, '')
      const spoken = change.speak ?? (() => ['s0'])
      const hashes = () => Object.fromEntries(spoken(language).map((id) => [id, 'x']))
      return [
        [double('plan', () => null, `plan ${language}`)],
        ...(outputs.has('plan')
          ? [
              [double('speak 0', () => [], `speak ${language}`)],
              [
                double(
                  'assemble',
                  () => ({ ...madeTrack({ segments_processed: LINES, language_code: language, seg_hashes: hashes() }) }),
                  `assemble ${language}`,
                ),
              ],
            ]
          : []),
      ]
    },
  }
  const times = new Map<string, number>()
  const own = createBatchSteps({
    core,
    rows,
    translation: {
      async translate({ segments, target_lang }, { signal }) {
        await call(`translate ${target_lang} ${segments[0]!.id}`, signal)
        const translated = segments.map(({ id, text }) => ({ id, text: `${text} (${target_lang})` }))
        return {
          translated: change.translate?.(translated, target_lang) ?? translated,
          target_lang,
          source_lang: 'en',
          quality_used: 'fast',
        }
      },
    },
    generating: {
      canClone: () => false,
      manifestOf(_, body) {
        manifests[body.language_code] = `${body.language} ${body.segments[1]!.text} [${body.segments[1]!.profile_id}]`
        return { language: body.language_code } as never
      },
    },
    generateJobs,
    exports: {
      async download(_, { include }, signal) {
        await call(`export ${include}`, signal)
        const time = (times.get(include) ?? 0) + 1
        times.set(include, time)
        change.export?.(include, time)
        return {
          path: `/files/${include}`,
          key: '',
          warning: null,
          notices: [],
          name: '',
          type: '',
          file: { size: 0, read: () => hang as never },
        }
      },
    },
    clock: { sleep: async () => {} },
  })
  const progress = createBatchProgress()
  const stopExports = (id: string) => stopped.push(id) > 0
  const batch = createBatchJobs({
    ...{ core, rows, jobs, prep, transcriptions, generateJobs, own, progress, removal, stopExports, clock: systemClock },
  })
  const view = createBatchView({ core, rows, jobs, progress, isClaimed: () => false, clock: systemClock })
  async function start(langs: readonly string[], voiceId: string | null = null) {
    const from = join(folder, 'upload')
    writeFileSync(from, 'film')
    await files.keep(SOURCE, from, { kind: 'source', maker: 'r' }, null)
    store.dubs.create({ id: ID, filename: 'film.mp4', inputType: 'video', sourceDigest: SOURCE, createdAt: 1 })
    files.use(ID, SOURCE)
    const item = { filename: 'film.mp4', langs, voiceId, preserveBg: true }
    rows.add({ ...item, id: ID, sourceDigest: SOURCE, createdAt: 1 })
    await batch.start({ ...item, langs: [...langs], dub: ID, run: 'r', source: SOURCE, inputType: 'video' }, batch.reserve())
  }
  const read = async () => view.form(await view.current(rows.find(ID)!), true)
  return { world, calls, reached: reached.promise, stopped, manifests, store, files, rows, start, read, progress, removal }
}

export const WHOLE = [
  ...['probe', 'extract', 'begin', 'final', 'translate es s0', 'translate es s200', 'translate fr s0', 'translate fr s200'],
  ...['plan es', 'speak es', 'assemble es', 'plan fr', 'speak fr', 'assemble fr', 'export es', 'export fr'],
]

/** Kills the item at each `every`th write, in turns before and after the write reached the disk. */
export async function killedBatch(t: TestContext, every: number): Promise<void> {
  const plain = open(t, temporaryFolder(t))
  await plain.start(['es', 'fr'])
  await ended(plain.world, ID)
  const writes = plain.world.writes()
  for (let write = 2; write <= writes; write += every) {
    const folder = temporaryFolder(t)
    const first = open(t, folder, { killAt: { write, isWritten: (write & 1) === 0 } })
    await first.start(['es', 'fr'])
    await Promise.race([first.world.killed, ended(first.world, ID)])
    first.world.kill()
    first.world.close()
    const second = open(t, folder)
    second.world.jobs.start()
    const { job } = (await ended(second.world, ID)).record
    assert.equal(job.status, 'done', `write ${write}: ${job.failure?.message}`)
    assert.ok(first.calls.length + second.calls.length <= WHOLE.length + 1, `write ${write}: ${first.calls} and then ${second.calls}`)
    const { outputs, warnings, started_at } = await second.read()
    assert.deepEqual([Object.keys(outputs!), warnings, typeof started_at], [['es', 'fr'], undefined, 'number'], `write ${write}`)
    await second.world.jobs.stop()
  }
}
