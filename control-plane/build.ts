// The composition root: opens each part in the order of the arrows and lists the services in the order of their start. It decides nothing.

import { openAreas } from '#control-plane/build/areas.ts'
import { openFleet, openRole } from '#control-plane/build/fleet.ts'
import { connectHooks } from '#control-plane/build/hooks.ts'
import { openBase, type World } from '#control-plane/build/platform.ts'
import { closeServer } from '#control-plane/http/close.ts'
import { createBasePath } from '#control-plane/http/contract/base-path.ts'
import { connectionLimits, openFileLimit } from '#control-plane/http/limits/connection-limits.ts'
import { createNewWork } from '#control-plane/http/limits/new-work.ts'
import { createPathScreen } from '#control-plane/http/path-screen.ts'
import { createServer } from '#control-plane/http/server.ts'
import { createProcessMetrics } from '#control-plane/observe/process-metrics.ts'
import { createRequestWatch } from '#control-plane/observe/requests.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { group, type Service } from '#shared/runtime/service.ts'

/** Milliseconds in which running requests may end when the studio stops. */
const STOP_GRACE_MS = 5_000
const NO_ENDINGS = { handOver: null, stop() {} }

export type Studio = Awaited<ReturnType<typeof buildStudio>>

export async function buildStudio(world: World) {
  const { settings, clock, log, checkReplies } = world
  const base = await openBase(world)
  const fleet = openFleet(world, base)
  const work = createNewWork(clock, world.endings ?? NO_ENDINGS, { hold: base.jobs.hold, settled: base.jobs.rest })
  const areas = openAreas(world, base, fleet, work)
  const role = await openRole(world, base, fleet, areas)
  connectHooks({ ...base, ...fleet, areas })

  const app = await createServer({
    routes: areas.routes,
    sockets: areas.sockets,
    access: base.access,
    requireMaker: base.makers.requireMaker,
    version: VERSION,
    base: createBasePath(settings.basePath),
    folders: { audio: base.audioFolder, previews: base.previewFolder },
    pathScreen: createPathScreen(base.privateFolders),
    uploadDisk: base.uploadDisk,
    filmDisk: base.filmDisk,
    checkReplies,
    limits: connectionLimits(openFileLimit()),
    untilLocal: role.untilLocal,
    work,
    watch: createRequestWatch({ metrics: base.metrics, tracing: base.tracing, note: base.diagnostics.runRecord.note, clock }),
    failed: base.diagnostics.errors.record,
    clock,
    random: world.random,
    log,
  })
  base.sharedPort.attach(app.server)
  const http: Service = {
    name: 'http',
    start: async () => void (await app.listen({ host: settings.host, port: base.port })),
    stop: async () => {
      await base.sharedPort.close()
      await closeServer(app, clock, graceMs, () => {
        log.info({}, 'requests that are still open are answered now')
        base.tasks.stopWaiting()
      })
    },
  }
  // Started in this order, stopped in reverse.
  const services = group('studio', [
    // Last to stop, so that the spans of the shutdown are sent.
    { name: 'traces', start() {}, stop: base.tracing.stop },
    createProcessMetrics(base.metrics.registry),
    base.diagnostics.errors,
    // Closed after everything that writes.
    base.database,
    // After the database, whose lock refuses a second studio; the run has ended once everything else has stopped.
    base.diagnostics.runRecord,
    fleet.breakerTimers,
    // Requeues before any machine can connect; at the stop it waits until the ledger is durable.
    fleet.recovery,
    base.media,
    ...areas.services,
    fleet.sweep,
    // Sessions outlive the listeners and the local agent, which bring them.
    fleet.registry,
    fleet.listeners,
    fleet.rotation,
    role.service,
    fleet.remoteWorkers(role.isRemoteEnabled),
    base.jobSweep,
    // Jobs of the last run resume when machines can connect; at the stop they pause before the machines leave.
    base.jobs,
    // Requests are accepted last and end first.
    http,
  ])
  let graceMs = STOP_GRACE_MS
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopped ??= end()
    return stopped
  }
  /** Reading goes on until requests and live sessions have ended; jobs pause first, because streams of theirs would last longer. */
  async function end(): Promise<void> {
    const startedAt = clock.mono()
    fleet.beginStop()
    base.jobs.beginStop()
    await work.drain(STOP_GRACE_MS)
    graceMs = Math.max(0, STOP_GRACE_MS - (clock.mono() - startedAt))
    areas.beginStop()
    return services.stop()
  }
  return {
    ...services,
    stop,
    address: () => app.server.address(),
    isReady: role.isReady,
    markFault: base.diagnostics.runRecord.markFault,
    tasks: base.tasks,
    local: fleet.local,
  }
}
