// Names of files that leave. Pure.
const MAX_LETTERS = 80
const letters = (text: string): string => [...text].slice(0, MAX_LETTERS).join('')

/** The name of the film without its extension and without what file systems refuse; `dub` when nothing is left. */
export function baseName(filename: string): string {
  const bare = filename
    .toWellFormed()
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[\p{Cc}\p{Cf}"*/:<>?\\|\u2028\u2029]+/gu, '_')
    .replace(/^[\s.]+/, '')
  return letters(bare).trim() || 'dub'
}

/** UTC, such as 20260102_030405. */
export const stampOf = (now: number): string => new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')

/** The header value: the name in ASCII for old clients, and in full for all others. */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]+/g, '_').replace(/["\\%]/g, '_')
  if (ascii === name) return `${disposition}; filename="${name}"`
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** A part of a name: letters and digits of any script, and `_`. */
export const namePart = (text: string): string =>
  letters(
    text
      .split(/[^\p{L}\p{M}\p{N}]/u)
      .filter((word) => word !== '')
      .join('_'),
  )
