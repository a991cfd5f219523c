// The managed sidecars of this machine: installation step by step with progress, and removal. The folder is the list of installed sidecars.
// Jobs are stored in memory only; after a crash the next start removes the staging folder of an interrupted job.
import { readdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { SIDECAR_ENGINES } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import { readSidecarManifest, writeSidecarManifest } from '#shared/sidecar/manifest.ts'
import { SIDECAR_PROTOCOL } from '#shared/sidecar/messages.ts'
import {
  commandIn,
  createVenv,
  type Done,
  fetchSource,
  installDeps,
  preflight,
  STEPS,
  StepFailure,
  type StepId,
  verify,
  type Workshop,
} from './steps.ts'

type Deps = {
  readonly folder: string
  /** The environment of started programs. */
  readonly environment: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Log
  /** Refreshes the offers of this machine. Resolves also when that failed. */
  readonly changed: () => Promise<void>
}
type Step = { readonly id: StepId; state: 'pending' | 'running' | 'done' | 'skipped' | 'error'; detail: string }
type Job = {
  state: 'running' | 'succeeded' | 'failed'
  readonly steps: Step[]
  readonly log: string[]
  error: string | null
  remediation: string | null
  readonly started_at: number
  finished_at: number | null
}
export type Sidecars = ReturnType<typeof createSidecars>
const LOG_LINES = 200
const STAGING = '.staging-'

export function createSidecars({ folder, environment, clock, log, changed }: Deps) {
  const jobs = new Map<string, { job: Job; done: Promise<void> }>()
  const abort = new AbortController()
  const stagingOf = (engine: string) => fileIn(folder, `${STAGING}${engine}`)
  const requireInstaller = (engine: string) => {
    if (!SIDECAR_ENGINES.includes(engine))
      throw new Failure(
        'NOT_FOUND',
        `'${engine.slice(0, 64)}' has no sidecar installer. Engines with an installer: ${SIDECAR_ENGINES.join(', ')}.`,
      )
  }
  const isRunning = (engine: string) => jobs.get(engine)?.job.state === 'running'

  async function work(shop: Workshop, job: Job): Promise<void> {
    const step = async <D extends Done>(id: StepId, act: () => Promise<D>): Promise<D> => {
      const row = job.steps.find((each) => each.id === id)!
      row.state = 'running'
      try {
        const done = await act()
        row.state = done.skipped ? 'skipped' : 'done'
        row.detail = done.detail
        return done
      } catch (error) {
        row.state = 'error'
        row.detail = (error as Error).message
        throw error
      }
    }
    const { engine, staging } = shop
    await step('preflight', () => preflight(shop))
    await step('fetch_source', () => fetchSource(shop))
    await step('create_venv', () => createVenv(shop))
    await step('install_deps', () => installDeps(shop))
    const { version, described } = await step('verify', () => verify(shop))
    await step('fetch_weights', async () => ({ skipped: true, detail: 'the sidecar downloads its own weights' }))
    await step('persist', async () => {
      shop.signal.throwIfAborted()
      const { type: _type, ...describe } = described
      writeSidecarManifest(staging, {
        protocol: SIDECAR_PROTOCOL,
        engine,
        version,
        command: await commandIn(staging),
        managed: true,
        describe,
      })
      await rename(staging, fileIn(folder, engine))
      return { detail: 'installed' }
    })
  }

  async function install(engine: string, source: string | null, job: Job): Promise<void> {
    const staging = stagingOf(engine)
    const addLine = (line: string) => {
      job.log.push(line.slice(0, 500))
      if (job.log.length > LOG_LINES) job.log.shift()
    }
    try {
      await rm(staging, { recursive: true, force: true })
      await work({ engine, source, staging, environment, clock, signal: abort.signal, addLine }, job)
      // Clients may use the engine as soon as they read `succeeded`.
      await changed()
      job.state = 'succeeded'
    } catch (error) {
      // Clients may start the installation again as soon as they read `failed`.
      await rm(staging, { recursive: true, force: true }).catch(() => {})
      job.state = 'failed'
      job.error = error instanceof Error ? error.message : String(error)
      job.remediation =
        error instanceof StepFailure
          ? error.remediation
          : (error as NodeJS.ErrnoException).code === 'ENOSPC'
            ? 'The disk is full. Free some space and install again.'
            : 'Install again. If it fails in the same way, see the log.'
    } finally {
      job.finished_at = clock.now() / 1000
      log.info({ engine, state: job.state, err: job.error }, 'the installation of a sidecar ended')
    }
  }

  return {
    name: 'sidecars',
    start() {
      for (const name of namesIn(folder)) if (name.startsWith(STAGING)) rmSync(fileIn(folder, name), { recursive: true, force: true })
    },
    async stop() {
      abort.abort(new Failure('NOT_READY', 'The studio is stopping.'))
      await Promise.all([...jobs.values()].map(({ done }) => done))
    },

    /** Starts the installation and returns at once. Throws NOT_FOUND for an engine without an installer. */
    install(engine: string, source: string | null) {
      requireInstaller(engine)
      abort.signal.throwIfAborted()
      if (isRunning(engine)) return { status: 'already_running' as const, engine }
      if (readSidecarManifest(folder, engine).manifest) return { status: 'already_installed' as const, engine }
      privateFolder(folder)
      const job: Job = {
        state: 'running',
        steps: STEPS.map((id) => ({ id, state: 'pending', detail: '' })),
        log: [],
        error: null,
        remediation: null,
        started_at: clock.now() / 1000,
        finished_at: null,
      }
      jobs.set(engine, { job, done: install(engine, source, job) })
      return { status: 'started' as const, engine }
    },

    status(engine: string) {
      requireInstaller(engine)
      const { manifest } = readSidecarManifest(folder, engine)
      const job = jobs.get(engine)?.job ?? null
      return {
        engine_id: engine,
        installed: manifest !== null,
        managed: manifest?.managed ?? false,
        install_dir: manifest ? fileIn(folder, engine) : null,
        job: job && { ...job, steps: job.steps.map((step) => ({ ...step })), log: [...job.log], weights_progress: null },
      }
    },

    /** Throws NOT_FOUND, CONFLICT during its installation, BAD_REQUEST for one that its owner installed by hand. */
    async uninstall(engine: string) {
      requireInstaller(engine)
      if (isRunning(engine)) throw new Failure('CONFLICT', `${engine} is being installed. Wait until the installation has ended.`)
      const { manifest, error } = readSidecarManifest(folder, engine)
      if (!manifest && error === null) return { status: 'not_installed' as const, engine }
      if (!manifest?.managed)
        throw new Failure('BAD_REQUEST', `The studio did not install ${engine} (${error ?? 'its owner did'}). Remove its folder by hand.`)
      const away = `${stagingOf(engine)}-removed`
      await rm(away, { recursive: true, force: true })
      await rename(fileIn(folder, engine), away) // removing the files may take long
      jobs.delete(engine)
      await changed()
      await rm(away, { recursive: true, force: true })
      return { status: 'uninstalled' as const, engine }
    },

    /** The engines whose last installation failed, with a sentence for clients without access to the log. */
    lastErrors: (): ReadonlyMap<string, string> =>
      new Map([...jobs].flatMap(([engine, { job }]) => (job.state === 'failed' ? [[engine, 'The last installation failed.']] : []))),
  } satisfies Service & Record<string, unknown>
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
