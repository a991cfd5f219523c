// Lends this machine to one studio: join, switch on and off, finish, leave. A new enrolment replaces the old one only after its studio has
// accepted this machine; until then the old one continues unchanged.

import { type Invitation, isByOwnStudio, isRefusal, join, moved, readInvitation } from '#agent/connection/enrol.ts'
import type { AgentIdentity, IdentityFile } from '#agent/connection/identity.ts'
import { lendingOwner } from '#agent/models/store.ts'
import type { Machine } from '#agent/tenancy/machine.ts'
import { formatAddress } from '#shared/link/transport/address.ts'
import type { LendingView } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import { openEnrolment, type StudioEnrolment } from './enrolment.ts'
import type { SwitchFile } from './switch-file.ts'

export type LendingDeps = {
  readonly machine: Machine
  readonly identityFile: IdentityFile
  readonly switchFile: SwitchFile
  /** Set by STUDIO_WORKER_MODE; null leaves the choice to the owner. */
  readonly pinned: boolean | null
  readonly daemon: boolean
  readonly pid: number
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Hooks of a daemon: its other work, which drains with the lending, and the end of the process afterwards. */
  readonly lifecycle: {
    readonly beginDrain: () => void
    readonly endDrain: () => void
    readonly drained: (signal: AbortSignal) => Promise<boolean>
    readonly end: () => void
  } | null
}
export type StudioLending = {
  readonly start: () => Promise<void>
  readonly status: () => LendingView
  /** Number of studios to which this machine has an enrolment. */
  readonly studios: () => number
  readonly join: (code: string) => Promise<LendingView>
  readonly lend: (enabled: boolean) => Promise<LendingView>
  readonly finish: () => Promise<LendingView>
  readonly leave: () => Promise<LendingView>
  readonly stop: (graceMs: number) => Promise<void>
}
const ACCEPTED_WITHIN_MS = 20_000
const NOT_JOINED = `This machine has joined no studio yet. Ask the owner of a studio for a join code and paste it here, or run: ${AGENT_COMMAND} join CODE`
const PINNED = 'STUDIO_WORKER_MODE decides whether this machine lends (it is pinned). Remove that setting to choose here.'

// Long factory: every method changes the current enrolment under one queue.
export function createStudioLending(deps: LendingDeps): StudioLending {
  const { machine, identityFile, switchFile, pinned, lifecycle, clock, random, log } = deps
  let state = switchFile.read()
  let identity: AgentIdentity | null = null
  let current: StudioEnrolment | null = null
  let finishing: AbortController | null = null
  let opened = 0
  const stopping = new AbortController()
  const serialize = createSerialQueue()

  const isEnabled = () => pinned ?? (state.enabled && identity !== null)
  function save(change: Partial<typeof state>): void {
    const next = { ...state, ...change, ...(change.lastError !== undefined && { lastError: change.lastError.slice(0, 4000) }) }
    if (next.enabled === state.enabled && next.lastError === state.lastError) return
    state = next
    try {
      switchFile.write(next)
    } catch (error) {
      log.error({ err: String(error) }, 'the lending switch could not be written; the change lasts until this process ends')
    }
  }
  function refuseIfPinned(): void {
    if (pinned !== null) throw new Failure('CONFLICT', PINNED)
  }

  /** Only the current enrolment updates the status; the join reports the failures of a candidate. */
  async function open(of: AgentIdentity): Promise<StudioEnrolment> {
    let enrolment: StudioEnrolment | null = null
    const isCurrent = () => enrolment !== null && current === enrolment
    enrolment = await openEnrolment({
      name: `lending-${++opened}`,
      // The same after lending was turned off and on, and after a restart.
      owner: lendingOwner(of.workerId),
      studio: of.studioName || 'without a name',
      machine,
      identity: of,
      retry: deps.retry,
      clock,
      random,
      log,
      save(renewed) {
        if (!isCurrent()) return
        identity = renewed
        identityFile.write(renewed)
      },
      onRefused({ message }) {
        const notice = `${message} To lend to it again, run ${AGENT_COMMAND} join CODE with a new code.`
        log.error({ why: message, notice }, 'the studio no longer accepts this machine; join again with a new code')
        if (isCurrent()) save({ lastError: message })
      },
      onAccepted: () => isCurrent() && save({ lastError: '' }),
      onFailure: ({ message }) => isCurrent() && save({ lastError: message }),
    })
    return enrolment
  }
  async function endCurrent(graceMs = 0): Promise<void> {
    stopFinishing()
    const ending = current
    current = null
    await ending?.end(graceMs)
  }
  function stopFinishing(): void {
    finishing?.abort()
    finishing = null
    current?.tenant.endDrain()
    lifecycle?.endDrain()
  }

  /** Stays in its studio, which has other addresses now. False if the studio no longer has this machine. */
  async function tryToMove(invitation: Invitation, known: AgentIdentity): Promise<boolean> {
    if (current) {
      const refused = await current.moveTo(invitation.endpoints).then(
        () => null,
        (error: unknown) => Failure.from(error),
      )
      if (refused && !isRefusal(refused)) throw refused
      return refused === null
    }
    // Kept here, too: a second try with another nonce would look like a copy of this machine if only the answer was lost.
    const save = (next: AgentIdentity) => {
      identityFile.write(next)
      identity = next
    }
    const found = await moved(invitation, known, { save, random, clock, signal: stopping.signal })
    if (!found) return false
    save(found)
    current = await open(found)
    return true
  }

  async function tryToJoin(code: string): Promise<void> {
    const invitation = readInvitation(code)
    if (identity && isByOwnStudio(invitation, identity) && (await tryToMove(invitation, identity))) return stopFinishing()
    const found = await join(invitation, clock, stopping.signal)
    const candidate = await open(found)
    const refusal = await candidate.outcome(ACCEPTED_WITHIN_MS, stopping.signal)
    try {
      if (refusal) throw refusal
      // It may have been renewed since.
      identityFile.write(candidate.identity())
    } catch (error) {
      await candidate.end(0)
      throw error
    }
    const before = current
    stopFinishing()
    identity = candidate.identity()
    current = candidate
    await before?.end(0)
  }

  const status = (): LendingView => ({
    enabled: isEnabled(),
    connected: current?.isAccepted() ?? false,
    approved: current?.tenant.isApproved() ?? null,
    enrolled: identity !== null,
    worker_id: identity?.workerId ?? '',
    studio_name: identity?.studioName ?? '',
    endpoint: identity?.endpoints[0] ? formatAddress(identity.endpoints[0]) : '',
    last_error: state.lastError,
    pinned: pinned !== null,
    draining: finishing !== null,
    held: current?.tenant.held() ?? 0,
    daemon: deps.daemon,
    pid: deps.pid,
  })

  return {
    async start() {
      try {
        identity = identityFile.read()
      } catch (error) {
        save({ lastError: Failure.from(error).message })
      }
      if (identity && isEnabled()) current = await open(identity)
    },
    status,
    studios: () => (identity === null ? 0 : 1),

    join: (code) =>
      serialize(async () => {
        refuseIfPinned()
        try {
          await tryToJoin(code)
        } catch (error) {
          const { message } = Failure.from(error)
          save({ lastError: message })
          throw new Failure('CONFLICT', message, { cause: error })
        }
        save({ enabled: true, lastError: '' })
        log.info({ workerId: identity?.workerId, studio: identity?.studioName }, 'joined a studio')
        return status()
      }),

    lend: (enabled) =>
      serialize(async () => {
        refuseIfPinned()
        if (!enabled) {
          save({ enabled: false, lastError: '' })
          await endCurrent()
          return status()
        }
        if (!identity) throw new Failure('CONFLICT', NOT_JOINED)
        stopFinishing()
        current ??= await open(identity)
        const refusal = await current.outcome(ACCEPTED_WITHIN_MS, stopping.signal)
        if (refusal) save({ lastError: refusal.message })
        // An unreachable studio is dialled until it is back; a refusal is final.
        if (refusal?.code === 'WORKER_REVOKED' || refusal?.code === 'AUTH_FAILED') {
          await endCurrent()
          save({ enabled: false })
          throw new Failure('CONFLICT', refusal.message, { cause: refusal })
        }
        save({ enabled: true })
        return status()
      }),

    finish: () =>
      serialize(async () => {
        if (finishing || (!current && !lifecycle)) return status()
        const giveUp = new AbortController()
        finishing = giveUp
        current?.tenant.beginDrain()
        lifecycle?.beginDrain()
        const notice = 'Finishing the current tasks and accepting no new ones.'
        log.info({ held: current?.tenant.held() ?? 0, notice }, 'finishing held attempts, accepting no new work')
        void (async () => {
          const drained = [current?.tenant.drained(giveUp.signal), lifecycle?.drained(giveUp.signal)]
          if ((await Promise.all(drained)).includes(false) || giveUp.signal.aborted) return
          log.info({ notice: 'All tasks are finished.' }, 'all attempts are finished')
          if (lifecycle) return lifecycle.end()
          await serialize(async () => {
            if (giveUp.signal.aborted) return
            if (pinned === null) save({ enabled: false })
            await endCurrent()
          })
        })()
        return status()
      }),

    leave: () =>
      serialize(async () => {
        await endCurrent()
        identityFile.remove()
        identity = null
        save({ enabled: false, lastError: '' })
        return status()
      }),

    stop(graceMs) {
      stopping.abort()
      return serialize(async () => {
        const ending = current
        current = null
        finishing?.abort()
        await ending?.end(graceMs)
      })
    },
  }
}
