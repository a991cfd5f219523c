// SoniTranslate is a program of its own with a web page. The owner installs it; the studio tells its state, starts it on a loopback port and
// ends it. Requests of the studio never reach it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { foreignAccess, foreignAccessBelow } from '#shared/runtime/access/foreign-access.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { venvPython } from '#shared/runtime/program.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import type { Service } from '#shared/runtime/service.ts'
import { isListening, type PageProgram, startPageProgram } from './page-program.ts'

type Deps = {
  /** The repository of SoniTranslate; its Python environment is the folder `venv` in it. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly port: number
  /** Milliseconds until the page must answer. */
  readonly startMs: number
  readonly clock: Clock
  readonly log: Log
}
export type Sonitranslate = ReturnType<typeof createSonitranslate>

export const SONITRANSLATE_PORT = 7860
export const SONITRANSLATE_START_MS = 30_000
const SCRIPT = 'app_rvc.py'
const PYTHON = venvPython()
const POLL_MS = 250

export function createSonitranslate({ folder, environment, port, startMs, clock, log }: Deps) {
  const url = `http://127.0.0.1:${port}`
  const script = join(folder, SCRIPT)
  const python = join(folder, 'venv', PYTHON)
  const inOrder = createSerialQueue()
  let program: PageProgram | null = null
  let isReady = false

  const state = () => ({
    installed: existsSync(script),
    venv_ready: existsSync(python),
    running: program !== null && isReady,
    path: folder,
    url,
  })

  /** Throws PROGRAM_MISSING with the steps of the installation. */
  function requireInstalled() {
    const now = state()
    if (now.installed && now.venv_ready) return now
    const missing = now.installed ? `its Python environment in ${join(folder, 'venv')}` : `its repository in ${folder}`
    throw new Failure('PROGRAM_MISSING', `The studio does not install SoniTranslate. Install ${missing}, then start it here.`)
  }

  /** Throws FILES_NOT_PRIVATE when other users could change what is started. */
  function requirePrivate() {
    const found = foreignAccess(python) ?? foreignAccess(script) ?? foreignAccessBelow(folder, (path) => path === join(folder, 'venv'))
    if (found) throw new Failure('FILES_NOT_PRIVATE', `${found.problem} ${found.remedy}`)
  }

  async function launch() {
    requireInstalled()
    if (program) return { started: false, reason: 'already_running' as const, ...state() }
    requirePrivate()
    if (await isListening(port)) throw new Failure('CONFLICT', `Another program uses port ${port}. End it, then start SoniTranslate again.`)
    const own = startPageProgram([python, script], {
      folder,
      environment: { ...environment, GRADIO_SERVER_NAME: '127.0.0.1', GRADIO_SERVER_PORT: String(port), GRADIO_ANALYTICS_ENABLED: 'False' },
    })
    program = own
    void own.ended.then((last) => {
      if (program === own) [program, isReady] = [null, false]
      log.info({ last }, 'SoniTranslate has ended')
    })
    const deadline = clock.mono() + startMs
    while (program === own && clock.mono() < deadline) {
      if (await isListening(port)) {
        isReady = true
        return { started: true, ...state() }
      }
      await clock.sleep(POLL_MS)
    }
    const wasAlive = program === own
    own.kill()
    const last = await own.ended
    const why = wasAlive ? `did not answer at ${url} within ${startMs / 1000} s` : 'ended at its start'
    throw new Failure('UNKNOWN', `SoniTranslate ${why}.${last === '' ? '' : ` Its last line: ${last}`}`)
  }

  async function end() {
    if (!program) return { stopped: false, reason: 'not_running' as const }
    const own = program
    own.kill()
    await own.ended
    return { stopped: true }
  }

  const service: Service = { name: 'sonitranslate', start: () => {}, stop: async () => void (await end()) }
  return {
    ...service,
    state,
    requireInstalled,
    /** Throws PROGRAM_MISSING, FILES_NOT_PRIVATE, CONFLICT for a used port, UNKNOWN when its page does not answer. */
    startProgram: () => inOrder(launch),
    stopProgram: () => (isReady ? inOrder(end) : end()),
  }
}
