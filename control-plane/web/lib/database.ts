// The database of the browser, for what other storage is too small for.

export const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** The only store of a database. Throws where the browser keeps nothing. */
export async function openStore(database: string, store: string, mode: IDBTransactionMode) {
  const request = indexedDB.open(database, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store)
  return (await settled(request)).transaction(store, mode).objectStore(store)
}
