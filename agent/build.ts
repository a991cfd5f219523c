// Builds the agent, as a daemon or as the studio's child process: one machine and its controllers.
import { join } from 'node:path'
import type { AgentIdentity, IdentityFile } from '#agent/connection/identity.ts'
import type { LogLines } from '#agent/connection/log-lines.ts'
import { openEnrolment } from '#agent/lending/enrolment.ts'
import { type Ownership, takeOwnership } from '#agent/lending/owner.ts'
import { createMachine, type Machine, type MachineParts } from '#agent/tenancy/machine.ts'
import type { DownloadSource } from '#shared/protocol/agent-control.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { loop } from '#shared/runtime/service.ts'
import type { Tracing } from '#shared/trace/tracing.ts'

export type AgentParts = {
  readonly settings: Settings
  /** Environment variables that engine hosts receive. */
  readonly hostEnvironment: Readonly<Record<string, string>>
  readonly machineName: string
  readonly pid: number
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tracing: Tracing
  readonly lines: LogLines
}
export type Daemon = Ownership
export type LocalAgent = { readonly stop: (graceMs: number) => Promise<void> }
const LOCAL_RETRY = { baseMs: 50, capMs: 1_000 }
const OWNERSHIP_RETRY_MS = 2_000
const OWNERSHIP_FAILED_MS = 30_000

/** The download source that the environment configures. */
const configuredSource = ({ modelsUrl, modelsToken }: Settings): DownloadSource => ({
  url: modelsUrl,
  token: modelsToken,
  tokenUrl: modelsUrl,
})

type Own = Partial<Pick<MachineParts, 'downloadSource' | 'modelsFolder' | 'deviceFamily'>>
const machineIn = ({ settings, ...rest }: AgentParts, folder: string, own: Own = {}): Machine =>
  createMachine({
    ...rest,
    downloadSource: () => configuredSource(settings),
    deviceFamily: settings.overrides.STUDIO_COMPUTE_DEVICE,
    ...own,
    folder: join(settings.dataDir, folder),
    development: settings.development,
    inspectHosts: settings.inspectHosts,
    modelsCache: settings.modelsCache,
    sidecars: join(settings.dataDir, 'sidecars'),
  })

/** Null when another process already owns the lending of this data folder. */
export async function startDaemon(parts: AgentParts, onFinished: () => void): Promise<Daemon | null> {
  let machine: Machine | null = null
  const ownership = await takeOwnership({
    ...parts,
    daemon: true,
    onFinished,
    async machine() {
      machine = machineIn(parts, 'agent')
      await machine.start()
      return machine
    },
  })
  return (
    ownership && {
      ...ownership,
      async stop(graceMs) {
        await ownership.stop(graceMs)
        await machine?.stop()
        await parts.tracing.stop()
      },
    }
  )
}

/** Works for its studio from the start, and also lends once no other process of this data folder does. */
export async function startLocal(
  parts: AgentParts,
  options: {
    readonly identity: AgentIdentity
    readonly file: IdentityFile
    readonly onRefused: (failure: Failure) => void
    /** The source of models that the studio chose. */
    readonly downloadSource: () => DownloadSource | null
  },
): Promise<LocalAgent> {
  const { clock, random, log } = parts
  const { settings } = parts
  const machine = machineIn(parts, 'local-agent', {
    downloadSource: () => options.downloadSource() ?? configuredSource(settings),
    modelsFolder: settings.overrides.STUDIO_MODELS_DIR,
  })
  await machine.start()
  const studio = await openEnrolment({
    name: 'local',
    studio: null,
    machine,
    identity: options.identity,
    save: options.file.write,
    retry: LOCAL_RETRY,
    clock,
    random,
    log,
    onRefused: options.onRefused,
  })

  let ownership: Ownership | null = null
  let wasLogged = false
  const owning = loop(
    'ownership',
    async (signal) => {
      try {
        ownership = await takeOwnership({ ...parts, machine: async () => machine, daemon: false, onFinished: null })
      } catch (error) {
        log.error({ err: String(error) }, 'lending could not be started; retrying')
        return clock.sleep(OWNERSHIP_FAILED_MS, signal)
      }
      if (ownership) return void (await untilAborted(signal))
      if (!wasLogged) log.info({}, 'another agent of this machine lends; this one works only for its studio')
      wasLogged = true
      await clock.sleep(OWNERSHIP_RETRY_MS, signal)
    },
    (error) => log.error({ err: String(error) }, 'lending ended'),
  )
  void owning.start()

  return {
    async stop(graceMs) {
      await owning.stop()
      await Promise.all([ownership?.stop(graceMs), studio.end(graceMs)])
      await machine.stop()
      await parts.tracing.stop()
    },
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
