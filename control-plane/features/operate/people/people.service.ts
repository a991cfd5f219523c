// People in the shapes of the API.

import { type PersonSender, payerOf } from '#control-plane/clients/client.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { OpenedLimits } from '#control-plane/people/limits/open.ts'
import type { UseNow } from '#control-plane/people/limits/people-limits.ts'
import type { NewPersonKey, People, PersonWithKeys } from '#control-plane/people/people.ts'
import { expiryOf, isLive, issuerOf, type NewSignIn } from '#control-plane/people/person.rules.ts'
import type { Database } from '#control-plane/store/database.ts'
import { limitsIn } from '#control-plane/store/rows.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type {
  ChangePersonBody,
  Me,
  NewKeyBody,
  NewPersonBody,
  PersonView,
  ReplaceKeyBody,
  UsageNow,
  UsageQuery,
} from './people.contract.ts'
import { createUsageTable } from './usage.store.ts'

export type PeopleService = ReturnType<typeof createPeopleService>
type Deps = {
  readonly people: People
  readonly limits: Pick<OpenedLimits, 'changed' | 'useOf' | 'tasksOf'>
  readonly jobs: Pick<Jobs, 'active' | 'cancel'>
  readonly tasks: Pick<Tasks, 'cancel'>
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** The provider of identities; null without one. */
  readonly issuer: () => string | null
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

export function createPeopleService({ people, limits: used, jobs, tasks, db, clock, log, issuer }: Deps) {
  const usage = createUsageTable({ db })

  function viewOf({ person, keys }: PersonWithKeys): PersonView {
    const { machines, ...limits } = limitsIn(person)
    const { id, name, kind, role, created_at, ended_at } = person
    const { sign_in_email: email, sign_in_issuer: from, sign_in_subject: subject } = person
    const used = keys.flatMap(({ used_at }) => used_at ?? [])
    return {
      ...{ id, name, kind, role, limits, machines: machines && [...machines] },
      sign_in: email === null && subject === null ? null : { email, issuer: from, subject },
      created_at: created_at / 1000,
      ended_at: seconds(ended_at),
      last_used_at: used.length > 0 ? Math.max(...used) / 1000 : null,
      keys: keys.map((key) => ({
        ...{ id: key.id, label: key.label, begins: key.begins },
        created_at: key.created_at / 1000,
        expires_at: seconds(key.expires_at),
        last_used_at: seconds(key.used_at),
        expired: !isLive(key, clock.now()),
      })),
    }
  }

  /** Throws CONFLICT for an account without a provider that it could be of. */
  function signInOf(wanted: NonNullable<NewPersonBody['sign_in']>): NewSignIn {
    if ('email' in wanted) return wanted
    const from = issuer()
    if (from === null) throw new Failure('CONFLICT', 'An account belongs to a provider of identities. Set the provider first.')
    return { issuer: issuerOf(from), subject: wanted.subject }
  }

  /** Those that the person asked for. The jobs end soon after; one that has just ended is no error. */
  async function cancelJobsOf(id: string): Promise<void> {
    for (const job of jobs.active())
      if (payerOf(job) === id)
        await jobs
          .cancel(job.id)
          .catch((error: unknown) => log.warn({ job: job.id, err: String(error) }, 'a job of a person that ended could not be cancelled'))
  }

  async function addKey(id: string, wanted: NewPersonKey) {
    const { row, key } = await people.addKey(id, wanted)
    return { key_id: row.id, key, expires_at: seconds(row.expires_at) }
  }

  return {
    list: (ended: boolean): PersonView[] => people.list(ended).map(viewOf),

    async add({ limits, machines, expires_in_days, sign_in, ...wanted }: NewPersonBody): Promise<{ person: PersonView; key: string }> {
      const signIn = sign_in && signInOf(sign_in)
      const person = { ...wanted, limits: { ...limits, machines }, signIn }
      const { key, ...added } = await people.add(person, expiryOf(expires_in_days, clock.now()))
      return { person: viewOf(added), key }
    },

    async change(id: string, { name, kind, role, limits, machines, sign_in }: ChangePersonBody): Promise<PersonView> {
      const changed = {
        ...(name !== undefined && { name }),
        ...(kind !== undefined && { kind }),
        ...(role !== undefined && { role }),
        ...(sign_in !== undefined && { signIn: sign_in && signInOf(sign_in) }),
        limits: { ...given(limits ?? {}), ...(machines !== undefined && { machines }) },
      }
      const view = viewOf(await people.change(id, changed))
      used.changed(id)
      return view
    },

    async end(id: string): Promise<{ ended: string }> {
      // Its keys have ended in memory when this returns.
      const ended = people.end(id)
      await cancelJobsOf(id)
      await ended
      // No job of it begins from now on: these are of requests that had arrived before.
      await cancelJobsOf(id)
      // A request with an idempotency key goes on without its caller.
      for (const task of used.tasksOf(id)) await tasks.cancel(task)
      return { ended: id }
    },

    addKey: (id: string, { label, expires_in_days, replaces, old_ends_in }: NewKeyBody) =>
      addKey(id, {
        label,
        expiresAt: expiryOf(expires_in_days, clock.now()),
        ...(replaces !== undefined && { replaces: { id: replaces, endsIn: old_ends_in } }),
      }),

    async endKey(id: string, keyId: string): Promise<{ ended: string }> {
      await people.endKey(id, keyId)
      return { ended: keyId }
    },

    /** Throws FORBIDDEN for a sender without a key of a person. The new key expires when the old one would, so that a person does not extend its own access. */
    async replaceMyKey(person: PersonSender | null, { label, old_ends_in }: ReplaceKeyBody) {
      if (!person?.keyId)
        throw new Failure('FORBIDDEN', 'This request has no key of a person that could be replaced.', {
          hint: 'Send the key of a person, or create a key with POST /people/{person_id}/keys.',
        })
      const expiresAt = people.expiryOf(person.keyId)
      return addKey(person.id, { label, expiresAt, replaces: { id: person.keyId, endsIn: old_ends_in } })
    },

    async me({ id, keyId }: PersonSender): Promise<Me> {
      const { person } = people.read(id)!
      const { machines, ...limits } = limitsIn(person)
      const { name, role, kind } = person
      return {
        name,
        role,
        id,
        kind,
        limits,
        machines: machines && [...machines],
        expires_at: keyId === null ? null : seconds(people.expiryOf(keyId)),
        usage: useNow(await used.useOf(id)),
      }
    },

    /** CSV where the client asks for it. Throws BAD_REQUEST for too many rows. */
    async usage({ from, to, format }: UsageQuery, accept: string | undefined): Promise<Content> {
      const rows = await usage.read(from ?? null, to ?? null)
      const isCsv = format === 'csv' || (format === undefined && accept?.includes('text/csv') === true)
      return isCsv
        ? { type: 'text/csv; charset=utf-8', body: Buffer.from(usage.csv(rows)) }
        : { type: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify({ usage: rows })) }
    },
  }
}

const MINUTE_MS = 60_000
const useNow = ({ soundMs, gpuMs, tasks, bytes }: UseNow): UsageNow => ({
  sound_minutes_today: soundMs / MINUTE_MS,
  gpu_minutes_this_month: gpuMs / MINUTE_MS,
  tasks_now: tasks,
  disk_bytes: bytes,
})

/** The fields that have a value; null is one. */
const given = <T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
