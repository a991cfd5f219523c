// The job `export_<dub>_<unix seconds>`: makes one file of a dub, with progress, and goes on after a restart. Requests for files do not need it.

import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { jobStep, jobType, type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { DubExportBody } from '../export/export.contract.ts'
import type { ExportedFile } from '../export/export-files.ts'
import { baseName } from '../export/names.rules.ts'
import { DubExportEvent } from './export-events.schema.ts'

export const EXPORT_TYPE = 'dub_export'
const VERSION = 1
const AT_ONCE = 2
const RUN_BYTES = 8
const WHATS = ['film', 'mp3', 'wav', 'stems', 'lines'] as const
const Params = z.object({
  dub: z.string(),
  choice: z.object({
    what: z.enum(WHATS),
    lang: z.string(),
    preserve_bg: z.boolean(),
    burn_subs: z.boolean(),
    dual: z.boolean(),
  }),
  /** Random: an id may be used again. */
  run: z.string(),
})
const Made = z.object({ key: z.string(), name: z.string(), type: z.string(), bytes: z.number() })
const Meta = z.object({ dub: z.string(), file: Made.optional() })
type Choice = z.output<typeof DubExportBody>
/** Makes a file. `progress`: 0 to 1. Throws what requests for it do, and the reason of the signal. */
export type MakeExport = (dubId: string, choice: Choice, progress: (share: number) => void, signal: AbortSignal) => Promise<ExportedFile>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'dub' | 'plans' | 'files' | 'makerOf'>
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get' | 'active' | 'cancel'>
  readonly make: MakeExport
  readonly read: (key: string) => Promise<Ranged | null>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
export type ExportJobs = ReturnType<typeof createExportJobs>

export function createExportJobs({ core, jobs, make, read, clock, random }: Deps) {
  /** Equal requests that came together share one job. */
  const starting = new Map<string, Promise<string>>()
  /** The id of another dub may begin with this one and `_`. */
  const isOf = (dub: string, id: string): boolean => id.startsWith(`export_${dub}_`) && /^\d+$/.test(id.slice(`export_${dub}_`.length))
  const activeIds = (dub: string) => jobs.active().flatMap(({ id, type }) => (type === EXPORT_TYPE && isOf(dub, id) ? [id] : []))

  /** The job that makes this file now, also one of before a restart. */
  async function runningFor(dub: string, choice: Choice): Promise<string | null> {
    for (const id of activeIds(dub)) {
      const params = (await jobs.get(id))?.record.params
      const active = params === undefined ? undefined : Params.safeParse(JSON.parse(params)).data
      if (active?.dub === dub && JSON.stringify(active.choice) === JSON.stringify(choice)) return id
    }
    return null
  }

  async function create(dub: string, filename: string, choice: Choice): Promise<string> {
    const running = await runningFor(dub, choice)
    if (running !== null) return running
    const params = { dub, choice, run: random.hex(RUN_BYTES) }
    const meta = { dub, filename, language_code: choice.lang, what: choice.what }
    for (let second = Math.floor(clock.now() / 1000); ; second++) {
      const id = `export_${dub}_${second}`
      if (await jobs.get(id)) continue
      try {
        await jobs.create({ type: EXPORT_TYPE, id, params, meta, madeBy: core.makerOf(dub) })
        return id
      } catch (error) {
        if (Failure.from(error).code !== 'CONFLICT') throw error
      }
    }
  }

  async function run({ dub, choice }: z.output<typeof Params>, context: StepContext): Promise<StepOutput<z.output<typeof Made>>> {
    const progress = (fraction: number) => context.report({ fraction: Math.min(1, fraction), secondsLeft: null, frame: null })
    const { key, name, type, file } = await make(dub, choice, progress, context.signal)
    return stepOutput({ key, name, type, bytes: file.size })
  }

  jobs.add(
    jobType({
      type: EXPORT_TYPE,
      params: Params,
      events: DubExportEvent,
      steps: (params) => [
        [
          jobStep({
            name: 'make',
            output: Made,
            key: { kind: 'dub.export.make', version: VERSION, inputs: [], params: { run: params.run } },
            run: (context) => run(params, context),
          }),
        ],
      ],
      concurrency: AT_ONCE,
      onRestart: 'resume',
      // The file belongs to the dub, and its row says when it goes.
      onCancel: 'keep',
      result: (_, outcomes) => ({ file: readOutput(outcomes, 'make', Made)! }),
    }),
  )

  return {
    /** Cancels the exports of a dub. Returns whether there was any. */
    abort(dub: string): boolean {
      const ids = activeIds(dub)
      for (const id of ids) jobs.cancel(id).catch(() => {}) // it has ended meanwhile
      return ids.length > 0
    },
    /**
     * Resolves with the id of the job, which is durable; the same one while an equal export is made. Throws NOT_FOUND, and BAD_REQUEST without a
     * track of the language, or without a picture.
     */
    async start(dub: string, choice: Choice): Promise<string> {
      const { filename, inputType } = core.dub(dub)
      const tracks = await core.plans.of(dub)
      if (!tracks.some(({ languageCode }) => languageCode === choice.lang))
        throw new Failure('BAD_REQUEST', `This dub has no voice track in ${choice.lang}. Generate it first.`)
      if (choice.what === 'film' && inputType === 'audio')
        throw new Failure('BAD_REQUEST', 'This dub has no picture. Export its sound instead.')
      const same = JSON.stringify([dub, choice])
      const started = starting.get(same) ?? create(dub, filename, choice).finally(() => starting.delete(same))
      starting.set(same, started)
      return await started
    },
    /** The file of a job that is done. Throws NOT_FOUND also for one that was removed, and CONFLICT before its end. */
    async file(dub: string, jobId: string): Promise<{ readonly file: Ranged; readonly name: string; readonly type: string }> {
      core.dub(dub)
      const found = await jobs.get(jobId)
      const meta = found?.record.type === EXPORT_TYPE ? Meta.safeParse(JSON.parse(found.record.meta)).data : undefined
      if (!found || meta?.dub !== dub) throw new Failure('NOT_FOUND', 'This export does not exist.')
      if (found.record.job.status !== 'done' || !meta.file)
        throw new Failure('CONFLICT', 'This export has no file yet. Wait until it is complete, or export again if it has failed.')
      const file = await read(meta.file.key)
      if (!file) throw new Failure('NOT_FOUND', 'The file of this export was removed to free space. Export it again.')
      return { file, name: meta.file.name, type: meta.file.type }
    },
  }
}

/** `Harbour talk (Spanish).mp4`, `Harbour talk (Spanish) lines.zip`. Pure. */
export function exportName(filename: string, language: string, what: (typeof WHATS)[number]): string {
  const of = `${baseName(filename)} (${baseName(language)})`
  if (what === 'film') return `${of}.mp4`
  return what === 'mp3' || what === 'wav' ? `${of}.${what}` : `${of} ${what}.zip`
}
