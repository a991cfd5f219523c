// The figures of GET /metrics that an operator watches for years: disk, certificates, machines, waiting work, jobs, notices. Loaded at the first
// scrape. The figures of single tasks and requests are counted where they happen (control-plane/observe).
import { statfs } from 'node:fs/promises'
import type { ScheduledBackups } from '#control-plane/backup/scheduled.ts'
import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import type { GaugeRows, GaugeSource } from '#control-plane/observe/gauges.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { StateNotice } from '../notices/notices.contract.ts'
import { createGuard } from '../overview/guarded.ts'
import { createStored } from './stored.ts'

type Parts = Pick<
  Platform,
  'addGauge' | 'clock' | 'dataDir' | 'modelsFolder' | 'identity' | 'workers' | 'machines' | 'view' | 'ledger' | 'jobs'
> & {
  readonly measure: SettingsApi['measureFolders']
  readonly notices: () => Promise<readonly StateNotice[]>
  /** Null before the schedule of backups was loaded. */
  readonly backups: () => ReturnType<ScheduledBackups['state']> | null
}
const ALL_JOBS = { viewer: null, type: null, projectId: null, text: null }
const LEVELS = ['error', 'warn', 'info'] as const
const WAITING = 'queued'
/**
 * Names of abilities that a machine may have in its figures: each one is a series that the server of the figures keeps for months, and a machine
 * reports any number of them. The first ones since the start of the studio count, so that a machine cannot add more with other names.
 */
const MOST_ABILITIES = 64
/** For one figure. Longer than the limits of the probes in it. */
const LIMIT_MS = 1_000

export function addFigures({
  addGauge: add,
  clock,
  dataDir,
  modelsFolder,
  identity,
  workers,
  machines,
  view,
  ledger,
  jobs,
  measure,
  notices,
  backups,
}: Parts): void {
  /** A source that fails leaves its figure out: the others are wanted then most. */
  const addGauge = <L extends string>(source: GaugeSource<L>): void =>
    add({ ...source, read: () => createGuard(clock, LIMIT_MS).value<GaugeRows<L>>(source.name, [], source.read) })
  const stored = createStored({ folder: dataDir, measure, clock })
  const folders = { data: dataDir, models: modelsFolder }
  const enrolled = () => [...workers.all()].filter(({ revokedAt }) => revokedAt === null)
  /** A network disk that hangs leaves its figure out. */
  const ofDisks = async (measure: (disk: { readonly bavail: number; readonly blocks: number; readonly bsize: number }) => number) => {
    const guard = createGuard(clock)
    const rows = Object.entries(folders).map(async ([folder, path]): Promise<GaugeRows<'folder'>> => {
      const disk = await guard.value(folder, null, () => statfs(path))
      return disk ? [[{ folder }, measure(disk)]] : []
    })
    return (await Promise.all(rows)).flat()
  }

  addGauge({
    name: 'studio_build_info',
    help: 'Always 1; the label has the version.',
    labels: ['version'],
    read: () => [[{ version: VERSION }, 1]],
  })
  addGauge({
    name: 'studio_disk_free_bytes',
    help: 'Space that the studio may use on the disk of a folder.',
    labels: ['folder'],
    read: () => ofDisks(({ bavail, bsize }) => bavail * bsize),
  })
  addGauge({
    name: 'studio_disk_size_bytes',
    help: 'Size of the disk of a folder.',
    labels: ['folder'],
    read: () => ofDisks(({ blocks, bsize }) => blocks * bsize),
  })
  addGauge({
    name: 'studio_stored_bytes',
    help: 'Size of the files in the data folder by kind, measured at a scrape, every 15 minutes at most. A lower bound for a kind that took longer than 30 seconds.',
    labels: ['kind'],
    read: () => [...stored.read()].map(([kind, bytes]) => [{ kind }, bytes] as const),
  })
  addGauge({
    name: 'studio_certificate_expiry_timestamp_seconds',
    help: 'Time at which a certificate of the studio expires. Its own one is renewed by itself, the authority is not.',
    labels: ['certificate'],
    read: () => [
      [{ certificate: 'authority' }, identity.expiresAt() / 1000],
      [{ certificate: 'studio' }, validityOf(identity.leaf.certificatePem).notAfter / 1000],
    ],
  })
  addGauge({
    name: 'studio_worker_info',
    help: 'Always 1 for each machine that is not revoked; the labels have its version and system. GET /workers has its name.',
    labels: ['worker', 'version', 'os', 'arch'],
    read: () =>
      enrolled().map(({ id, host }) => {
        const { worker_version: version = '', os = '', arch = '' } = host ?? {}
        return [{ worker: id, version, os, arch }, 1] as const
      }),
  })
  addGauge({
    name: 'studio_worker_up',
    help: '1 for a machine that is connected and ready, 0 for one that is not.',
    labels: ['worker'],
    read: () => enrolled().map((worker) => [{ worker: worker.id }, view(worker).session === 'ready' ? 1 : 0] as const),
  })
  addGauge({
    name: 'studio_worker_tasks',
    help: 'Tasks that a machine works on.',
    labels: ['worker'],
    read: () =>
      enrolled().map((worker) => [{ worker: worker.id }, [...view(worker).held.values()].reduce((sum, held) => sum + held, 0)] as const),
  })
  addGauge({
    name: 'studio_worker_gpu_memory_bytes',
    help: 'Memory of the GPUs of a connected machine that engines can use.',
    labels: ['worker', 'gpu', 'kind'],
    read: () =>
      [...machines.all()].flatMap(({ workerId: worker, gpus }) =>
        gpus().flatMap(({ memory_bytes: size, free_memory_bytes: free }, at) => [
          [{ worker, gpu: String(at), kind: 'size' }, size] as const,
          [{ worker, gpu: String(at), kind: 'free' }, free] as const,
        ]),
      ),
  })
  /** Id of a machine -> abilities that have a series. */
  const listed = new Map<string, Set<string>>()
  const mayList = (worker: string, ability: string): boolean => {
    const own = listed.get(worker) ?? new Set<string>()
    listed.set(worker, own)
    if (own.size < MOST_ABILITIES) own.add(ability)
    return own.has(ability)
  }
  addGauge({
    name: 'studio_worker_seconds_per_unit',
    help: `Measured working time of a machine for a unit of work (a character, or a second of sound), for the models that it has in memory: the first ${MOST_ABILITIES} that it had since the start of the studio.`,
    labels: ['worker', 'ability'],
    read() {
      const present = enrolled()
      const ids = new Set(present.map(({ id }) => id))
      for (const id of listed.keys()) if (!ids.has(id)) listed.delete(id)
      return present.flatMap((worker) =>
        [...view(worker).abilities].flatMap(([ability, { resident, msPerUnit }]) =>
          resident && mayList(worker.id, ability) ? [[{ worker: worker.id, ability }, msPerUnit / 1000] as const] : [],
        ),
      )
    },
  })
  addGauge({
    name: 'studio_queue_oldest_seconds',
    help: 'Age of the oldest task that waits for a place, by engine; absent if none waits.',
    labels: ['engine'],
    read() {
      const oldest = new Map<string, number>()
      for (const { spec, task, createdAt } of ledger.live())
        if (task.phase === WAITING) oldest.set(spec.engine, Math.min(createdAt, oldest.get(spec.engine) ?? createdAt))
      return [...oldest].map(([engine, since]) => [{ engine }, Math.max(0, clock.now() - since) / 1000] as const)
    },
  })
  addGauge({
    name: 'studio_jobs',
    help: 'Jobs by status, with those that ended.',
    labels: ['status'],
    read: async () => Object.entries(await jobs.counts(ALL_JOBS)).map(([status, count]) => [{ status }, count] as const),
  })
  addGauge({
    name: 'studio_notices',
    help: 'Notices for the owner, by level.',
    labels: ['level'],
    async read() {
      const present = await notices()
      return LEVELS.map((level) => [{ level }, present.filter((one) => one.level === level).length] as const)
    },
  })
  addBackups(addGauge, backups)
}

type AddGauge = <L extends string>(source: GaugeSource<L>) => void
function addBackups(addGauge: AddGauge, backups: Parts['backups']): void {
  addGauge({
    name: 'studio_backup_last_success_timestamp_seconds',
    help: 'Time of the newest whole backup in the folder backups of the data folder; absent without one.',
    labels: [],
    read() {
      const at = backups()?.lastSuccess ?? null
      return at === null ? [] : [[{}, at / 1000]]
    },
  })
  addGauge({
    name: 'studio_backup_interval_seconds',
    help: 'Time between two backups of the schedule; absent without one.',
    labels: [],
    read() {
      const ms = backups()?.intervalMs ?? null
      return ms === null ? [] : [[{}, ms / 1000]]
    },
  })
  addGauge({
    name: 'studio_backup_failures',
    help: 'Backups of the schedule that failed since the start.',
    labels: [],
    read: () => [[{}, backups()?.failures ?? 0]],
  })
}
