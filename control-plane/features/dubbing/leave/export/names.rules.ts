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

/** A part of a name: letters and digits of any script, and `_`. */
export const namePart = (text: string): string =>
  letters(
    text
      .split(/[^\p{L}\p{M}\p{N}]/u)
      .filter((word) => word !== '')
      .join('_'),
  )
