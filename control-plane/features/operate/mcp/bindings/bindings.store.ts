// The table of the voices of MCP clients.
import { type Database, storageChecked } from '#control-plane/store/database.ts'
import type { BindingRow } from './bindings.contract.ts'

export type BindingStore = ReturnType<typeof createBindingStore>

/** Throws STORAGE_FULL from the functions that write. */
export function createBindingStore({ db }: { readonly db: Database }) {
  const COLUMNS = 'client_id, label, profile_id, default_engine, last_seen_at, created_at'
  const list = db.prepare<[], BindingRow>(
    `select ${COLUMNS} from mcp_client_bindings order by last_seen_at desc nulls last, created_at desc, rowid desc`,
  )
  const count = db.prepare<[], number>('select count(*) from mcp_client_bindings').pluck()
  const byId = db.prepare<[string], BindingRow>(`select ${COLUMNS} from mcp_client_bindings where client_id = ?`)
  const write = db.prepare(`insert into mcp_client_bindings (${COLUMNS})
    values (@client_id, @label, @profile_id, @default_engine, @last_seen_at, @created_at)
    on conflict (client_id) do update set label = @label, profile_id = @profile_id, default_engine = @default_engine`)
  const touch = db.prepare('update mcp_client_bindings set last_seen_at = ? where client_id = ?')
  const remove = db.prepare('delete from mcp_client_bindings where client_id = ?')
  const changes = (run: () => { changes: number }) => storageChecked('The voice of the client could not be stored', run).changes

  return {
    /** Last seen first; clients that were never seen are last. */
    list: (): BindingRow[] => list.all(),
    count: (): number => count.get()!,
    find: (clientId: string): BindingRow | null => byId.get(clientId) ?? null,
    write: (row: BindingRow): void => void changes(() => write.run(row)),
    /** `at`: epoch seconds. An unknown client is no error. */
    touch: (clientId: string, at: number): void => void changes(() => touch.run(at, clientId)),
    /** False when the client has none. */
    remove: (clientId: string): boolean => changes(() => remove.run(clientId)) === 1,
  }
}
