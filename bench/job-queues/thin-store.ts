// The store of the thinnest durable path: one table of SQLite on a thread of its own. All changes that wait are one transaction with one sync.
import { isMainThread, type MessagePort, parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

/** `id` is null for a job that is accepted, and its row for one that has ended. */
type Change = { readonly ticket: number; readonly id: number | null; readonly text: string }
type Done = { readonly ticket: number; readonly id: number }

export type ThinStore = {
  /** Resolves with the row of the job when it is on disk. */
  readonly accept: (job: string) => Promise<number>
  /** Resolves when the result is on disk. */
  readonly finish: (id: number, result: string) => Promise<number>
}

export function openThinStore(file: string): ThinStore {
  const worker = new Worker(new URL(import.meta.url), { workerData: file })
  worker.on('error', (error) => {
    throw error
  })
  const waiting = new Map<number, (id: number) => void>()
  let tickets = 0
  let batch: Change[] = []
  const send = (id: number | null, text: string) =>
    new Promise<number>((resolve) => {
      waiting.set(tickets, resolve)
      batch.push({ ticket: tickets++, id, text })
      if (batch.length > 1) return
      setImmediate(() => {
        worker.postMessage(batch)
        batch = []
      })
    })
  worker.on('message', (done: readonly Done[]) => {
    for (const { ticket, id } of done) {
      waiting.get(ticket)!(id)
      waiting.delete(ticket)
    }
  })
  return { accept: (job) => send(null, job), finish: send }
}

function serve(port: MessagePort, file: string): void {
  const db = new Database(file)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec('create table job (id integer primary key, job text not null, result text)')
  const insert = db.prepare('insert into job (job) values (?)')
  const update = db.prepare('update job set result = ? where id = ?')
  const apply = ({ ticket, id, text }: Change): Done => {
    if (id !== null) update.run(text, id)
    return { ticket, id: id ?? Number(insert.run(text).lastInsertRowid) }
  }
  const commit = db.transaction((changes: readonly Change[]) => changes.map(apply))
  port.on('message', (first: readonly Change[]) => {
    const changes = [...first]
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) changes.push(...(next.message as Change[]))
    port.postMessage(commit(changes))
  })
}

if (!isMainThread && parentPort) serve(parentPort, workerData as string)
