// Rows that a pool keeps instead of files: sealed keys, and the files of its bucket that something names. Each write is conditional on the term.
import type { Hold } from './hold.ts'
import type { Ask } from './read/task-reads.ts'

/** Bytes that only a process with the key of this id can open. */
export type KeptKeyRow = { readonly keyId: string; readonly bytes: Buffer }
export type KeptArtifactRow = {
  readonly digest: string
  readonly bytes: number
  /** Epoch ms. */
  readonly keptUntil: number
  /** leaving: the file is being removed, and the row after it. */
  readonly state: 'kept' | 'leaving'
}

const HELD = 'c as materialized (select term from cell where id = $1 and term = $2 and writer = $3 for share)'
type Deps = { readonly ask: Ask; readonly hold: Hold }

/** A write that says if this process still had the cell. */
function conditional({ ask, hold }: Deps) {
  return async (text: string, values: readonly unknown[]): Promise<boolean> => {
    const { cell, term, writer } = hold.fence()
    const rows = await ask({ text: `with ${HELD}, done as (${text}) select term from c`, values: [cell, term, writer, ...values] })
    return rows.length === 1
  }
}

/** The functions that write resolve with false when another process has the cell. */
export function createSealedRows(deps: Deps) {
  const write = conditional(deps)
  const { cell } = deps.hold.fence()
  return {
    async read(name: string): Promise<KeptKeyRow | null> {
      const text = 'select key_id as "keyId", bytes from sealed where cell = $1 and name = $2'
      return (await deps.ask<KeptKeyRow>({ text, values: [cell, name] }))[0] ?? null
    },
    write: (name: string, { keyId, bytes }: KeptKeyRow) =>
      write(
        `insert into sealed (cell, name, key_id, bytes) select $1::text, $4::text, $5::text, $6::bytea from c
         on conflict (cell, name) do update set key_id = excluded.key_id, bytes = excluded.bytes`,
        [name, keyId, bytes],
      ),
    /** Names that begin with `prefix`, in order. */
    async list(prefix: string): Promise<string[]> {
      const text = 'select name from sealed where cell = $1 and starts_with(name, $2) order by name collate "C"'
      return (await deps.ask<{ name: string }>({ text, values: [cell, prefix] })).map(({ name }) => name)
    },
    remove: (name: string) => write('delete from sealed where cell = $1 and name = $4 and exists (select from c)', [name]),
  }
}

/** The functions that write resolve with false when another process has the cell. */
export function createArtifactRows(deps: Deps) {
  const write = conditional(deps)
  const { cell } = deps.hold.fence()
  const columns = 'digest, bytes, kept_until as "keptUntil", state'
  return {
    async read(digest: string): Promise<KeptArtifactRow | null> {
      const text = `select ${columns} from artifact where cell = $1 and digest = $2`
      return (await deps.ask<KeptArtifactRow>({ text, values: [cell, digest] }))[0] ?? null
    },
    /** A row that exists is never kept for a shorter time than before. */
    write: ({ digest, bytes, keptUntil, state }: KeptArtifactRow) =>
      write(
        `insert into artifact (cell, digest, bytes, kept_until, state) select $1::text, $4::text, $5::bigint, $6::bigint, $7::text from c
         on conflict (cell, digest) do update set bytes = excluded.bytes, state = excluded.state,
           kept_until = greatest(artifact.kept_until, excluded.kept_until)`,
        [digest, bytes, keptUntil, state],
      ),
    /** Rows that need not be kept after `before`, the oldest first. */
    list: (before: number, limit: number): Promise<KeptArtifactRow[]> =>
      deps.ask<KeptArtifactRow>({
        text: `select ${columns} from artifact where cell = $1 and kept_until < $2 order by kept_until, digest limit $3`,
        values: [cell, before, limit],
      }),
    remove: (digest: string) => write('delete from artifact where cell = $1 and digest = $4 and exists (select from c)', [digest]),
  }
}
