// People with keys of their own. Loaded with the first use: most studios have none, and pay nothing for them.
import type { PersonSender } from '#control-plane/clients/client.ts'
import type { Database } from '#control-plane/store/database.ts'
import { limitsIn, type PersonRow } from '#control-plane/store/rows.ts'
import type { PersonLimits } from '#shared/protocol/access/person.ts'
import type { People, PeopleDeps } from './people.ts'

/** Null for an unknown person, and for one that has ended. */
function storedLimits(db: Database, personId: string): PersonLimits | null {
  const row = db.prepare<[string], PersonRow>('select * from person where id = ? and ended_at is null').get(personId)
  return row ? limitsIn(row) : null
}

export type OpenPeople = {
  readonly opened: () => Promise<People>
  /** The sender of a key; null for a wrong one, and for one that has ended or expired. */
  readonly find: (key: string) => Promise<PersonSender | null>
  /** Null for an unknown person, and for one that has ended. Also for work that continues after a restart, when no key was seen yet. */
  readonly limitsOf: (personId: string) => PersonLimits | null
}

export function openPeople(deps: PeopleDeps): OpenPeople {
  let people: People | null = null
  let opening: Promise<People> | null = null

  const open = () =>
    (opening ??= import('./people.ts').then(({ createPeople }) => {
      people = createPeople(deps)
      return people
    }))

  return {
    opened: open,
    find: async (key) => (people ?? (await open())).find(key),
    limitsOf: (id) => (people ? people.limitsOf(id) : storedLimits(deps.db, id)),
  }
}
