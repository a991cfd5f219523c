// The rows of people and of their keys: in memory, with their writes.
import type { Database } from '#control-plane/store/database.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { PersonKeyRow, PersonRow } from '#control-plane/store/rows.ts'

export type PeopleStore = ReturnType<typeof createPeopleStore>
type Deps = { readonly db: Database; readonly commits: Pick<GroupCommit, 'stage'> }

/** Keys that have ended are not read: the table keeps them for the owner of the database only. */
export function createPeopleStore({ db, commits }: Deps) {
  const people = new Map(
    db
      .prepare<[], PersonRow>('select * from person')
      .all()
      .map((row) => [row.id, row]),
  )
  const keys = new Map(
    db
      .prepare<[], PersonKeyRow>('select * from person_key where ended_at is null')
      .all()
      .map((row) => [row.id, row]),
  )
  const byDigest = new Map([...keys.values()].map(({ digest, id }) => [digest, id]))
  const keysOf = Map.groupBy(keys.keys(), (id) => keys.get(id)!.person_id) as Map<string, string[]>
  const byName = new Map([...people.values()].flatMap(({ folded, id, ended_at }) => (ended_at === null ? [[folded, id] as const] : [])))

  function setPerson(row: PersonRow | undefined, before: PersonRow | undefined): void {
    if (before && byName.get(before.folded) === before.id) byName.delete(before.folded)
    if (!row) return void people.delete(before!.id)
    people.set(row.id, row)
    if (row.ended_at === null) byName.set(row.folded, row.id)
  }

  function setKey(row: PersonKeyRow | undefined, before: PersonKeyRow | undefined): void {
    const { id, digest, person_id } = (row ?? before)!
    const others = (keysOf.get(person_id) ?? []).filter((one) => one !== id)
    if (row && row.ended_at === null) {
      keys.set(id, row)
      byDigest.set(digest, id)
      keysOf.set(person_id, [...others, id])
    } else {
      keys.delete(id)
      byDigest.delete(digest)
      keysOf.set(person_id, others)
    }
  }

  return {
    all: (): Iterable<PersonRow> => people.values(),
    /** People that have not ended. */
    count: (): number => byName.size,
    person: (id: string): PersonRow | undefined => people.get(id),
    /** Id of the person that has not ended and has this folded name. */
    named: (folded: string): string | undefined => byName.get(folded),
    key: (id: string): PersonKeyRow | undefined => keys.get(id),
    keyOfDigest: (digest: string): PersonKeyRow | undefined => keys.get(byDigest.get(digest) ?? ''),
    /** Keys that have not ended, oldest first. */
    keysOf: (personId: string): PersonKeyRow[] => (keysOf.get(personId) ?? []).map((id) => keys.get(id)!),
    put(row: PersonRow): void {
      const before = people.get(row.id)
      setPerson(row, before)
      commits.stage({ write: (writes) => void writes.people.set(row.id, row), undo: () => setPerson(before, row) })
    },
    /** `canWait`: nothing depends on the change before a later one is durable. */
    putKey(row: PersonKeyRow, canWait = false): void {
      const before = keys.get(row.id)
      setKey(row, before)
      commits.stage({
        write: (writes) => void writes.personKeys.set(row.id, row),
        undo: () => setKey(before, row),
        ...(canWait && { canWait: () => true }),
      })
    },
  }
}
