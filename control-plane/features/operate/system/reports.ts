// The routes about the state of the studio itself: information, notifications, logs, crashes, variables.
import type { ScheduledBackups } from '#control-plane/backup/scheduled.ts'
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import type { NetworkApi } from '#control-plane/features/base/network/api.ts'
import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { ModelsApi } from '#control-plane/features/machines/models/api.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import { bestOf } from '#control-plane/inference/offers.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { isNewer, PUBLISHED } from '#shared/protocol/version.ts'
import type { Service } from '#shared/runtime/service.ts'
import { crashRoutes } from './crash/crash.routes.ts'
import { openDiagnose } from './diagnose/open-diagnose.ts'
import { environmentRoutes } from './environment/environment.routes.ts'
import { updateSettings } from './environment/environment.settings.ts'
import { systemLogsContracts } from './logs/system-logs.contract.ts'
import { createSystemLogs, type SystemLogs, tailCount } from './logs/system-logs.service.ts'
import { noticesRoutes } from './notices/notices.routes.ts'
import { createOwnerNotices } from './notices/notices.service.ts'
import { createLoad } from './overview/load.ts'
import { overviewRoutes } from './overview/overview.routes.ts'
import { createOverview } from './overview/overview.service.ts'
import { startupProgress } from './overview/startup.ts'

const systemLogsRoutes = (logs: SystemLogs): Route[] => [
  handle(systemLogsContracts.readLog, ({ query }) => logs.read(tailCount(query.tail))),
  handle(systemLogsContracts.readShellLog, ({ query }) => logs.readShell(tailCount(query.tail))),
  handle(systemLogsContracts.followLog, async ({ query, signal }) => eventStream(await logs.follow(query.source, query.interval, signal))),
  handle(systemLogsContracts.clearLog, () => logs.clear()),
  handle(systemLogsContracts.clearShellLog, () => logs.clearShell()),
]

/** Between two looks at the clock, which the laptop may have slept through. */
const LOOK_MS = 3_600_000
/** After a start, when the studio has less to do. */
const FIRST_LOOK_MS = 60_000

/** The look for new versions. Its module is loaded when it is needed. */
function openUpdates({ choices, clock, log, version, environment }: Platform) {
  const ended = new AbortController()
  let cancel = () => {}
  const inImage = environment['VOICE_STUDIO_IN_IMAGE'] === '1'
  const updates = async () => (await import('./updates/updates.ts')).createUpdates({ choices, clock, log, version, inImage })
  let opened: ReturnType<typeof updates> | null = null
  const open = () => (opened ??= updates())
  const newerVersion = () => {
    const { newest } = choices.read(updateSettings.lastLook)
    return choices.read(updateSettings.looksForUpdates) && newest !== null && isNewer(newest, version) ? newest : null
  }
  async function look(): Promise<void> {
    if (!PUBLISHED || ended.signal.aborted || !choices.read(updateSettings.looksForUpdates)) return
    await (await open()).look(ended.signal)
  }
  const looked = () => look().catch((error: unknown) => log.warn({ err: String(error) }, 'the look for a new version was not stored'))
  function later(ms: number): void {
    cancel = clock.after(ms, () => {
      void looked()
      later(LOOK_MS)
    })
  }
  choices.onChange((key) => {
    if (key === updateSettings.looksForUpdates.key) void looked()
  })
  const service: Service = {
    name: 'updates',
    start() {
      const newest = newerVersion()
      if (newest !== null) log.info({ newest }, 'a newer version is published')
      later(FIRST_LOOK_MS)
    },
    async stop() {
      cancel()
      ended.abort()
    },
  }
  return { newerVersion, service, state: async () => (await open()).state() }
}

type Apis = {
  readonly engines: EnginesApi
  readonly models: Pick<ModelsApi, 'freeDisk'>
  readonly library: Pick<LibraryApi, 'missingTakes'>
  readonly network: NetworkApi
  readonly settings: Pick<SettingsApi, 'hubToken' | 'backupChoice'>
  readonly speech: Pick<SpeechApi, 'synthesis'>
}

export function openReports(platform: Platform, { engines, library, models, network, settings: { hubToken, backupChoice }, speech }: Apis) {
  const { choices, variables, diagnostics, machines, offered, ffmpegPath, dataDir, audioFolder, clock, log, version } = platform
  const { logFolder, logFile, crashLog, runRecord, errors } = diagnostics
  const openedAt = clock.mono()
  let startMs = 0
  const { freeDisk } = models
  const gpus = () => machines.get(LOCAL)?.gpus() ?? []
  const hasHubToken = () => hubToken.active() !== null

  const modelOf = (family: 'tts' | 'asr') => {
    const engine = engines.active(family)
    return bestOf(offered(), engine, family)?.model || engine
  }
  const info = createOverview({
    version,
    dataDir,
    outputsDir: audioFolder,
    crashLogPath: crashLog.path,
    port: platform.port,
    startedAt: clock.now(),
    endsAt: platform.work.endsAt,
    variable: variables.get,
    proxy: variables.proxy,
    hasHubToken,
    gpus,
    speechModel: () => modelOf('tts'),
    recognitionModel: () => modelOf('asr'),
    translator: () => offered().find(({ operation, installed }) => operation === 'translate' && installed)?.engine ?? '',
    ffmpegPath,
    freeDisk,
    sharing: network.sharing,
    clock,
  })
  /** Loaded after the start. */
  let backups: ScheduledBackups | null = null
  const logs = createSystemLogs({ logFile, crashLog, folder: logFolder, clock })
  const updates = openUpdates(platform)
  const notices = createOwnerNotices({
    state: () => ({
      version,
      newerVersion: updates.newerVersion(),
      hasHubToken: hasHubToken(),
      gpus: machines.get(LOCAL) ? gpus() : null,
      unusableGpus: machines.get(LOCAL)?.unusableGpus() ?? [],
      ffmpegPath: ffmpegPath(),
      lastRun: runRecord.newest(),
      isCrashLogUnseen: crashLog.isUnseen(),
      missingTakes: library.missingTakes(),
      backupProblem: backups?.problem() ?? null,
      jobsSetAside: platform.jobs.setAside().length,
      logProblem: logFile.problem(),
      proxyProblem: variables.proxyProblem(),
      invalidSettings: platform.declared.settings.filter((one) => choices.isInvalid(one)).map(({ key }) => key),
    }),
    freeDisk,
    clock,
  })
  let [loading, isStopped] = [Promise.resolve(), false]
  async function openBackups(): Promise<void> {
    await clock.sleep(0)
    if (isStopped) return
    const { createScheduledBackups } = await import('#control-plane/backup/scheduled.ts')
    backups = createScheduledBackups({ dataDir, choice: backupChoice, clock, log })
    backups.start()
  }
  const start: Service = {
    name: 'system',
    start() {
      variables.apply()
      const notice = variables.proxyProblem()
      if (notice !== null) log.warn({ notice }, 'the proxy cannot be used')
      startMs = clock.mono() - openedAt
      loading = openBackups()
    },
    async stop() {
      isStopped = true
      await loading
      await backups?.stop()
    },
  }
  return {
    routes: [
      ...overviewRoutes({ info, load: createLoad(gpus), startup: () => startupProgress(version, startMs), engines, hubToken }),
      ...noticesRoutes(notices, updates.state),
      ...systemLogsRoutes(logs),
      ...openDiagnose(platform, { engines, speech, hasHubToken, freeDisk }),
      ...crashRoutes({ runRecord, crashLog, errors }),
      ...environmentRoutes({ variables, hubToken }),
    ],
    notices,
    backups: () => backups?.state() ?? null,
    services: [start, updates.service],
    beginStop: logs.end,
  }
}
