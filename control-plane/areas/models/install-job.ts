// A model installation as a job. The machine fetches by itself and goes on when its link breaks or the studio restarts; the job follows
// its reports over as many links as it takes.
import { z } from 'zod'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { EMPTY_INSTALL_EVENT, type InstallEvent, InstallEventMessage } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type JobType, jobType, type StepContext, type StepOutput } from '../../jobs/job-type.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { type DownloadEvent, downloadEvent } from './downloads.ts'
import type { ModelHost } from './models.service.ts'

export type Installs = ReturnType<typeof createInstalls>
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'cancel'>
  readonly live: (workerId: string) => Pick<ModelHost, 'describeAgain' | 'stopInstall'> | undefined
  /** Throws NOT_READY or CONFLICT for a machine that is not connected. */
  readonly hostAt: (workerId: string) => Pick<ModelHost, 'install'>
  readonly tell: (event: DownloadEvent) => void
  readonly clock: Clock
  readonly log: Log
}
type Place = { readonly where: string; readonly repo_id: string }
type Reports = { readonly stream: AsyncIterator<InstallEvent>; next: IteratorResult<InstallEvent> | null; readonly abort: AbortController }

const Params = z.object({ where: z.string(), repo_id: z.string() })
const COOLDOWN_MS = 60_000
/** How long a machine that left in the middle is waited for. */
const AWAY_MS = 120_000
const AWAY_EVERY_MS = 1_000
/** How long a machine may take to confirm that it has stopped. */
const STOP_MS = 5_000
export const INSTALL_ENDS: readonly string[] = ['install_done', 'install_error', 'install_cancelled']
const LASTING: readonly string[] = ['install_start', 'install_plan', 'install_retry', ...INSTALL_ENDS]
const HOPELESS: readonly string[] = ['CONSENT_MISSING', 'MODEL_REF_REJECTED']

export function createInstalls({ jobs, live, hostAt, tell, clock, log }: Deps) {
  /** By place; the job is null until it exists. */
  const running = new Map<string, { readonly place: Place; readonly job: string | null }>()
  const failedAt = new Map<string, number>()
  /** Reports that were opened before their job began. */
  const opened = new Map<string, Reports>()
  const keyOf = ({ where, repo_id }: Place) => `${where} ${repo_id}`

  async function open(place: Place): Promise<Reports> {
    const abort = new AbortController()
    const stream = hostAt(place.where).install(place.repo_id, abort.signal)[Symbol.asyncIterator]()
    return { stream, next: await stream.next(), abort }
  }

  const type: JobType = jobType<Place>({
    type: 'model_install',
    params: Params,
    // The job is part of the key: a model that was removed is fetched again.
    steps: (place, _outcomes, job) => [
      [
        {
          name: 'download',
          key: { kind: 'model_install', version: 1, inputs: [], params: { ...place, job } },
          run: (context) => run(place, job, context),
        },
      ],
    ],
    concurrency: 64,
    onRestart: 'resume',
  })
  jobs.add(type)

  async function run(place: Place, job: string, context: StepContext): Promise<StepOutput> {
    const key = keyOf(place)
    running.set(key, { place, job })
    const reports = opened.get(key) ?? null
    opened.delete(key)
    try {
      const { phase, code, message } = await follow(place, reports, context)
      if (phase === 'install_error') failedAt.set(key, clock.mono())
      else failedAt.delete(key)
      log[phase === 'install_error' ? 'warn' : 'info']({ ...place, phase, code, why: message }, 'an installation ended')
      if (phase === 'install_error') throw new Failure(isFailureCode(code) ? code : 'UNKNOWN', message)
      if (phase === 'install_cancelled') throw new Failure('CANCELLED', 'The installation was cancelled.')
      return { json: null, digest: null, bytes: 0 }
    } finally {
      running.delete(key)
    }
  }

  /** Passes on every report until the installation has ended. Rejects when the studio stops. */
  async function follow(place: Place, first: Reports | null, context: StepContext): Promise<InstallEventMessage> {
    const { signal } = context
    let reports = first
    let awaySince = clock.mono()
    const over = new AbortController()
    const stop = () => {
      if (!context.isCancelled()) return over.abort(signal.reason)
      void live(place.where)
        ?.stopInstall(place.repo_id)
        .catch(() => {})
      clock.after(STOP_MS, () => over.abort(signal.reason))
    }
    signal.addEventListener('abort', stop, { once: true })
    over.signal.addEventListener('abort', () => reports?.abort.abort(), { once: true })
    for (;;) {
      try {
        over.signal.throwIfAborted()
        reports ??= await open(place)
        while (!reports.next?.done) {
          if (reports.next) {
            awaySince = clock.mono()
            const event: InstallEventMessage = parseMessage(InstallEventMessage, reports.next.value)
            if (event.phase === 'install_done') await live(place.where)?.describeAgain()
            await pass(place, event, context)
            if (INSTALL_ENDS.includes(event.phase)) return event
          }
          reports.next = await reports.stream.next()
        }
        throw new Failure('WORKER_DISCONNECTED', 'The machine ended its report.')
      } catch (error) {
        reports = null
        if (over.signal.aborted) {
          if (context.isCancelled()) await pass(place, { ...EMPTY_INSTALL_EVENT, phase: 'install_cancelled' }, context)
          throw signal.reason
        }
        const failure = Failure.from(error, 'WORKER_DISCONNECTED')
        if (clock.mono() - awaySince > AWAY_MS || HOPELESS.includes(failure.code)) {
          const message = `${failure.message} What was fetched stays on the machine, so try again when it is back.`
          const event = { ...EMPTY_INSTALL_EVENT, phase: 'install_error' as const, code: failure.code, message }
          await pass(place, event, context)
          return event
        }
        await clock.sleep(AWAY_EVERY_MS, over.signal).catch(() => {})
      }
    }
  }

  async function pass({ where, repo_id }: Place, event: InstallEventMessage, { signal, emit, report }: StepContext): Promise<void> {
    const download = downloadEvent(repo_id, where, event)
    tell(download)
    const frame = { type: event.phase, ...(download as object) }
    if (LASTING.includes(event.phase))
      await emit(frame).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    else if (event.phase === 'aggregate' && event.total > 0)
      report({
        fraction: Math.min(1, event.downloaded / event.total),
        secondsLeft: event.eta_seconds > 0 ? event.eta_seconds : null,
        frame,
      })
  }

  return {
    isRunning: (place: Place): boolean => running.has(keyOf(place)),
    running: (): Place[] => [...running.values()].map(({ place }) => place),
    /** Milliseconds until a new try is allowed after a failure; 0 or less when it is. */
    coolMs: (place: Place): number => COOLDOWN_MS - (clock.mono() - (failedAt.get(keyOf(place)) ?? Number.NEGATIVE_INFINITY)),
    forgive: (place: Place): void => void failedAt.delete(keyOf(place)),
    /** Ends every installation of the model. Never rejects. */
    async cancel(repo_id: string): Promise<void> {
      for (const { place, job } of [...running.values()])
        if (place.repo_id === repo_id && job !== null)
          await jobs
            .cancel(job)
            .catch((error: unknown) => log.debug({ ...place, err: String(error) }, 'an installation could not be cancelled'))
    },
    /** Resolves when the machine has begun and the job is durable. Throws what the machine refuses with, or STORAGE_FULL. */
    async begin(place: Place, label: string): Promise<void> {
      const key = keyOf(place)
      running.set(key, { place, job: null })
      try {
        // The first report tells whether the machine is willing.
        const reports = await open(place)
        opened.set(key, reports)
        try {
          await jobs.create({ type: type.type, params: place, meta: { title: label, repo_id: place.repo_id, target: place.where } })
        } catch (error) {
          opened.delete(key)
          reports.abort.abort()
          await live(place.where)
            ?.stopInstall(place.repo_id)
            .catch(() => {})
          throw error
        }
      } catch (error) {
        running.delete(key)
        throw error
      }
    },
  }
}
