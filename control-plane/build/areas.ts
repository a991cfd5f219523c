// Opens the areas in the order of their list and gathers their routes, services and hooks.

import { checkBound, type Route } from '#control-plane/http/contract/handle.ts'
import type { NewWork } from '#control-plane/http/limits/new-work.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import type { JobType } from '#control-plane/jobs/job-type.ts'
import type { AreaApis } from '#control-plane/kernel/define.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { gaugesOf } from '#control-plane/observe/gauges.ts'
import { AREAS, POOL_ROUTES } from '#control-plane/registry/areas.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { FOLLOW_JOB, JOB_EVENTS } from '#control-plane/registry/job-events.ts'
import { SETTINGS } from '#control-plane/registry/settings.ts'
import { SOCKETS } from '#control-plane/registry/sockets.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { FleetParts } from './fleet.ts'
import type { Base, World } from './platform.ts'

export type Opened = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly services: readonly Service[]
  readonly apis: AreaApis
  readonly committed: (changes: readonly Change[]) => void
  readonly beginStop: () => void
}

export function openAreas(world: World, base: Base, fleet: FleetParts, work: NewWork): Opened {
  const platform = platformOf(world, base, fleet, work)
  const apis: Record<string, unknown> = {}
  const areas = AREAS.map(({ name, needs, open }) => {
    const opened = open(platform, Object.fromEntries(needs.map((need) => [need, apis[need]])) as never)
    apis[name] = opened.api
    return { name, ...opened }
  })
  checkBound(
    CONTRACTS,
    areas.flatMap((area) => area.routes),
  )
  const served = world.settings.pool === null ? areas : areas.filter(({ name }) => POOL_ROUTES.has(name))
  checkJobEvents(base.jobs.types())
  return {
    // Pages and commands read what a pool has none of as well: it is empty there.
    routes: areas.flatMap((area) => area.routes.filter(({ contract }) => contract.method === 'GET' || served.includes(area))),
    sockets: served.flatMap(({ sockets = [] }) => sockets),
    services: areas.flatMap(({ services = [] }) => services),
    apis: apis as unknown as AreaApis,
    committed: (changes) => {
      for (const { committed } of areas) committed?.(changes)
    },
    beginStop: () => {
      for (const { beginStop } of areas) beginStop?.()
    },
  }
}

/** Throws when the events of a type of job are not in the table: their stream would not be described. */
export function checkJobEvents(types: readonly Pick<JobType, 'type' | 'events'>[]): void {
  const listed: readonly unknown[] = JOB_EVENTS
  const unlisted = types.filter(({ events }) => !listed.includes(events)).map(({ type }) => type)
  const unused = JOB_EVENTS.filter((events) => !types.some((one) => one.events === events)).map((events) => events.meta()?.id)
  if (unlisted.length > 0) throw new Error(`The events of these job types are not in the table: ${unlisted.join(', ')}.`)
  if (unused.length > 0) throw new Error(`No job type has these events: ${unused.join(', ')}.`)
}

const platformOf = ({ settings, environment, clock, random, log }: World, base: Base, fleet: FleetParts, work: NewWork): Platform => ({
  ...base,
  ...fleet,
  declared: { settings: SETTINGS, contracts: CONTRACTS, sockets: SOCKETS, followJob: FOLLOW_JOB },
  settings,
  environment,
  version: VERSION,
  clock,
  random,
  log,
  figures: async () => ({ type: base.metrics.registry.contentType, text: await base.metrics.registry.metrics() }),
  addGauge: gaugesOf(base.metrics.registry),
  work,
  machines: fleet.registry,
  view: fleet.views.view,
  why: fleet.scheduler.why,
  expectedEnd: fleet.forecasts.endOf,
  setDownloadSource: fleet.local.setDownloadSource,
  agent: createControlClient(controlPath(base.dataDir), clock),
})
