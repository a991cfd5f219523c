// Records which client made an object. The maker is stored before the object, so that a kill in between leaves no object that its maker
// cannot reach.

import { type Client, currentViewer, payerOf } from '#control-plane/clients/client.ts'
import { type ClientId, MADE_KINDS, type MadeKind, OWNER_ID, personIn } from '#shared/protocol/access/client.ts'
import { type PersonRole, seesAll } from '#shared/protocol/access/person.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Database, storageChecked } from '../database.ts'

export type Makers = ReturnType<typeof createMakers>
type Deps = { readonly db: Database; readonly clock: Pick<Clock, 'now'> }

/** The tables of each kind, and the column that has its id. */
const PLACES: Readonly<Record<MadeKind, readonly (readonly [table: string, column: string])[]>> = {
  take: [['generation_history', 'id']],
  project: [['studio_projects', 'id']],
  voice: [['voice_profile', 'id']],
  clip: [['gallery_clip', 'id']],
  term: [['glossary_terms', 'id']],
  dub: [
    ['dub', 'id'],
    ['dub_batch', 'id'],
  ],
  job: [
    ['job', 'id'],
    ['longform_book', 'job_id'],
  ],
  export: [['export_history', 'id']],
}
/** The object may not be stored yet. */
const KEPT_MS = 24 * 60 * 60_000

/** A condition on rows of this kind: those that the client `@viewer` made, or all if it is null. */
export const seenBy = (kind: MadeKind, column = 'id'): string =>
  `(@viewer is null or ${column} in (select made_by.id from made_by where made_by.client = @viewer and made_by.kind = '${kind}'))`

/** A condition on rows of voices or clips: those that `isHidden` does not hide from the client `@viewer`, or all if it is null. `column`: with its table */
export const notHiddenFrom = (kind: 'voice' | 'clip', column: string): string =>
  `(@viewer is null or not exists (select 1 from made_by where made_by.kind = '${kind}' and made_by.id = ${column} and made_by.client <> @viewer
    and (@viewer glob 'person:*' or made_by.client glob 'person:*')))`

/** Throws STORAGE_FULL from the functions that write. */
export function createMakers({ db, clock }: Deps) {
  const roleOf = db.prepare<[string], PersonRole>('select role from person where id = ? and ended_at is null').pluck()
  const endOf = db.prepare<[string], number | null>('select ended_at from person where id = ?').pluck()
  const find = db.prepare<[MadeKind, string], ClientId>('select client from made_by where kind = ? and id = ?').pluck()
  const put = db.prepare('insert or replace into made_by (kind, id, client, made_at) values (?, ?, ?, ?)')
  const drop = db.prepare('delete from made_by where kind = ? and id = ?')
  const existsIn = (kind: MadeKind, id: string): string =>
    PLACES[kind].map(([table, column]) => `exists (select 1 from ${table} where ${column} = ${id})`).join(' or ')
  const stored = new Map(MADE_KINDS.map((kind) => [kind, db.prepare<{ id: string }, 0 | 1>(`select ${existsIn(kind, '@id')}`).pluck()]))
  const forget = MADE_KINDS.map((kind) =>
    db.prepare<[number]>(`delete from made_by where kind = '${kind}' and made_at < ? and not (${existsIn(kind, 'made_by.id')})`),
  )
  const forgetAll = db.transaction((before: number) => {
    for (const one of forget) one.run(before)
  })

  // Without people no voice is looked up.
  let havePeople = db.prepare("select 1 from made_by where client >= 'person:' and client < 'person;' limit 1").get() !== undefined
  const mayHide = (viewer: ClientId): boolean => havePeople || personIn(viewer) !== null

  function record(kind: MadeKind, id: string, client: ClientId): void {
    havePeople ||= personIn(client) !== null
    if ((find.get(kind, id) ?? OWNER_ID) === client) return
    storageChecked('The maker could not be stored', () =>
      client === OWNER_ID ? drop.run(kind, id) : put.run(kind, id, client, clock.now()),
    )
  }

  function isForeign(kind: MadeKind, id: string, client: ClientId): boolean {
    const maker = find.get(kind, id)
    return maker === undefined ? client !== OWNER_ID && stored.get(kind)!.get({ id }) === 1 : maker !== client
  }

  return {
    /** The owner for an unknown object. */
    makerOf: (kind: MadeKind, id: string): ClientId => find.get(kind, id) ?? OWNER_ID,
    /** True if another client made this object. False for an object that does not exist. */
    isForeign,
    /** Throws FORBIDDEN for an object that another client than the current one made, unless this is the owner. */
    requireMaker(kind: MadeKind, id: string): void {
      const viewer = currentViewer()
      if (viewer !== null && isForeign(kind, id, viewer))
        throw new Failure(
          'FORBIDDEN',
          `Another client of this studio made this ${kind}. Only that client and the owner may use this route with it.`,
        )
    },
    /** True for a person whose role shows it the objects of all clients. */
    seesAll(client: ClientId): boolean {
      const person = personIn(client)
      return person !== null && seesAll(roleOf.get(person) ?? 'create')
    },
    /** True for work that a person has asked for whose access has ended since. */
    hasEnded(client: Pick<Client, 'source'>): boolean {
      const person = payerOf(client)
      // Work on the objects of a person that another client has asked for, such as the owner, goes on.
      return person !== null && typeof endOf.get(person) === 'number'
    },
    /**
     * True for a voice or a clip that the current client may not use. Those of the owner are for all clients; those of a person are for that
     * person and for those who see everything; a person does not see those of other clients.
     */
    isHidden(kind: MadeKind, id: string): boolean {
      const viewer = currentViewer()
      if (viewer === null || !mayHide(viewer)) return false
      const maker = find.get(kind, id) ?? OWNER_ID
      return maker !== viewer && maker !== OWNER_ID && (personIn(viewer) !== null || personIn(maker) !== null)
    },
    /** True if some voices or clips may be hidden from the current client. */
    hidesSome(): boolean {
      const viewer = currentViewer()
      return viewer !== null && mayHide(viewer)
    },
    /** Call with a new id, before the object is stored. */
    record,
    /** Forgets the makers of objects that no longer exist. */
    forgetGone: (): void => storageChecked('Makers could not be removed', () => forgetAll(clock.now() - KEPT_MS)),
  }
}
