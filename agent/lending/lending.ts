// Lending this machine to one studio, as its owner wishes: join, switch on and off, finish, leave. A new enrolment replaces the old one only
// after its studio has accepted this machine; until then the old one goes on as if nobody had asked.
import { formatAddress } from '#shared/link/transport/address.ts'
import type { LendingView } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerial } from '../../shared/runtime/serial-queue.ts'
import { join, readInvitation } from '../connection/enrol.ts'
import type { AgentIdentity, IdentityFile } from '../connection/identity.ts'
import type { Machine } from '../tenancy/machine.ts'
import { type Enrolment, openEnrolment } from './enrolment.ts'
import type { SwitchFile } from './switch-file.ts'

export type LendingDeps = {
  readonly machine: Machine
  readonly identityFile: IdentityFile
  readonly switchFile: SwitchFile
  /** Switched from outside; null leaves it to the owner. */
  readonly pinned: boolean | null
  readonly daemon: boolean
  readonly pid: number
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** What else finishes with the lending, and ends afterwards: everything, where the process exists for lending only. */
  readonly whole: {
    readonly beginDrain: () => void
    readonly endDrain: () => void
    readonly drained: (signal: AbortSignal) => Promise<boolean>
    readonly end: () => void
  } | null
}
export type Lending = {
  readonly start: () => Promise<void>
  readonly status: () => LendingView
  readonly join: (code: string) => Promise<LendingView>
  readonly lend: (enabled: boolean) => Promise<LendingView>
  readonly finish: () => Promise<LendingView>
  readonly leave: () => Promise<LendingView>
  readonly stop: (graceMs: number) => Promise<void>
}
const ACCEPTED_WITHIN_MS = 20_000
const NOT_JOINED =
  'This machine has joined no studio yet. Ask the owner of a studio for a join code and paste it here, or run: ./studio agent join CODE'
const PINNED = 'STUDIO_WORKER_MODE decides whether this machine lends (it is pinned); remove that setting to choose here.'

export function createLending(deps: LendingDeps): Lending {
  const { machine, identityFile, switchFile, pinned, whole, clock, random, log } = deps
  let state = switchFile.read()
  let identity: AgentIdentity | null = null
  let current: Enrolment | null = null
  let finishing: AbortController | null = null
  let opened = 0
  const stopping = new AbortController()
  const oneAfterAnother = createSerial()

  const isWanted = () => pinned ?? (state.enabled && identity !== null)
  function remember(change: Partial<typeof state>): void {
    const next = { ...state, ...change, ...(change.lastError !== undefined && { lastError: change.lastError.slice(0, 4000) }) }
    if (next.enabled === state.enabled && next.lastError === state.lastError) return
    state = next
    try {
      switchFile.write(next)
    } catch (error) {
      log.error({ err: String(error) }, 'the wish to lend could not be written; it holds until this program ends')
    }
  }
  function refuseIfPinned(): void {
    if (pinned !== null) throw new Failure('CONFLICT', PINNED)
  }

  /** Its troubles are told only while it is the one in use; a candidate's are told by whoever tries it. */
  async function open(of: AgentIdentity): Promise<Enrolment> {
    let enrolment: Enrolment | null = null
    const isCurrent = () => enrolment !== null && current === enrolment
    enrolment = await openEnrolment({
      name: `lending-${++opened}`,
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
        log.error({ why: message }, 'the studio does not take this machine any more; join again with a new code')
        if (isCurrent()) remember({ lastError: message })
      },
      onWelcomed: () => isCurrent() && remember({ lastError: '' }),
      onTrouble: ({ message }) => isCurrent() && remember({ lastError: message }),
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
    whole?.endDrain()
  }

  async function tryToJoin(code: string): Promise<void> {
    const found = await join(readInvitation(code, clock.now()), clock)
    const candidate = await open(found)
    const refusal = await candidate.outcome(ACCEPTED_WITHIN_MS, stopping.signal)
    try {
      if (refusal) throw refusal
      identityFile.write(found)
    } catch (error) {
      await candidate.end(0)
      throw error
    }
    const before = current
    stopFinishing()
    identity = found
    current = candidate
    await before?.end(0)
  }

  const status = (): LendingView => ({
    enabled: isWanted(),
    connected: current?.isWelcome() ?? false,
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
        remember({ lastError: Failure.from(error).message })
      }
      if (identity && isWanted()) current = await open(identity)
    },
    status,

    join: (code) =>
      oneAfterAnother(async () => {
        refuseIfPinned()
        try {
          await tryToJoin(code)
        } catch (error) {
          const { message } = Failure.from(error)
          remember({ lastError: message })
          throw new Failure('CONFLICT', message, { cause: error })
        }
        remember({ enabled: true, lastError: '' })
        log.info({ workerId: identity?.workerId, studio: identity?.studioName }, 'this machine has joined a studio')
        return status()
      }),

    lend: (enabled) =>
      oneAfterAnother(async () => {
        refuseIfPinned()
        if (!enabled) {
          remember({ enabled: false, lastError: '' })
          await endCurrent()
          return status()
        }
        if (!identity) throw new Failure('CONFLICT', NOT_JOINED)
        stopFinishing()
        current ??= await open(identity)
        const refusal = await current.outcome(ACCEPTED_WITHIN_MS, stopping.signal)
        if (refusal) remember({ lastError: refusal.message })
        // A studio that is merely away is dialled until it is back; one that refuses will not change its mind.
        if (refusal?.code === 'WORKER_REVOKED' || refusal?.code === 'AUTH_FAILED') {
          await endCurrent()
          remember({ enabled: false })
          throw new Failure('CONFLICT', refusal.message, { cause: refusal })
        }
        remember({ enabled: true })
        return status()
      }),

    finish: () =>
      oneAfterAnother(async () => {
        if (finishing || (!current && !whole)) return status()
        const giveUp = new AbortController()
        finishing = giveUp
        current?.tenant.beginDrain()
        whole?.beginDrain()
        log.info({ held: current?.tenant.held() ?? 0 }, 'it finishes what it holds and takes nothing new')
        void (async () => {
          const drained = [current?.tenant.drained(giveUp.signal), whole?.drained(giveUp.signal)]
          if ((await Promise.all(drained)).includes(false) || giveUp.signal.aborted) return
          log.info({}, 'everything is finished')
          if (whole) return whole.end()
          await oneAfterAnother(async () => {
            if (giveUp.signal.aborted) return
            if (pinned === null) remember({ enabled: false })
            await endCurrent()
          })
        })()
        return status()
      }),

    leave: () =>
      oneAfterAnother(async () => {
        await endCurrent()
        identityFile.remove()
        identity = null
        remember({ enabled: false, lastError: '' })
        return status()
      }),

    stop(graceMs) {
      stopping.abort()
      return oneAfterAnother(async () => {
        const ending = current
        current = null
        finishing?.abort()
        await ending?.end(graceMs)
      })
    },
  }
}
