// Removes what identifies a machine or a person from a text that is made to be published.

/** An absolute path of two or more segments, on any system. Linear: separators and the characters between them exclude each other. */
const PATH = /(?<![\w.-])(?:[A-Za-z]:)?(?:[\\/][^\\/\s"'`,;()[\]{}<>|]+){2,}[\\/]?/g
/** Shorter names would also hide parts of ordinary words. */
const MIN_NAME = 3

/**
 * `text` with the file name in place of each absolute path, and without `names`: home folders, host names, user names. Folders come before
 * the paths, because they may contain blanks.
 */
export function anonymous(text: string, names: readonly string[] = []): string {
  let rest = text
  for (const name of [...names].filter(({ length }) => length >= MIN_NAME).sort((one, other) => other.length - one.length))
    rest = rest.replaceAll(name, /[\\/]/.test(name) ? '' : '…')
  return rest.replace(PATH, (path) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? '')
}
