// The composition root: makes each room in the order of the arrows and connects what must happen after a commit. Nothing is decided here.
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { askAgent, controlPath } from '#shared/link/agent-control.ts'
import { createKey } from '#shared/pki/key.ts'
import { RESTART_GRACE_MS } from '#shared/protocol/lease.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { emptyFolder, privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { group, type Service } from '#shared/runtime/service.ts'
import { openTracing } from '#shared/trace/tracing.ts'
import { routes } from './areas/areas.ts'
import { openEngines } from './areas/engines/open-engines.ts'
import { createSelftest } from './areas/engines/selftest.service.ts'
import { createHistory } from './areas/library/history.store.ts'
import { openRecognition } from './areas/recognition/open-recognition.ts'
import { openModels } from './areas/setup/open-models.ts'
import { openSpeech } from './areas/speech/open-speech.ts'
import { createFleet } from './areas/workers/fleet.service.ts'
import { createLending } from './areas/workers/lending.service.ts'
import { openTasks } from './areas/workers/open-tasks.ts'
import { createTarget } from './areas/workers/target.service.ts'
import { createGate } from './http/access.ts'
import { closeServer } from './http/close.ts'
import { createServer } from './http/server.ts'
import { createMedia } from './media/encode.ts'
import { probeFfmpeg } from './media/ffmpeg.ts'
import { createIntake } from './media/intake.ts'
import { createMetrics } from './observe/metrics.ts'
import { createProcessMetrics } from './observe/process-metrics.ts'
import { createRequestWatch } from './observe/requests.ts'
import { createTaskSpans } from './observe/task-spans.ts'
import { createEstimates } from './scheduler/estimate.ts'
import { createForecasts } from './scheduler/forecasts.ts'
import { tellBegun, tellOutcomes } from './scheduler/outcome.ts'
import { createScheduler } from './scheduler/scheduler.ts'
import { createViews } from './scheduler/views.ts'
import { createAttemptReceiver } from './sessions/attempt-receiver.ts'
import { createDialler } from './sessions/dialler.ts'
import { createListeners } from './sessions/listeners.ts'
import { createLocalAgent } from './sessions/local.ts'
import { createRegistry } from './sessions/registry.ts'
import { createRemoteAccess } from './sessions/remote-access.ts'
import { createArtifacts } from './store/artifact.ts'
import { openDatabase, openSync } from './store/database.ts'
import { createSettings } from './store/setting.store.ts'
import type { AttemptMarks } from './tasks/attempt.store.ts'
import { createLeases } from './tasks/leases.ts'
import { createLedger } from './tasks/ledger.store.ts'
import { createQueue } from './tasks/queue.ts'
import { createRetention } from './tasks/retention.store.ts'
import { createSweep } from './tasks/sweep.ts'
import { createTasks } from './tasks/tasks.ts'
import { createAudit } from './trust/audit.store.ts'
import { loadIdentity } from './trust/authority.ts'
import { createConnections } from './trust/connections.ts'
import { createEnrolment } from './trust/enrolment.ts'
import { createJoinTokens } from './trust/join-token.store.ts'
import { createRotation } from './trust/rotation.ts'
import { createBreakerStore } from './workers/breaker.store.ts'
import { createBreakers } from './workers/breaker.ts'
import { createWorkerStore, LOCAL } from './workers/worker.store.ts'

export type Studio = Awaited<ReturnType<typeof buildStudio>>
type World = {
  readonly settings: Settings
  readonly environment: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Compare every HTTP answer with its schema. */
  readonly checkReplies: boolean
}
/** Waiting tasks the studio takes: from people, and from its own batches. */
const LIMITS = { interactive: 200, batch: 20_000 }

export async function buildStudio({ settings, environment, clock, random, log, checkReplies }: World) {
  const dataDir = privateFolder(settings.dataDir)
  const audioFolder = privateFolder(join(dataDir, 'outputs'))
  const workDir = privateFolder(join(dataDir, 'work'))

  const db = openDatabase(join(dataDir, 'studio.db'))
  const artifacts = createArtifacts(dataDir)
  const choices = createSettings(db)

  const marks: AttemptMarks = new Map()
  const wal = openSync(join(dataDir, 'studio.db'))
  const tracing = await openTracing(settings, { program: 'studio', version: VERSION, clock, log })
  const metrics = createMetrics({ clock, ledger: { live: () => ledger.live() } })
  const spans = createTaskSpans(tracing)
  const ledger = createLedger({ db, clock, log, marks, sync: metrics.timed(wal.sync) })
  // Both before all others: a turn is timed from its beginning, and an offer carries the trace of its attempt.
  ledger.beforeCommit(metrics.beginTurn)
  ledger.written(metrics.follow)
  ledger.written(spans.follow)
  ledger.refused(metrics.refused)
  const leases = createLeases(clock, (record) => views.terms(record))
  const queue = createQueue()
  const tasks = createTasks({ ledger, queue, artifacts, clock, random, workDir, limits: LIMITS })

  const audit = createAudit({ db, clock })
  const workers = createWorkerStore({ db, clock, random, audit })
  const tokens = createJoinTokens({ db, clock, random, audit })
  const identity = await loadIdentity(dataDir, { clock, random })
  const enrolment = createEnrolment({
    identity,
    workers,
    tokens,
    clock,
    random,
    log,
    studioName: 'Voice Studio',
    // The studio's own agent is this machine: there is nobody else to ask.
    onEnrolled: (worker) => void (worker.id === LOCAL && worker.consentId === null && workers.grant(LOCAL)),
    onCopied: ({ id }, reason) => registry.quarantine(id, reason),
  })

  const hearing = createAttemptReceiver({ tasks, leases, marks, log })
  const registry = createRegistry({
    workers,
    ledger,
    hearing,
    clock,
    log,
    studioVersion: VERSION,
    traceparentOf: spans.traceparentOf,
    readInput: artifacts.read,
    onMet: (session) => rotation.met(session),
  })
  metrics.scrape({ waiting: queue.waiting, sessions: registry.all, breakers: () => breakers.states() })
  const adopt: typeof registry.adopt = (worker, link) => {
    metrics.link(worker.id, link.closed)
    return registry.adopt(worker, link)
  }
  const doors = createListeners({
    identity,
    enrolment,
    workers,
    clock,
    log,
    port: settings.workerPort,
    onLink: (worker, link) => void adopt(worker, link),
  })
  const connections = createConnections(dataDir, log)
  const dialler = createDialler({
    connections,
    workers,
    onLink: adopt,
    panel: { name: hostname(), version: VERSION },
    clock,
    random,
    log,
  })
  const outside = createRemoteAccess(doors, dialler)
  const rotation = createRotation({
    identity,
    workers,
    audit,
    clock,
    log,
    isDialled: connections.serves,
    sessions: registry.all,
    showKeys: doors.showKeys,
  })
  const local = createLocalAgent({
    environment,
    clock,
    random,
    log,
    invite: () => {
      const { id, secret } = tokens.create({ label: 'Local', endpoint: '', ttlSeconds: 60, workerId: LOCAL })
      return { id, secret, pins: identity.pins(), endpoints: [{ path: doors.path }], known: rotation.isKnown(LOCAL) }
    },
  })

  const estimates = createEstimates(clock)
  const breakers = createBreakers({
    store: createBreakerStore(db),
    clock,
    log,
    known: () => workers.enrolled().length + 1,
    eased: ledger.touch,
  })
  for (const record of ledger.live()) tellBegun(breakers, record)
  const views = createViews({
    workers,
    presence: registry,
    ledger,
    estimate: estimates.of,
    breakers: breakers.of,
    remoteOn: doors.isOpen,
  })
  const startedAt = clock.mono()
  let isStopping = false // machines leave one after the other then, which says nothing about the next start
  const scheduler = createScheduler({
    tasks,
    queue,
    random,
    snapshot: views.all,
    mayGiveUp: () => !isStopping && (clock.mono() - startedAt > 5_000 || registry.get(LOCAL)?.isReady() === true),
  })
  const sweep = createSweep({ ledger, leases, retention: createRetention(db), artifacts, clock, log })

  ledger.beforeCommit(scheduler.pass)
  ledger.committed((changes) => leases.follow(changes))
  ledger.written(estimates.follow)
  ledger.written((changes) => tellOutcomes(breakers, changes))
  tasks.on('offer', (record) => registry.get(record.task.workerId!)?.offer(record))
  tasks.on('stop', (record) => registry.get(record.task.workerId!)?.stop(record))

  const offered = () =>
    [...registry.all()].flatMap((session) => session.capabilities().map((capability) => ({ workerId: session.workerId, ...capability })))
  const target = createTarget({
    settings: choices,
    workers,
    view: views.view,
    latencyMs: (id) => registry.get(id)?.latencyMs() ?? 0,
    isRunning: doors.isOpen,
  })
  const fleet = createFleet({
    workers,
    tokens,
    settings: choices,
    audit,
    view: views.view,
    live: registry.get,
    door: outside,
    queueDepth: tasks.queued,
    authorityPin: () => identity.authorityPin,
    authorityPins: identity.pins,
    endpointHost: settings.workerEndpointHost,
    settle: ledger.flush,
    consentChanged: registry.consentChanged,
    release: registry.release,
    readmit: registry.readmit,
    cut: registry.cut,
    drain: registry.drain,
    breakers,
  })
  const lending = createLending({
    agent: askAgent(controlPath(dataDir), clock),
    connections,
    dialler,
    isRunning: doors.isOpen,
    isReady: (workerId) => registry.get(workerId)?.isReady() === true,
    removeWorker: fleet.remove,
    createKey,
  })
  const seen = openTasks({
    tasks,
    marks,
    clock,
    isRunning: doors.isOpen,
    target: target.forTask,
    why: scheduler.why,
    expected: createForecasts({ clock, estimates, marks, scheduler, ledger, workers, view: views.view }).endOf,
    artifactPath: artifacts.pathOf,
    development: settings.development,
    run: random.hex(6),
    running: ledger.live,
    fleet,
    workers,
    live: registry.get,
  })
  ledger.committed(seen.committed)

  const ffmpegPath = await probeFfmpeg(environment['PATH'] ?? '')
  if (!ffmpegPath) log.warn({}, 'ffmpeg is not on PATH: opus, aac and flac are answered as WAV; ./studio setup installs it')
  const media = createMedia({ log, clock, ffmpegPath, threads: Math.min(2, availableParallelism()) })
  const intake = createIntake({ ffmpegPath, clock })
  const about = openEngines({
    folder: join(dataDir, 'sidecars'),
    environment,
    changed: async () => registry.get(LOCAL)?.describeAgain(),
    settings: choices,
    offered,
    target: target.forTask,
    pinned: settings.engines,
    sessions: registry.all,
    live: ledger.live,
    clock,
    log,
  })
  const { engines } = about
  const sound = { tasks, media, intake, offered, audioFolder, clock, random }
  const heard = openRecognition({ ...sound, settings: choices, selected: () => engines.active('asr') })
  const history = createHistory({ db, clock, audioFolder, cap: () => 200 })
  const { synthesis, ...spoken } = openSpeech({
    ...sound,
    history,
    dataDir,
    target: target.forTask,
    selected: () => engines.active('tts'),
  })
  const selftest = createSelftest({ engines, synthesis, tasks, clock })

  const stored = openModels({
    settings,
    choices,
    tasks,
    session: registry.get,
    target: () => target.forTask('tts'),
    isKnown: (id) => workers.get(id)?.revokedAt === null,
    path: environment['PATH'] ?? '',
    ffmpeg: ffmpegPath,
    clock,
    log,
  })

  const app = await createServer({
    routes: routes({
      ...spoken,
      ...heard,
      ...about,
      selftest,
      offered,
      fleet,
      target,
      lending,
      ...seen,
      rotation,
      ...stored,
      history,
      metrics: async () => ({ type: metrics.registry.contentType, text: await metrics.registry.metrics() }),
      device: () => 'cpu',
      version: VERSION,
    }),
    gate: createGate({ host: settings.host, apiKey: settings.apiKey }),
    version: VERSION,
    audioFolder,
    uploadFolder: emptyFolder(join(dataDir, 'uploads')),
    checkReplies,
    watch: createRequestWatch({ metrics, tracing, clock }),
    log,
  })

  /** What a crash left held: its agents may still be at it and get the time to come back. */
  const recover: Service = {
    name: 'recovery',
    start() {
      const held = [...ledger.live()].filter(({ task }) => task.workerId !== null)
      for (const { task } of held) ledger.apply(task.id, { kind: 'link-lost', epoch: task.epoch })
      ledger.flush()
      for (const { task } of held) leases.extend(task.id, RESTART_GRACE_MS)
      if (held.length > 0) log.info({ tasks: held.length }, 'tasks of the last run wait for their machines')
    },
    stop: ledger.settled,
  }
  const http: Service = {
    name: 'http',
    start: async () => void (await app.listen({ host: settings.host, port: settings.port })),
    stop: () => closeServer(app, clock, tasks.stopWaiting),
  }
  const remote: Service = {
    name: 'remote-workers',
    start: async () => {
      // A taken port must not keep the studio from starting: GET /workers shows why the machines are away.
      if (fleet.isEnabled())
        await outside.openPort().catch((error: unknown) => log.error({ err: String(error) }, 'remote workers could not be turned on'))
    },
    stop: outside.closePort,
  }
  const database: Service = {
    name: 'database',
    start() {},
    async stop() {
      breakers.stop()
      wal.close()
      db.close()
    },
  }
  const services = group('studio', [
    { name: 'traces', start() {}, stop: tracing.stop },
    createProcessMetrics(metrics.registry),
    database,
    recover,
    media,
    about.sidecars,
    seen.events,
    sweep,
    registry,
    doors,
    rotation,
    local,
    remote,
    http,
  ])
  const stop = () => {
    isStopping = true
    seen.end()
    stored.models.end()
    return services.stop()
  }
  return { ...services, stop, address: () => app.server.address(), isReady: () => registry.get(LOCAL)?.isReady() === true, tasks, local }
}
