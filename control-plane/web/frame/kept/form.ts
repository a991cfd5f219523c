// Keeps the fields of a form over a reload of the tab and while other pages are shown.

/** Limit of a file that is kept; a sample of 15 seconds has at most this size. The storage of a tab takes about twice as much. */
const FILE_BYTES = 2 * 1024 ** 2

export function keptForm(key: string): { fields: Readonly<Record<string, unknown>>; file: File | null } {
  try {
    const { fields, file } = JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? {}
    const bytes = file ? Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0)) : null
    return {
      fields: typeof fields === 'object' && fields !== null ? fields : {},
      file: bytes && new File([bytes], file.name, { type: file.type }),
    }
  } catch {
    return { fields: {}, file: null } // not what this version wrote
  }
}

/** Returns base64 */
const dataOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** A later call replaces an earlier one that still reads its file. */
let newest = 0
/** A file that is too large has to be chosen again. */
export async function keepForm(key: string, fields: Readonly<Record<string, unknown>>, file: File | null) {
  const mine = ++newest
  try {
    const kept = file && file.size <= FILE_BYTES ? { name: file.name, type: file.type, data: await dataOf(file) } : null
    if (mine === newest) sessionStorage.setItem(key, JSON.stringify({ fields, file: kept }))
  } catch {} // a full storage only loses the form with the tab
}

export function dropForm(key: string) {
  newest++
  sessionStorage.removeItem(key)
}
