// The studio program: reads the environment, builds and starts the studio, waits for a signal, stops it.
import { join } from 'node:path'
import { isLoopback } from '#control-plane/http/contract/caller.ts'
import { appendCrash } from '#control-plane/observe/crash-log.ts'
import { secretValues } from '#control-plane/observe/scrub.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { isWeak } from '#shared/protocol/access/key-strength.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { CREATE_KEY, INVALID_SETTINGS, isOn, readSettings, type Settings } from '#shared/protocol/settings.ts'
import { keepPrivate, restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { crashLogPath, logPath } from '#shared/runtime/log/paths.ts'
import { createRollingFile } from '#shared/runtime/log/rolling-file.ts'
import { textLinesOf } from '#shared/runtime/log/text-line.ts'
import { createLog } from '#shared/runtime/log.ts'
import { letHeapGrow } from '#shared/runtime/memory/collect-garbage.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'

/** Exit status after a second signal. */
const ABANDONED = 130

/** Reports to the program that starts the studio. */
export type ProgramReports = {
  /** Requests are served. */
  readonly running: () => void
  /** The work has ended, so that another version takes the place of this one. */
  readonly leaving: () => void
}
type Env = Readonly<Record<string, string | undefined>>
/** Used only by the local agent, which downloads the models. */
const MODELS = ['HF_HOME', 'HF_HUB_CACHE', 'STUDIO_MODELS_URL', 'STUDIO_MODELS_TOKEN', 'STUDIO_MODELS_CACHE']
const LENDING = ['STUDIO_WORKER_MODE', 'STUDIO_INBOUND_NODE', 'STUDIO_INBOUND_BIND', 'STUDIO_INBOUND_PORT']

/** Resolves with the exit status: 0 after a clean stop, 1 for a failure that was printed, INVALID_SETTINGS. With `reports`, it can be updated. */
export async function run(env: Env, reports?: ProgramReports): Promise<number> {
  let settings: Settings
  try {
    settings = readSettings(env, [...exposed(env), ...exposedWyoming(env)])
  } catch (error) {
    process.stderr.write(`studio: ${explain(error)}\n`)
    return INVALID_SETTINGS
  }
  return runWith(settings, env, reports)
}

async function runWith(settings: Settings, env: Env, reports?: ProgramReports): Promise<number> {
  requireTls13()
  restrictNewFiles()
  const databasePath = join(settings.dataDir, 'studio.db')
  const explained = async (error: unknown): Promise<string> => {
    try {
      const { wayBack } = await import('#control-plane/store/files/way-back.ts')
      return wayBack(error, databasePath) ?? explain(error)
    } catch {
      return explain(error) // the folder cannot be read either
    }
  }
  try {
    // Before the log creates its folder.
    const notice = await keepPrivate(settings.dataDir)
    const logFile = createRollingFile({ path: logPath(settings.dataDir), clock })
    const log = createLog(settings.logLevel, 'studio', {
      format: settings.logFormat,
      tap: (written) => logFile.write(textLinesOf(written)),
    })
    if (notice) log.warn({ entries: notice.entries }, notice.text)
    const { buildStudio } = await import('./build.ts')
    const environment = agentEnvironment(settings, env)
    const ended = Promise.withResolvers<'switch' | 'stop'>()
    const studio = await buildStudio({
      settings,
      environment,
      clock,
      random,
      log,
      logFile,
      secrets: secretValues(env),
      checkReplies: settings.development,
      usesExchange: true,
      endings: { handOver: reports ? () => ended.resolve('switch') : null, stop: () => ended.resolve('stop') },
    })
    // After an unexpected error the state in memory may be wrong, so the program exits. A supervisor restarts it.
    process.once('uncaughtException', (error) => {
      log.error({ err: error }, 'the studio exits after an unexpected error')
      appendCrash(crashLogPath(settings.dataDir), error, clock)
      process.stderr.write(`studio: ${explain(error)}\n`)
      process.exit(1)
    })
    process.once('exit', (code) => {
      if (code !== 0 && code !== ABANDONED) studio.markFault()
    })
    const stop = stopSignal()
    await studio.start()
    letHeapGrow()
    const address = studio.address()
    const port = typeof address === 'object' && address ? address.port : settings.port
    process.stdout.write(
      `Voice Studio listens on http://${settings.host}:${port}${settings.basePath}  (open it in a browser; API: /docs, stop: Ctrl-C)\n`,
    )
    log.info({ port, dataDir: settings.dataDir }, 'the studio is running')
    for (const notice of keyNotices(settings)) log.info({ notice }, 'the API key')
    reports?.running()
    const reason = await Promise.race([stop, ended.promise])
    log.info({}, 'the studio is stopping')
    await studio.stop()
    if (reason === 'switch') reports?.leaving()
    return 0
  } catch (error) {
    process.stderr.write(`studio: ${await explained(error)}\n`)
    return isOfSettings(error) ? INVALID_SETTINGS : 1
  }
}

/** Some settings can be checked only against the built studio. */
const isOfSettings = (error: unknown): boolean => error instanceof Failure && error.code === 'BAD_REQUEST'

const WEAK_KEY = 'is easy to guess, because it looks like words, dates or keys in a row'

/** A studio that other machines can reach requires an API key, and a key with the right to administer has to be a generated one. */
function exposed({ STUDIO_HOST: host = '127.0.0.1', STUDIO_SERVER_MODE: server = '', STUDIO_API_KEY: key }: Env): string[] {
  if (key !== undefined) return isOn(server) && isWeak(key) ? [`STUDIO_API_KEY: ${WEAK_KEY}. ${CREATE_KEY}`] : []
  const isReachable = host !== 'localhost' && !isLoopback(host)
  return [
    ...(isReachable ? ['STUDIO_HOST: other machines can reach this address, so STUDIO_API_KEY must be set'] : []),
    ...(isOn(server) ? ['STUDIO_SERVER_MODE: the key gives the right to administer, so STUDIO_API_KEY must be set'] : []),
  ]
}

/** The Wyoming protocol has no keys: where others may reach its port, the owner names those that it serves. */
function exposedWyoming(env: Env): string[] {
  const { STUDIO_WYOMING_PORT: port, STUDIO_WYOMING_HOST: host = '127.0.0.1', STUDIO_WYOMING_NETWORKS: networks = '' } = env
  if (port === undefined || networks.trim() !== '') return []
  const example = 'such as 192.168.1.20/32'
  if (isOn(env['STUDIO_SERVER_MODE'] ?? ''))
    return [`STUDIO_WYOMING_NETWORKS: in server mode no sender counts as local, so it must name the networks to serve, ${example}`]
  const isReachable = host !== 'localhost' && !isLoopback(host)
  return isReachable
    ? [`STUDIO_WYOMING_HOST: other machines can reach this address without a key, so STUDIO_WYOMING_NETWORKS must name them, ${example}`]
    : []
}

/** Notices to the owner about the key at each start. */
function keyNotices({ apiKey, serverMode }: Settings): string[] {
  if (apiKey === null || serverMode) return []
  return [
    ...(isWeak(apiKey) ? [`STUDIO_API_KEY ${WEAK_KEY}. ${CREATE_KEY}`] : []),
    'Requests from this machine need no key. Behind a reverse proxy set STUDIO_SERVER_MODE=1: a proxy may hide that a request came from elsewhere.',
  ]
}

function explain(error: unknown): string {
  const { code, syscall, message, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE') return `Another program uses ${address}:${port}. Choose another STUDIO_PORT.`
  if (code === 'ENOSPC') return `The disk is full (${message}).`
  if (syscall === 'mkdir' || code === 'EACCES' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST')
    return `The data directory cannot be written (${message}). Choose another STUDIO_DATA_DIR.`
  return message
}

/** SIGBREAK is Ctrl-Break of Windows, and SIGHUP its closed window, which leaves ten seconds. */
const ENDING = process.platform === 'win32' ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) : (['SIGTERM', 'SIGINT'] as const)

/** Resolves with the first signal of `ENDING`; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ENDING)
      process.once(signal, () => {
        for (const again of ENDING) process.once(again, () => process.exit(ABANDONED))
        resolve()
      })
  })
}

/** The environment of the local agent: its settings, and only the secret that it needs. */
function agentEnvironment(settings: Settings, env: Env): Record<string, string> {
  return {
    ...childEnvironment(env, [...LENDING, ...MODELS]),
    STUDIO_DATA_DIR: settings.dataDir,
    STUDIO_LOG_LEVEL: settings.logLevel,
    ...(settings.logFormat !== null && { STUDIO_LOG_FORMAT: settings.logFormat }),
    ...(settings.traceEndpoint !== null && { STUDIO_TRACE_ENDPOINT: settings.traceEndpoint }),
    ...(settings.traceFile !== null && { STUDIO_TRACE_FILE: settings.traceFile }),
    STUDIO_DEVELOPMENT: settings.development ? '1' : '0',
    ...(settings.inspectHosts && { STUDIO_INSPECT: 'hosts' }),
  }
}
