// The part of the studio that needs no machine: folders, database, ledger, tasks, trust stores, media and figures.

import { existsSync, realpathSync } from 'node:fs'
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { createAudit } from '#control-plane/audit/audit.ts'
import { mediaToolsSettings } from '#control-plane/features/base/media-tools/media-tools.settings.ts'
import { openModelsFolder } from '#control-plane/features/base/settings/storage/models-folder.ts'
import { createVariables } from '#control-plane/features/operate/system/environment/variables.ts'
import { openAccess } from '#control-plane/http/access/open.ts'
import type { Endings } from '#control-plane/http/limits/new-work.ts'
import { createSharedNames } from '#control-plane/http/sharing/shared-names.ts'
import { createSharedPort } from '#control-plane/http/sharing/shared-port.ts'
import { createInference } from '#control-plane/inference/run.ts'
import { createMedia } from '#control-plane/media/encode.ts'
import { createIntake } from '#control-plane/media/intake.ts'
import { createMediaPrograms } from '#control-plane/media/programs.ts'
import { createMetrics } from '#control-plane/observe/metrics.ts'
import { createTaskSpans } from '#control-plane/observe/task-spans.ts'
import { openPeopleLimits } from '#control-plane/people/limits/open.ts'
import { openPeople } from '#control-plane/people/people-access.store.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { backupBeforeMigration } from '#control-plane/store/files/backup.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { authorizationsFolder, createPathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import { openLibrary, openStore } from '#control-plane/store/open.ts'
import { loadSeal } from '#control-plane/store/seal.ts'
import { createSettings } from '#control-plane/store/setting.store.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import { createQueue } from '#control-plane/tasks/queue.ts'
import { createRetention } from '#control-plane/tasks/retention.ts'
import { createTasks } from '#control-plane/tasks/tasks.ts'
import { loadIdentity } from '#control-plane/trust/authority.ts'
import { openConnections } from '#control-plane/trust/connections.ts'
import { createJoinTokens } from '#control-plane/trust/join-token.store.ts'
import { createBreakerStore } from '#control-plane/workers/breaker.store.ts'
import { createWorkerStore, LOCAL } from '#control-plane/workers/worker.store.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import { COMMAND, VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createFolderKeys, emptyFolder, privateFolder } from '#shared/runtime/file.ts'
import type { RollingFile } from '#shared/runtime/log/rolling-file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Service } from '#shared/runtime/service.ts'
import { openTracing } from '#shared/trace/tracing.ts'
import { openDiagnostics } from './diagnostics.ts'
import { observeLedger } from './hooks.ts'
import { openJobs } from './jobs.ts'

/** Inputs of the studio from the program. */
export type World = {
  readonly settings: Settings
  /** The environment of the local agent. */
  readonly environment: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** The log on disk, which receives every line of `log`. */
  readonly logFile: RollingFile
  /** Values of secret variables of the environment, which reports must not contain. */
  readonly secrets: readonly string[]
  /** Compare every HTTP answer with its schema. */
  readonly checkReplies: boolean
  /** False only to compare: every attempt then has a call of its own. */
  readonly usesExchange: boolean
  /** Ways in which the studio ends this program; absent where it cannot. */
  readonly endings?: Endings
}
export type Base = Awaited<ReturnType<typeof openBase>>

/** Largest upload for a dub, and the disk space that it leaves free. */
const [FILM_BYTES, FILM_RESERVE_BYTES] = [50e9, 10e9]
/** Waiting tasks the studio accepts: from people, and from its own batches. */
const WAITING_PER_CLIENT = { interactive: 200, batch: 10_000 }

export async function openBase({ settings, environment, clock, random, log, logFile, secrets }: World) {
  const dataDir = privateFolder(settings.dataDir)
  const audioFolder = privateFolder(join(dataDir, 'outputs'))
  const previewFolder = privateFolder(join(dataDir, 'previews'))
  const workDir = privateFolder(join(dataDir, 'work'))
  const artifacts = createFolderArtifacts(dataDir)
  const keys = createFolderKeys(dataDir)
  const seal = await loadSeal(keys, 'authority/settings.key')

  const diagnostics = openDiagnostics({ settings, clock, log, logFile, secrets })
  const marks: AttemptMarks = new Map()
  const metrics = createMetrics({ clock, ledger: { live: () => ledger.live() } })
  const sharedPort = createSharedPort()
  const { isShared } = sharedPort
  const sharedNames = createSharedNames(hostname())
  const tracing = await openTracing(settings, { program: 'studio', version: VERSION, clock, log })
  const spans = createTaskSpans(tracing)
  const databasePath = join(dataDir, 'studio.db')
  // A migration runs in a transaction; the backup is for what it changes by mistake. A full disk must not stop the start.
  const backup = await backupBeforeMigration(databasePath).catch((error: unknown) => {
    log.error({ err: String(error) }, 'the database could not be backed up before its migration')
    return null
  })
  if (backup) log.info({ backup }, 'the database was backed up before its migration')
  const library = openLibrary(databasePath)
  const store = await openStore({ kind: 'sqlite', path: databasePath, library }, { log, clock, timed: metrics.timed })
  const parts = { ...store, db: library.db, clock, random, log }
  const makers = createMakers(parts)
  makers.forgetGone()
  const choices = createOwnerSettings(createSettings(parts), settings.overrides, seal)
  const variables = createVariables({ settings: choices })
  diagnostics.addSecrets(choices.secretTexts)
  const modelsFolder = openModelsFolder({ settings: choices, dataDir, log })
  const ledger = createLedger({ ...parts, marks })
  observeLedger(ledger, metrics, spans)
  const queue = createQueue()
  const peopleLimits = await openPeopleLimits({ ...parts, ledger, marks, dataDir, limitsOf: (id) => people.limitsOf(id) })
  const { admission } = peopleLimits
  const tasks = createTasks({ ledger, queue, artifacts, clock, random, workDir, waitingPerClient: WAITING_PER_CLIENT, admission })
  store.commits.onFenced(tasks.stopWaiting)

  const retention = createRetention({ journal: store.journal, ledger })
  artifacts.addNamer(retention.names)

  const inference = createInference({ tasks })

  const audit = createAudit(parts)
  const people = openPeople({ ...parts, audit })
  const access = openAccess(settings, { clock, random, log, people, wrongKey: metrics.wrongKey, isShared, sharedNames: sharedNames.all })
  const workers = createWorkerStore({ ...parts, audit })
  const tokens = createJoinTokens({ ...parts, audit })
  diagnostics.addHosts(() => workers.enrolled().flatMap(({ id, name, host }) => (id === LOCAL ? [] : [name, host?.hostname ?? ''])))
  const identity = await loadIdentity(keys, { clock, random })
  const connections = await openConnections(keys, log)

  const mediaPrograms = createMediaPrograms({
    path: environment['PATH'] ?? '',
    folder: join(dataDir, 'media-tools'),
    choiceOf: (program) => (program === 'ytdlp' ? { kind: 'auto' } : choices.read(mediaToolsSettings.choices)[program]),
  })
  const ffmpegPath = () => mediaPrograms.usable('ffmpeg')
  if (ffmpegPath() === null) log.warn({}, `ffmpeg is not on PATH: opus, aac and flac are answered as WAV; ${COMMAND} setup installs it`)
  const media = createMedia({
    log,
    clock,
    ffmpegPath,
    threads: Math.min(2, availableParallelism()),
    spoolFolder: emptyFolder(join(dataDir, 'spool')),
  })
  // Parts of long recordings lie beside their upload.
  const uploadBudget = createDiskBudget({ folder: dataDir, quota: peopleLimits.uploads })
  const intake = createIntake({ ffmpegPath, clock, budget: uploadBudget })
  // On the disk of dubs, and beside the other uploads: a film may be larger than all of them.
  const filmFolder = emptyFolder(join(dataDir, 'dub_store', 'uploads'))
  const filmDisk = {
    folder: filmFolder,
    budget: createDiskBudget({
      folder: filmFolder,
      bytesPerClient: 2 * FILM_BYTES,
      reserveBytes: FILM_RESERVE_BYTES,
      quota: peopleLimits.uploads,
    }),
    fileBytes: FILM_BYTES,
    isHashed: true as const,
  }
  const uploadDisk = { folder: emptyFolder(join(dataDir, 'uploads')), budget: uploadBudget }

  const jobEngine = openJobs({ ...parts, makers, failed: diagnostics.errors.record, wasFault: diagnostics.runRecord.wasFault })
  artifacts.addNamer(jobEngine.jobs.names)

  const database: Service = {
    name: 'database',
    start() {},
    async stop() {
      await store.close()
      library.close()
    },
  }
  return {
    access,
    sharedPort,
    sharedNames,
    dataDir,
    audioFolder,
    previewFolder,
    library,
    makers,
    artifacts,
    modelsFolder,
    privateFolders: privateFolders({ dataDir, modelsFolder, home: environment['HOME'] }),
    pathAuthorizations: createPathAuthorizations({ folder: authorizationsFolder(dataDir) }),
    choices,
    variables,
    port: variables.port(settings),
    diagnostics,
    marks,
    tracing,
    metrics,
    spans,
    ledger,
    queue,
    tasks,
    peopleLimits,
    inference,
    retention,
    breakerStore: createBreakerStore(parts),
    audit,
    people,
    workers,
    tokens,
    identity,
    connections,
    ffmpegPath,
    mediaPrograms,
    media,
    intake,
    uploadDisk,
    filmDisk,
    database,
    ...jobEngine,
  }
}

/** Under the names that the settings have, and under those that the system has for the same folders. */
function privateFolders({ dataDir, modelsFolder, home = '' }: Record<'dataDir' | 'modelsFolder', string> & { home: string | undefined }) {
  const folders = [
    { path: dataDir, words: '<data folder>' },
    { path: modelsFolder, words: '<models folder>' },
    { path: home, words: '~' },
  ]
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : path)
  return folders.flatMap(({ path, words }) => [...new Set([path, real(path)])].map((each) => ({ path: each, words })))
}
