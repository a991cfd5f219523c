// @ts-check
// The database of the browser, for what other storage is too small for.

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** The only store of a database. Throws where the browser keeps nothing. @param {string} database @param {string} store @param {IDBTransactionMode} mode */
export async function openStore(database, store, mode) {
  const request = indexedDB.open(database, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store)
  return (await settled(request)).transaction(store, mode).objectStore(store)
}
