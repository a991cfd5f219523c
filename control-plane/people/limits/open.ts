// The limits of people, which are loaded for the first person that needs them: a studio without people loads none of it at its start.
import { type Client, currentClient, payerOf } from '#control-plane/clients/client.ts'
import type { Database } from '#control-plane/store/database.ts'
import type { DiskQuota } from '#control-plane/store/disk-budget.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { Admission } from '#control-plane/tasks/record.ts'
import type { PersonLimits } from '#shared/protocol/access/person.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Devices, PeopleLimits, UseNow } from './people-limits.ts'

export type OpenedLimits = Awaited<ReturnType<typeof openPeopleLimits>>
type Deps = {
  readonly db: Database
  readonly dataDir: string
  readonly ledger: Pick<Ledger, 'onStaged' | 'onUndone' | 'live'>
  readonly marks: Pick<AttemptMarks, 'get'>
  readonly commits: Pick<GroupCommit, 'stage'>
  readonly clock: Pick<Clock, 'now' | 'mono' | 'after'>
  /** The limits of a person, as they are now; null for an unknown one. */
  readonly limitsOf: (personId: string) => PersonLimits | null
}

export async function openPeopleLimits(deps: Deps) {
  let opened: PeopleLimits | null = null
  let opening: Promise<PeopleLimits> | null = null
  let devices: Devices | null = null

  async function make(): Promise<PeopleLimits> {
    const [{ createPeopleLimits }, { createPersonUsage }, { createPersonDisk }] = await Promise.all([
      import('./people-limits.ts'),
      import('./person-usage.store.ts'),
      import('./person-disk.store.ts'),
    ])
    const usage = createPersonUsage(deps)
    const limits = createPeopleLimits({ ...deps, usage, bytesOf: createPersonDisk(deps).bytesOf })
    if (devices) limits.connect(devices)
    opened = limits
    return limits
  }
  const load = (): Promise<PeopleLimits> => (opening ??= make())
  const isPerson = (client: Pick<Client, 'source'>): boolean => payerOf(client) !== null

  // Their reservations and their use are followed from the start.
  if ([...deps.ledger.live()].some(({ spec }) => spec.client && isPerson(spec.client))) await load()

  function machinesOf(client: Pick<Client, 'source'>): readonly string[] | null {
    const personId = payerOf(client)
    return personId === null ? null : (deps.limitsOf(personId)?.machines ?? null)
  }
  /** The limits, for a client whose `ready` has resolved; null for one that is no person. */
  const of = (client: Client): PeopleLimits | null => (isPerson(client) ? opened! : null)
  const admission: Admission = {
    ready: (client) => (opened || !isPerson(client) ? null : load()),
    check: (client, spec) => of(client)?.admission.check(client, spec),
    machinesOf,
    untilFree: async (client, ms, signal) => {
      if (isPerson(client)) await (await load()).admission.untilFree(client, ms, signal)
    },
  }
  const uploads: DiskQuota = {
    expect: async (client, bytes) => void (isPerson(client) && (await load()).uploads.refuse(client, bytes)),
    async take(client, bytes) {
      if (!isPerson(client)) return
      const { uploads: quota } = await load()
      quota.refuse(client, bytes)
      quota.take(client, bytes)
    },
    giveBack: (client, bytes) => opened?.uploads.take(client, -bytes),
  }

  return {
    admission,
    /** True if tasks of the current client may run on this machine. */
    mayUse: (workerId: string): boolean => machinesOf(currentClient())?.includes(workerId) !== false,
    uploads,
    /** The devices of the machines, which are known later than tasks are read. */
    connect(known: Devices): void {
      devices = known
      opened?.connect(known)
    },
    /** Call it when the limits of a person have changed: work that waits for them tries again. */
    changed: (personId: string): void => opened?.changed(personId),
    /** Ids of the live tasks that the person asked for itself. */
    tasksOf: (personId: string): readonly string[] => opened?.tasksOf(personId) ?? [],
    /** Ids of the live tasks of people that have ended, at the start of the studio. */
    tasksOfEnded: (): readonly string[] => opened?.tasksOfEnded() ?? [],
    /** Use of the limits by a person now. */
    useOf: async (personId: string): Promise<UseNow> => (await load()).useOf(personId),
  }
}
