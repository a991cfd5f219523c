// The table of projects.

import { type Database, storageChecked } from '#control-plane/store/database.ts'
import { seenBy } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { ListedProject } from './projects.contract.ts'

/** `kind`: '' for none. `revision`: number of saves, from 1. */
type Saved = { readonly kind: string; readonly revision: number }
export type StoredProject = Omit<ListedProject, keyof Saved> & Saved & { readonly audio_path: string | null; readonly state_json: string }
export type ProjectUses = {
  readonly project_id: string
  readonly project_name: string
  readonly segment_count: number
  readonly updated_at: number
}
/** A row as clients read it: those that gave no kind expect the fields of the specification. */
const rowOf = <Row extends Saved>({ kind, revision, ...row }: Row) => ({ ...row, ...(kind !== '' && { kind, revision }) })

export type ProjectStore = ReturnType<typeof createProjectStore>

/** Throws STORAGE_FULL from the functions that write. */
export function createProjectStore({ db }: { readonly db: Database }) {
  type Viewed = { readonly viewer: ClientId | null }
  const list = db.prepare<Viewed, Omit<ListedProject, keyof Saved> & Saved>(
    `select id, name, video_path, duration, created_at, updated_at, kind, revision from studio_projects where ${seenBy('project')} order by updated_at desc, rowid desc`,
  )
  const count = db.prepare<[], number>('select count(*) from studio_projects').pluck()
  // Reads no page of the states.
  const bytes = db.prepare<[string], number>('select coalesce(sum(octet_length(state_json)), 0) from studio_projects where id <> ?').pluck()
  const byId = db.prepare<[string], StoredProject>('select * from studio_projects where id = ?')
  const saved = db.prepare<[string], Saved>('select kind, revision from studio_projects where id = ?')
  const known = db.prepare<[string], number>('select 1 from studio_projects where id = ?').pluck()
  const ids = db
    .prepare<Viewed, string>(`select id from studio_projects where ${seenBy('project')} order by updated_at desc, rowid desc`)
    .pluck()
  // The JSON was written without spaces, so a text search finds every use.
  const uses = db.prepare<[string, string, string], ProjectUses>(`select id as project_id, name as project_name, updated_at,
    (octet_length(state_json) - octet_length(replace(state_json, ?, ''))) / octet_length(?) as segment_count from studio_projects where id = ?`)
  const insert =
    db.prepare(`insert into studio_projects (id, name, video_path, audio_path, duration, created_at, updated_at, state_json, kind)
    values (@id, @name, @video_path, @audio_path, @duration, @created_at, @updated_at, @state_json, @kind)`)
  const replace = db.prepare(`update studio_projects set name = @name, video_path = @video_path, audio_path = @audio_path,
    duration = @duration, updated_at = @updated_at, state_json = @state_json, revision = revision + 1
    where id = @id and (@read is null or revision = @read)`)
  const rename = db.prepare('update studio_projects set name = @name, updated_at = @updated_at, revision = revision + 1 where id = @id')
  const changes = (run: () => { changes: number }) => storageChecked('The project could not be stored', run).changes === 1

  return {
    /** Newest change first. `viewer`: only projects that this client made; null for all. */
    list: (viewer: ClientId | null): ListedProject[] => list.all({ viewer }).map(rowOf),
    count: (): number => count.get()!,
    /** Bytes of all states but the one of this project. */
    bytesWithout: (id: string): number => bytes.get(id)!,
    saved: (id: string): Saved | null => saved.get(id) ?? null,
    has: (id: string): boolean => known.get(id) !== undefined,
    find: (id: string): StoredProject | null => byId.get(id) ?? null,
    /** The projects whose state names this voice, the last changed one first, with the number of places. Lets other work run in between. */
    async segmentsOf(profileId: string, viewer: ClientId | null): Promise<ProjectUses[]> {
      const needle = `"profile_id":${JSON.stringify(profileId)}`
      const found: ProjectUses[] = []
      for (const id of ids.all({ viewer })) {
        const row = uses.get(needle, needle, id)
        if (row && row.segment_count > 0) found.push(row)
        await nextTurn()
      }
      return found
    },
    add: (project: Omit<StoredProject, 'revision'>): void => void changes(() => insert.run(project)),
    /** `read`: the revision that it must have, null for any. False when no such project exists; so does the next. */
    replace: (project: Omit<StoredProject, 'created_at' | keyof Saved> & { readonly read: number | null }): boolean =>
      changes(() => replace.run(project)),
    rename: (id: string, name: string, updated_at: number): boolean => changes(() => rename.run({ id, name, updated_at })),
  }
}
