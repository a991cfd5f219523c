// Places among the unfinished jobs of each type, so that no client fills the queue of the others.
import { type Client, currentClient } from '#control-plane/clients/client.ts'
import { refusalOf } from '#control-plane/clients/places.ts'
import type { HeldShare } from '#control-plane/clients/share.ts'
import { ENDED } from '../job.ts'
import type { JobType } from '../job-type.ts'
import type { LiveJob } from './live-job.ts'

/** A place for a job that is about to be created. */
export type Reservation = { readonly client: Client; readonly giveBack: () => void }
type Deps = { readonly types: ReadonlyMap<string, JobType>; readonly live: ReadonlyMap<string, Pick<LiveJob, 'client' | 'record'>> }

const UNFINISHED_PER_CLIENT = 1_000

export function createReservations({ types, live }: Deps) {
  const reserved = new Set<{ readonly type: string; readonly client: Client }>()

  function unfinishedOf(type: string, { source, name }: Client): HeldShare {
    const clients: Client[] = []
    for (const { client, record } of live.values()) {
      const { type: other, job } = record()
      if (other === type && !ENDED.has(job.status)) clients.push(client)
    }
    for (const one of reserved) if (one.type === type) clients.push(one.client)
    const count = (test: (client: Client) => boolean) => clients.filter(test).length
    return {
      own: count((client) => client.name === name),
      source: count((client) => client.source === source),
      all: count((client) => !client.isOwner),
    }
  }

  /** Reserves a place for the current client. Throws QUEUE_FULL. */
  return (type: string): Reservation => {
    const client = currentClient()
    const perClient = types.get(type)?.unfinishedPerClient ?? UNFINISHED_PER_CLIENT
    const full = refusalOf(client, unfinishedOf(type, client), { perClient, what: 'unfinished jobs of this kind' })
    if (full) throw full
    const entry = { type, client }
    reserved.add(entry)
    return { client, giveBack: () => void reserved.delete(entry) }
  }
}
