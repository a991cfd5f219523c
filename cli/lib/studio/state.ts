// The state of the running studio: its version, its work, its machines, its disk and its notices.

import { z } from 'zod'
import { jobsContracts } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { healthContracts } from '#control-plane/features/operate/system/health.contract.ts'
import { noticesContracts } from '#control-plane/features/operate/system/notices/notices.contract.ts'
import { overviewContracts } from '#control-plane/features/operate/system/overview/overview.contract.ts'
import type { Environment } from '../command.ts'
import { readMachines } from '../names/machines.ts'
import { studioAddress } from './address.ts'
import { readNow } from './api.ts'

// Only the fields that are shown, so that a studio of another version can be read, too.
const Health = healthContracts.health.reply.pick({ version: true })
const Info = overviewContracts.readInfo.reply.pick({ data_dir: true, disk_free_gb: true }).extend({
  /** Absent in older studios. */
  started_at: z.int().optional(),
  ends_at: z.int().nullish(),
})
const Notice = noticesContracts.listNotices.reply.shape.notifications.element.pick({ id: true, level: true, title: true, message: true })
const Notices = z.object({ notifications: z.array(Notice).max(1_000) })
const Job = jobsContracts.list.reply.element.pick({
  id: true,
  type: true,
  status: true,
  created_at: true,
  progress: true,
  seconds_left: true,
})
/** Longest list of jobs that is read. */
const MAX_JOBS = 100
const Jobs = z.array(Job).max(MAX_JOBS)

export type StudioState = Awaited<ReturnType<typeof readStudioState>>

/** Rejects with NOT_READY if no studio answers. */
export async function readStudioState(env: Environment) {
  const { version } = Health.parse(await readNow(env, '/health'))
  const { rows, fleet, targets } = await readMachines(env)
  const counts = jobsContracts.count.reply.parse(await readNow(env, '/jobs/counts'))
  const active = Jobs.parse(await readNow(env, `/jobs?status=active&limit=${MAX_JOBS}`))
  const info = Info.parse(await readNow(env, '/system/info'))
  const { notifications } = Notices.parse(await readNow(env, '/system/notifications'))
  return {
    /** In epoch seconds. `started_at`: null for an older studio. `ends_at`: it finishes, and ends then at the latest; null while it accepts work. */
    studio: { version, address: addressOf(env), started_at: info.started_at ?? null, ends_at: info.ends_at ?? null },
    /** Decimal gigabytes; null if unknown. */
    disk: { data_dir: info.data_dir, free_gb: info.disk_free_gb },
    jobs: { running: counts.running, waiting: counts.pending, active },
    tasks: { running: rows.reduce((sum, { active_tasks }) => sum + active_tasks, 0), waiting: fleet.queue_depth },
    machines: { target: targets.target, is_on: fleet.running, all: rows },
    notices: notifications,
  }
}

/** Address of the page, for a browser. */
export function addressOf(env: Environment): string {
  const { shown } = studioAddress(env)
  return `${shown.includes('://') ? shown : `http://${shown}`}/`
}
