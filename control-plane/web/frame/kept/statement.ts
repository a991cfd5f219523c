// A recorded statement that was not sent: kept on this device over a reload, for a few days, until it is sent or discarded.
import { openStore, settled } from '#control-plane/web/lib/database.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { STATEMENTS } from '#control-plane/web/visitor.ts'

/** at: epoch milliseconds. */
/** `text`: the sentence that was read aloud in the recording. */
export type Said = { readonly text: string; readonly file: File }
export type Kept = Said & { readonly at: number }

const STORE = 'statements'
/** A minute of the microphone has 3 MB. */
const MOST_BYTES = 16 * 1024 ** 2
const MOST = 8
const MOST_MS = 7 * 24 * 60 * 60 * 1000

/** The keys of records that are deleted: those that are too old, and all but the newest. Pure. `now`: epoch milliseconds */
export function outdated(records: readonly (readonly [key: IDBValidKey, at: number])[], now: number) {
  const newest = [...records].sort(([, one], [, other]) => other - one)
  return newest.filter(([, at], index) => index >= MOST || now - at > MOST_MS || at > now + MOST_MS).map(([key]) => key)
}

/** Runs `work` in the store, without the records that are outdated. */
async function inStore<Result>(work: (store: IDBObjectStore) => IDBRequest<Result>) {
  const store = await openStore(STATEMENTS, STORE, 'readwrite')
  try {
    const result = await settled(work(store))
    const [keys, records] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())])
    for (const key of outdated(
      keys.map((one, index) => [one, records[index]?.at ?? 0]),
      Date.now(),
    ))
      store.delete(key)
    return result
  } finally {
    store.transaction.db.close() // once the transaction is complete
  }
}

/** Deletes the statements that are outdated. Called with each visit, so that none stays longer because no form asks for it. */
export const dropOutdated = () => inStore((store) => store.count()).catch(() => {})

/** Null discards it. Returns whether it is kept. */
export async function keepStatement(key: string, said: Said | null) {
  const isKept = said !== null && said.file.size <= MOST_BYTES
  try {
    if (isKept) await inStore((store) => store.put({ ...said, at: Date.now() }, key))
    else await inStore((store) => store.delete(key))
    return isKept
  } catch {
    return false // the browser keeps nothing
  }
}

async function keptStatement(key: string): Promise<Said | null> {
  try {
    const kept: Kept | undefined = await inStore((store) => store.get(key))
    if (kept === undefined || typeof kept.text !== 'string' || !(kept.file instanceof File)) return null
    return outdated([[key, kept.at]], Date.now()).length === 0 ? { text: kept.text, file: kept.file } : null
  } catch {
    return null
  }
}

/** The statement of a form, which is kept with every change. `key`: id of the voice, or of the form for a new one. */
export function useStatement(key: string) {
  const [state, set] = useState({ said: null as Said | null, isKept: false, isRead: false })
  useEffect(() => {
    let isOver = false
    void keptStatement(key).then((kept) => isOver || set((now) => (now.isRead ? now : { said: kept, isKept: kept !== null, isRead: true })))
    return () => {
      isOver = true
    }
  }, [key])
  const change = async (said: Said | null) => {
    set({ said, isKept: false, isRead: true })
    const isKept = await keepStatement(key, said)
    set((now) => (now.said === said ? { said, isKept, isRead: true } : now))
  }
  return { ...state, change }
}
