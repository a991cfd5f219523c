// The messages of native libraries contain the places of files. A message of ours says which file it was, and not where this machine keeps it.
import { basename, dirname } from 'node:path'

/** Libraries join paths by slashes, also on Windows. */
const slashed = (text: string): string => text.replaceAll('\\', '/')

/** The text without the folders of these files, with slashes in its paths. A folder itself keeps its last name. */
export function withoutFolders(text: string, files: Iterable<string>): string {
  const folders = [...new Set([...files].map((file) => slashed(dirname(file))))].filter((folder) => folder.length > 1)
  // Longest first: a folder may be in another one.
  return folders
    .sort((a, b) => b.length - a.length)
    .reduce((left, folder) => left.replaceAll(`${folder}/`, '').replaceAll(folder, basename(folder)), slashed(text))
}

/** The first line of what a library says, without folders; at most `chars` characters. */
export const libraryMessage = (cause: unknown, files: Iterable<string>, chars: number): string =>
  withoutFolders((cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!.slice(0, 4_000), files).slice(0, chars)
