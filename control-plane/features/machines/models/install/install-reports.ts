// The reports of a machine that downloads a model, across reconnects.

import type { StepContext } from '#control-plane/jobs/job-type.ts'
import type { ModelHost } from '#control-plane/kernel/model-host.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { EMPTY_INSTALL_EVENT, InstallEventMessage } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { DownloadEvent, InstallEvent } from '../download-events.schema.ts'
import { downloadEvent } from '../downloads.ts'

export type Place = { readonly where: string; readonly repo_id: string }
export type Reports = {
  readonly stream: AsyncIterator<Wire<'InstallEvent'>>
  next: IteratorResult<Wire<'InstallEvent'>> | null
  readonly abort: AbortController
}
type Deps = {
  readonly live: (workerId: string) => Pick<ModelHost, 'describeAgain' | 'stopInstall'> | undefined
  /** Throws NOT_READY or CONFLICT for a machine that is not connected. */
  readonly hostAt: (workerId: string) => Pick<ModelHost, 'install'>
  readonly publish: (event: DownloadEvent) => void
  readonly clock: Clock
}

/** Longest wait for a machine that disconnects during a download. */
const AWAY_MS = 120_000
const AWAY_EVERY_MS = 1_000
/** Longest wait for a machine to confirm that it has stopped. */
const STOP_MS = 5_000
export const INSTALL_ENDS: readonly string[] = ['install_done', 'install_error', 'install_cancelled']
const LASTING: readonly string[] = ['install_start', 'install_plan', 'install_retry', ...INSTALL_ENDS]
/** Events of a download that are events of its job as well. */
type Kept = Extract<InstallEvent, { readonly phase: string }>
type Lasting = Extract<DownloadEvent, { readonly phase: Exclude<Kept['phase'], 'aggregate'> }>
const isLasting = (event: DownloadEvent): event is Lasting => LASTING.includes(event.phase)
const keptEvent = (event: Extract<DownloadEvent, { readonly phase: Kept['phase'] }>): InstallEvent =>
  ({ type: event.phase, ...event }) as Kept
const HOPELESS: readonly string[] = ['CONSENT_MISSING', 'MODEL_REF_REJECTED']

export function createReports({ live, hostAt, publish, clock }: Deps) {
  async function open(place: Place, over?: AbortSignal): Promise<Reports> {
    const abort = new AbortController()
    over?.addEventListener('abort', () => abort.abort(), { once: true })
    const stream = hostAt(place.where).install(place.repo_id, abort.signal)[Symbol.asyncIterator]()
    return { stream, next: await stream.next(), abort }
  }

  /** Forwards every report until the installation has ended. Rejects when the studio stops. */
  async function follow(place: Place, first: Reports | null, context: StepContext<InstallEvent>): Promise<InstallEventMessage> {
    const { signal } = context
    let reports = first
    let awaySince = clock.mono()
    let resolvingSteps = 0
    const over = new AbortController()
    const stop = () => {
      if (!context.isCancelled()) return over.abort(signal.reason)
      void live(place.where)
        ?.stopInstall(place.repo_id)
        .catch(() => {})
      clock.after(STOP_MS, () => over.abort(signal.reason))
    }
    signal.addEventListener('abort', stop, { once: true })
    over.signal.addEventListener('abort', () => first?.abort.abort(), { once: true })
    for (;;) {
      try {
        over.signal.throwIfAborted()
        if (!reports) {
          reports = await open(place, over.signal)
          // A cancel that came while the machine had not begun, as after a restart, has stopped nothing.
          if (signal.aborted) stop()
        }
        while (!reports.next?.done) {
          if (reports.next) {
            awaySince = clock.mono()
            const event: InstallEventMessage = parseMessage(InstallEventMessage, reports.next.value)
            if (event.phase === 'install_done') await live(place.where)?.describeAgain()
            if (event.phase === 'resolving') resolvingSteps++
            await pass(place, event, context, resolvingSteps)
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
          const message = `${failure.message} Downloaded files are kept on the machine. Try again when it is connected.`
          const event = { ...EMPTY_INSTALL_EVENT, phase: 'install_error' as const, code: failure.code, message }
          await pass(place, event, context)
          return event
        }
        await clock.sleep(AWAY_EVERY_MS, over.signal).catch(() => {})
      }
    }
  }

  async function pass(
    { where, repo_id }: Place,
    event: InstallEventMessage,
    { signal, emit, report }: StepContext<InstallEvent>,
    step = 0,
  ): Promise<void> {
    const download = downloadEvent(repo_id, where, event, step)
    publish(download)
    if (isLasting(download))
      await emit(keptEvent(download)).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    else if (download.phase === 'aggregate' && event.total > 0)
      report({
        fraction: Math.min(1, event.downloaded / event.total),
        secondsLeft: event.eta_seconds > 0 ? event.eta_seconds : null,
        frame: keptEvent(download),
      })
  }

  /** The machine begins this installation before the others that wait there. Throws as `hostAt` and `install` of a machine. */
  async function moveFirst({ where, repo_id }: Place): Promise<void> {
    const abort = new AbortController()
    const reports = hostAt(where).install(repo_id, abort.signal, true)[Symbol.asyncIterator]()
    try {
      await reports.next() // its first report confirms the request
    } finally {
      abort.abort()
      await reports.return?.()
    }
  }

  return { open, follow, moveFirst }
}
