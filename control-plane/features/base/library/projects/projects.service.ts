// The actions of clients on projects.

import type { Bus } from '#control-plane/events/bus.ts'
import type { Bin } from '#control-plane/store/files/bin.ts'
import type { BinnedRows } from '#control-plane/store/sqlite/binned-rows.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { newId } from '../new-id.ts'
import { type Project, type ProjectBody, type ProjectReplacement, STATE_BYTES } from './projects.contract.ts'
import type { ProjectStore } from './projects.store.ts'

const MAX_PROJECTS = 10_000
/** Limit for all states together: every client may create projects, and a full disk would stop the studio. */
const MAX_BYTES = 8 * 1024 ** 3

const BATCH_BYTES = 8

type Deps = {
  readonly store: ProjectStore
  readonly binned: BinnedRows
  /** It has no files of projects, only the time for which they can come back. */
  readonly bin: Pick<Bin, 'put'>
  readonly makers: Pick<Makers, 'record'>
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
  readonly mostBytes?: number
}
export type Projects = ReturnType<typeof createProjects>

/** The functions that write throw STORAGE_FULL; those that take an id throw NOT_FOUND, except `remove`. */
export function createProjects({ store, binned, bin, makers, bus, clock, random, mostBytes = MAX_BYTES }: Deps) {
  const publish = (action: string, id: string) => bus.publish({ kind: 'projects', action, id })
  const seconds = () => clock.now() / 1000
  function stored(id: string, state: ProjectBody['state']): string {
    const json = serialised(state)
    const bytes = store.bytesWithout(id) + Buffer.byteLength(json)
    if (bytes > mostBytes)
      throw new Failure(
        'CONFLICT',
        `The states of all projects may have ${mostBytes} bytes together. Delete the projects that are not needed.`,
      )
    // Deleted ones fill no disk.
    if (bytes + binned.bytes() > mostBytes) binned.forgetAll()
    return json
  }

  const isKnown = (id: string): boolean => store.has(id) || binned.isVisible(id, null)

  function add(id: string, { state, kind = '', ...fields }: ProjectBody, madeBy: ClientId) {
    const state_json = stored('', state)
    if (store.count() >= MAX_PROJECTS)
      throw new Failure('CONFLICT', `There are already ${MAX_PROJECTS} projects. Delete the ones that are not needed.`)
    const now = seconds()
    makers.record('project', id, madeBy)
    store.add({ id, ...fields, kind, created_at: now, updated_at: now, state_json })
    publish('created', id)
    return { id, name: fields.name, created_at: now, ...revisionOf(id) }
  }

  /** For projects that have a kind. */
  const revisionOf = (id: string) => {
    const saved = store.saved(id)
    return saved && saved.kind !== '' ? { revision: saved.revision } : {}
  }

  return {
    list: store.list,
    /** Throws NOT_FOUND. */
    require(id: string): void {
      if (!store.has(id)) throw unknown()
    },
    read(id: string): Project {
      const found = store.find(id)
      if (!found) throw unknown()
      const { kind, revision, ...row } = found
      return { ...row, ...(kind !== '' && { kind, revision }), state: stateOf(found.state_json) }
    },
    isKnown,
    /** An id for `keep`. */
    freeId: () => newId(random, isKnown),
    /** Throws BODY_TOO_LARGE for the state, CONFLICT when there are too many projects or their states are too large together. */
    create: (body: ProjectBody, madeBy: ClientId) => add(newId(random, isKnown), body, madeBy),
    /** Creates a project under an id that was chosen before. An existing one is unchanged, and a deleted one comes back. Throws as `create`. */
    keep(id: string, body: ProjectBody, madeBy: ClientId): void {
      if (store.has(id)) return
      if (!binned.isVisible(id, null)) return void add(id, body, madeBy)
      binned.restore(id, clock.now())
      publish('restored', id)
    },
    /** Throws BODY_TOO_LARGE for the state, CONFLICT when the states are too large together, or for a project that was saved since `revision`. */
    replace(id: string, { state, revision, ...fields }: ProjectReplacement) {
      const updated_at = seconds()
      if (!store.replace({ id, ...fields, updated_at, state_json: stored(id, state), read: revision ?? null })) {
        if (!store.has(id)) throw unknown()
        throw new Failure('CONFLICT', 'This project was saved elsewhere since you read it. Read it again, then save what you want to keep.')
      }
      publish('updated', id)
      return { id, name: fields.name, updated_at, ...revisionOf(id) }
    },
    /** Throws BAD_REQUEST for a blank name. */
    rename(id: string, wanted: string) {
      const name = wanted.trim()
      if (name === '') throw new Failure('BAD_REQUEST', 'The name of a project must not be blank.')
      const updated_at = seconds()
      if (!store.rename(id, name, updated_at)) throw unknown()
      publish('renamed', id)
      return { id, name, updated_at, ...revisionOf(id) }
    },
    /** The project is gone at once, and can come back for a minute. Throws STORAGE_FULL. */
    async remove(id: string) {
      if (!store.has(id)) return { deleted: id }
      const batch = random.hex(BATCH_BYTES)
      const removed = bin.put({ files: [], remove: () => binned.remove(id, batch), forget: () => binned.forget(batch) })
      publish('deleted', id)
      await removed
      return { deleted: id }
    },
    /** A project that is there already is no error: the request may have been sent twice. Throws NOT_FOUND for one that cannot come back, STORAGE_FULL. */
    undelete(id: string, viewer: ClientId | null) {
      if (store.has(id)) return { id, restored: true as const }
      if (!binned.isVisible(id, viewer))
        throw new Failure(
          'NOT_FOUND',
          'This project cannot come back. A deleted project is kept for 60 seconds, until the studio starts again.',
        )
      binned.restore(id, clock.now())
      publish('restored', id)
      return { id, restored: true as const }
    },
  }
}

const unknown = () => new Failure('NOT_FOUND', 'Project not found')

function serialised(state: ProjectBody['state']): string {
  const json = JSON.stringify(state)
  const bytes = Buffer.byteLength(json)
  if (bytes <= STATE_BYTES) return json
  throw new Failure(
    'BODY_TOO_LARGE',
    `The state of the project has ${bytes} bytes as JSON and may have ${STATE_BYTES}. Keep media outside of the state.`,
  )
}

/** An empty object for a text that is no JSON object, which other versions may have stored. */
function stateOf(json: string): Project['state'] {
  try {
    const state: unknown = JSON.parse(json)
    return typeof state === 'object' && state !== null && !Array.isArray(state) ? (state as Project['state']) : {}
  } catch {
    return {}
  }
}
