// Connections to PostgreSQL with the settings that its statements need. A connection that ended is not used again.
import { Socket } from 'node:net'
import pg from 'pg'
import type { Clock } from '#shared/runtime/clock.ts'

/** A statement. One with a name is parsed once for each connection. */
export type Query = { readonly name?: string; readonly text: string; readonly values: readonly unknown[] }
export type DatabaseConnection = {
  /** Rejects with a DatabaseError for a refusal of the server, and with another error if the connection ended without an answer. */
  readonly rows: <Row>(query: Query) => Promise<Row[]>
  /** Several statements without values, as one transaction. */
  readonly script: (sql: string) => Promise<void>
  readonly isOpen: () => boolean
  /** Ends it at once. A statement under way may still be carried out. */
  readonly destroy: () => void
}

const CONNECT_MS = 5_000
const STATEMENT_MS = 5_000
/** Without an answer for this long the connection is lost: the server would have ended the statement itself. */
const ANSWER_MS = STATEMENT_MS + 1_500
// A statement that is planned each time takes twenty times as long, and one that was planned for an empty table must not read it whole later.
const SETTINGS = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'jit=off',
  `statement_timeout=${STATEMENT_MS}`,
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=5000',
  'tcp_user_timeout=5000',
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
]
const INT8 = 20

/** Whole numbers of 64 bits as numbers: none of ours exceeds 2^53. */
function parserOf(oid: number, format?: unknown): (text: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/** `patience`: milliseconds that a statement may take; default: those of a batch. */
export async function connect(url: string, clock: Pick<Clock, 'after'>, patience = ANSWER_MS): Promise<DatabaseConnection> {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    application_name: 'voice-studio',
    options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    stream: () => socket,
  })
  let isOpen = true
  const ended = () => {
    isOpen = false
  }
  client.on('error', ended) // the statement under way rejects, too
  client.on('end', ended)
  try {
    await client.connect()
  } catch (error) {
    socket.destroy()
    throw error
  }
  const destroy = () => {
    isOpen = false
    socket.destroy()
  }
  return {
    async rows<Row>({ name, text, values }: Query) {
      const cancel = clock.after(patience, destroy)
      try {
        const result = await client.query({ ...(name === undefined ? {} : { name }), text, values: values as unknown[] })
        return result.rows as Row[]
      } finally {
        cancel()
      }
    },
    async script(sql) {
      await client.query(sql)
    },
    isOpen: () => isOpen,
    destroy,
  }
}
