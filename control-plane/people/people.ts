// Adds, changes and ends people and their keys. A change is in memory at once, with what it ends, and durable when the promise resolves.
import type { Audit } from '#control-plane/audit/audit.ts'
import { currentClient, type PersonSender } from '#control-plane/clients/client.ts'
import type { Database } from '#control-plane/store/database.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import { limitsIn, type PersonKeyRow, type PersonRow } from '#control-plane/store/rows.ts'
import { isLower, type PersonLimits } from '#shared/protocol/access/person.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createIdentities, identityIn } from './identities.ts'
import { createLiveKeys, signInsOf } from './live-keys.ts'
import { createPeopleStore } from './people.store.ts'
import {
  beginOf,
  changedRow,
  digestOfKey,
  foldedName,
  isLive,
  isOtherSignIn,
  KEY_BYTES,
  type NewPerson,
  newRow,
  type PersonChange,
  personKeyOf,
} from './person.rules.ts'

export type PeopleDeps = {
  readonly db: Database
  readonly commits: Pick<GroupCommit, 'stage' | 'settled'>
  readonly audit: Pick<Audit, 'record'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: Random
}
export type People = ReturnType<typeof createPeople>
export type PersonWithKeys = { readonly person: PersonRow; readonly keys: readonly PersonKeyRow[] }
/** `key` is shown once. */
export type CreatedKey = { readonly row: PersonKeyRow; readonly key: string }
export type NewPersonKey = {
  readonly label: string
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null
  /** Id of a key of the same person that this one replaces, and the seconds for which the old one still works. */
  readonly replaces?: { readonly id: string; readonly endsIn: number }
}

export const MOST_PEOPLE = 1_000
export const MOST_KEYS = 20
/** Most people in a list that have ended; the table keeps all. */
const MOST_ENDED = 1_000
const ID_BYTES = 8

// Long factory: every method reads or changes the same rows, with the signals that end with them.
export function createPeople({ db, commits, audit, clock, random }: PeopleDeps) {
  const store = createPeopleStore({ db, commits })
  const live = createLiveKeys({ store, clock })
  const identities = createIdentities({ store, live, audit, commits })
  const by = () => ({ by: currentClient().id })

  /** Throws NOT_FOUND for an unknown person and for one that has ended. */
  function require(id: string): PersonRow {
    const person = store.person(id)
    if (person?.ended_at === null) return person
    throw new Failure('NOT_FOUND', person ? 'This person has ended already.' : 'There is no person with this id.')
  }

  /** Throws CONFLICT for a name that another person has. */
  function requireFree(name: string, id: string | null): void {
    const other = store.named(foldedName(name))
    if (other !== undefined && other !== id)
      throw new Failure(
        'CONFLICT',
        'There is a person with this name already. Choose another name, or create a further key of that person.',
      )
  }

  function createKey(personId: string, { label, expiresAt }: Omit<NewPersonKey, 'replaces'>): CreatedKey {
    const key = personKeyOf(random.bytes(KEY_BYTES))
    const row: PersonKeyRow = {
      id: random.hex(ID_BYTES),
      person_id: personId,
      label,
      digest: digestOfKey(key),
      begins: beginOf(key),
      created_at: clock.now(),
      expires_at: expiresAt,
      used_at: null,
      ended_at: null,
    }
    store.putKey(row)
    return { row, key }
  }

  /** `endsIn`: seconds for which it still works. */
  function endKeyIn(row: PersonKeyRow, endsIn: number): void {
    const at = clock.now() + endsIn * 1000
    if (endsIn > 0) {
      store.putKey({ ...row, expires_at: Math.min(row.expires_at ?? at, at) })
      live.watch(row.id)
    } else {
      store.putKey({ ...row, ended_at: at })
      live.end(row.id)
    }
  }

  const withKeys = (person: PersonRow): PersonWithKeys => ({
    person,
    keys: store.keysOf(person.id).sort((one, other) => other.created_at - one.created_at),
  })

  return {
    /** By name. `ended`: with the newest of those that have ended. */
    list: (ended = false): PersonWithKeys[] =>
      [...store.all()]
        .filter(({ ended_at }) => ended || ended_at === null)
        .sort((one, other) => (other.ended_at ?? Number.MAX_SAFE_INTEGER) - (one.ended_at ?? Number.MAX_SAFE_INTEGER))
        .slice(0, store.count() + MOST_ENDED)
        .sort((one, other) => (one.folded < other.folded ? -1 : one.folded > other.folded ? 1 : one.created_at - other.created_at))
        .map(withKeys),
    /** Also of a person that has ended; null for an unknown one. */
    read(id: string): PersonWithKeys | null {
      const person = store.person(id)
      return person ? withKeys(person) : null
    },
    /** Null for an unknown person, and for one that has ended. */
    limitsOf(id: string): PersonLimits | null {
      const person = store.person(id)
      return person?.ended_at === null ? limitsIn(person) : null
    },
    /** Expiry of a key in epoch milliseconds; null: never. */
    expiryOf: (keyId: string): number | null => store.key(keyId)?.expires_at ?? null,
    /** The sender of a key; null for a wrong one, and for one that has ended or expired. */
    find: (key: string): PersonSender | null => live.find(digestOfKey(key)),

    /** Throws CONFLICT for a name that is taken and for too many people, STORAGE_FULL. */
    async add(wanted: NewPerson, expiresAt: number | null): Promise<PersonWithKeys & { readonly key: string }> {
      if (store.count() >= MOST_PEOPLE)
        throw new Failure('CONFLICT', `There are ${MOST_PEOPLE} people, and a studio has no more. End those that no longer use it.`)
      requireFree(wanted.name, null)
      const person = newRow(random.hex(ID_BYTES), wanted, clock.now())
      identities.requireOwn(person)
      store.put(person)
      const { row, key } = createKey(person.id, { label: '', expiresAt })
      audit.record('person-add', person.id, { ...by(), name: person.name, role: person.role, key: row.id, ...identityIn(person) })
      await commits.settled()
      return { person, keys: [row], key }
    },

    /** Throws NOT_FOUND, CONFLICT for a name that is taken, STORAGE_FULL. */
    async change(id: string, change: PersonChange): Promise<PersonWithKeys> {
      const before = require(id)
      const person = changedRow(before, change)
      requireFree(person.name, id)
      identities.requireOwn(person)
      store.put(person)
      const isLowered = isLower(person.role, before.role)
      const isOther = isOtherSignIn(person, before)
      if (isLowered) for (const { id: key } of store.keysOf(id)) live.end(key)
      if (isLowered || isOther) live.end(signInsOf(id))
      audit.record('person-change', id, {
        ...by(),
        name: person.name,
        role: person.role,
        before: before.role,
        ...limitsIn(person),
        ...(isOther && identityIn(person)),
      })
      await commits.settled()
      return withKeys(person)
    },

    /** Ends all of its keys as well. Throws NOT_FOUND, STORAGE_FULL. */
    async end(id: string): Promise<void> {
      const person = require(id)
      store.put({ ...person, ended_at: clock.now() })
      for (const key of store.keysOf(id)) endKeyIn(key, 0)
      live.end(signInsOf(id))
      audit.record('person-end', id, { ...by(), name: person.name })
      await commits.settled()
    },

    /** Throws NOT_FOUND, also for a key to replace that is not one of this person; CONFLICT for too many keys; STORAGE_FULL. */
    async addKey(id: string, { replaces, ...wanted }: NewPersonKey): Promise<CreatedKey> {
      require(id)
      const old = replaces && requireKey(id, replaces.id)
      for (const one of store.keysOf(id)) if (one !== old && !isLive(one, clock.now())) endKeyIn(one, 0)
      const remains = !old || replaces.endsIn > 0
      if (remains && store.keysOf(id).length >= MOST_KEYS)
        throw new Failure('CONFLICT', `A person has ${MOST_KEYS} keys at most. End one that is no longer used.`)
      const created = createKey(id, wanted)
      if (old) endKeyIn(old, replaces.endsIn)
      audit.record('key-add', id, { ...by(), key: created.row.id, ...(old && { replaces: old.id, ends_in: replaces.endsIn }) })
      await commits.settled()
      return created
    },

    signIn: identities.signIn,
    /** Ends the sign-ins without a key of all people. */
    endSignIns: identities.end,

    /** Throws NOT_FOUND, STORAGE_FULL. */
    async endKey(id: string, keyId: string): Promise<void> {
      require(id)
      endKeyIn(requireKey(id, keyId), 0)
      audit.record('key-end', id, { ...by(), key: keyId })
      await commits.settled()
    },
  }

  function requireKey(id: string, keyId: string): PersonKeyRow {
    const key = store.key(keyId)
    if (key?.person_id !== id) throw new Failure('NOT_FOUND', 'This person has no such key, or the key has ended already.')
    return key
  }
}
