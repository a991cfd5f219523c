// A model installation as a job. The agent downloads by itself and continues during a restart of the studio; the job follows its reports.
import { z } from 'zod'
import { type JobType, jobStep, jobType, type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { ModelHost } from '#control-plane/kernel/model-host.ts'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type DownloadEvent, InstallEvent } from '../download-events.schema.ts'
import { createDownloadStates, type DownloadState, placeKey } from './download-states.ts'
import { createReports, INSTALL_ENDS, type Place, type Reports } from './install-reports.ts'

export type Installs = ReturnType<typeof createInstalls>
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'cancel' | 'page'>
  readonly live: (workerId: string) => Pick<ModelHost, 'describeAgain' | 'stopInstall'> | undefined
  /** Throws NOT_READY or CONFLICT for a machine that is not connected. */
  readonly hostAt: (workerId: string) => Pick<ModelHost, 'install'>
  readonly publish: (event: DownloadEvent) => void
  readonly clock: Clock
  readonly log: Log
}

const Params = z.object({ where: z.string(), repo_id: z.string() })

export function createInstalls({ jobs, live, hostAt, publish, clock, log }: Deps) {
  const downloads = createDownloadStates({ jobs, clock })
  const reports = createReports({ live, hostAt, publish: follow, clock })
  /** By place; the job is null until it exists. */
  const running = new Map<string, { readonly place: Place; readonly job: string | null }>()
  /** Reports that were opened before their job began. */
  const opened = new Map<string, Reports>()

  const type: JobType = jobType({
    type: 'model_install',
    params: Params,
    events: InstallEvent,
    // The job is part of the key, so that a removed model is downloaded again.
    steps: (place, _outcomes, job) => [
      [
        jobStep({
          name: 'download',
          key: { kind: 'model_install', version: 1, inputs: [], params: { ...place, job } },
          output: z.null(),
          run: (context) => run(place, job, context),
        }),
      ],
    ],
    concurrency: 64,
    onRestart: 'resume',
    cleanUp: (_job, place) => abandon(place),
  })
  jobs.add(type)

  async function run(place: Place, job: string, context: StepContext<InstallEvent>): Promise<StepOutput<null>> {
    const key = placeKey(place)
    running.set(key, { place, job })
    const first = opened.get(key) ?? null
    opened.delete(key)
    try {
      const { phase, code, message } = await reports.follow(place, first, context)
      log[phase === 'install_error' ? 'warn' : 'info']({ ...place, phase, code, why: message }, 'an installation ended')
      if (phase === 'install_error') throw new Failure(isFailureCode(code) ? code : 'UNKNOWN', message)
      if (phase === 'install_cancelled') throw new Failure('CANCELLED', 'The installation was cancelled.')
      return stepOutput(null)
    } finally {
      running.delete(key)
    }
  }

  /** A client that reads the state because of the event must get the new one. */
  function follow(event: DownloadEvent): void {
    const place = { where: event.target, repo_id: event.repo_id }
    if (event.phase === 'install_error') downloads.failed(place, { message: event.error, code: event.code })
    if (event.phase === 'install_cancelled') downloads.cancelled(place)
    if (event.phase === 'install_done') downloads.begun(place) // it may have overtaken a cancel
    if (INSTALL_ENDS.includes(event.phase)) running.delete(placeKey(place))
    publish(event)
  }

  /** The machine has begun, and the job was not created or was cancelled before its step began. Never rejects. */
  async function abandon(place: Place): Promise<void> {
    const key = placeKey(place)
    const first = opened.get(key)
    if (!first) return
    opened.delete(key)
    running.delete(key)
    first.abort.abort()
    await live(place.where)
      ?.stopInstall(place.repo_id)
      .catch(() => {})
  }

  return {
    isRunning: (place: Place): boolean => running.has(placeKey(place)),
    running: (): Place[] => [...running.values()].map(({ place }) => place),
    /** State of a model of a machine for the catalogue; null for one that is neither being installed nor failed. */
    async stateOf(place: Place): Promise<DownloadState | null> {
      if (!running.has(placeKey(place))) return downloads.failureOf(place)
      // A machine downloads one model after the other.
      const here = [...running.values()].filter((other) => other.place.where === place.where)
      const position = here.findIndex((other) => other.place.repo_id === place.repo_id)
      return { state: position === 0 ? 'downloading' : 'queued', error: null, code: null, position }
    },
    /** The machine downloads this model after the one that it downloads now. Throws NOT_FOUND if it is not being installed there. */
    async moveFirst(place: Place): Promise<void> {
      if (!running.has(placeKey(place))) throw new Failure('NOT_FOUND', 'This model is not being downloaded.')
      await reports.moveFirst(place)
      const here = [...running].filter(([, other]) => other.place.where === place.where)
      const moved = here.findIndex(([key]) => key === placeKey(place))
      if (moved < 2) return
      here.splice(1, 0, ...here.splice(moved, 1))
      for (const [key] of here) running.delete(key)
      for (const [key, other] of here) running.set(key, other)
    },
    coolMs: downloads.coolMs,
    forgive: downloads.forgive,
    forgiveAll: downloads.forgiveAll,
    isCancelled: downloads.isCancelled,
    /** Ends the installations of the model at these places. Never rejects. */
    async cancel(places: readonly Place[]): Promise<void> {
      const keys = new Set(places.map(placeKey))
      for (const [key, { place, job }] of [...running]) {
        if (!keys.has(key)) continue
        // A machine that is not connected reports no end.
        downloads.cancelled(place)
        if (job !== null)
          await jobs
            .cancel(job)
            .catch((error: unknown) => log.debug({ ...place, err: String(error) }, 'an installation could not be cancelled'))
      }
    },
    /** Resolves when the machine has started and the job is durable. Throws the refusal of the machine, or STORAGE_FULL. */
    async begin(place: Place, label: string): Promise<void> {
      const key = placeKey(place)
      running.set(key, { place, job: null })
      downloads.begun(place)
      try {
        // The machine accepts or refuses with its first report.
        const first = await reports.open(place)
        opened.set(key, first)
        try {
          const meta = { title: label, repo_id: place.repo_id, target: place.where }
          const { record } = await jobs.create({ type: type.type, params: place, meta })
          // A cancel has to find the job before its step begins.
          if (running.get(key)?.job === null) running.set(key, { place, job: record.job.id })
        } catch (error) {
          await abandon(place)
          throw error
        }
      } catch (error) {
        running.delete(key)
        throw error
      }
    },
  }
}
