// Hides where the studio keeps its files from callers who may not administer it: names of users and folders of this machine. Pure.

/** A folder of this machine by its absolute path, and the words that stand for it. */
export type PrivateFolder = { readonly path: string; readonly words: string }
export type PathScreen = {
  /** True if a document may name one of the folders. */
  readonly names: (document: string) => boolean
  /** The JSON document with the words in the place of the folders. */
  readonly hidden: (document: string) => string
}

export function createPathScreen(folders: readonly PrivateFolder[]): PathScreen {
  const longest = folders
    .filter(({ path }) => path.length > 1)
    .map(({ path, words }) => ({ text: JSON.stringify(path).slice(1, -1), words }))
    .sort((a, b) => b.text.length - a.text.length)
  return {
    names: (document) => longest.some(({ text }) => document.includes(text)),
    hidden: (document) => longest.reduce((hidden, { text, words }) => replaced(hidden, text, words), document),
  }
}

/** Only whole names of folders: /root is not a part of /rooted. */
function replaced(document: string, text: string, words: string): string {
  const [first = '', ...rest] = document.split(text)
  return rest.reduce((joined, next) => joined + (/^(?:[\w-]|\.\w)/.test(next) ? text : words) + next, first)
}
