// Finds weights that come with the installed packages.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelFiles } from './model-files.ts'

/** Files of a package by their names. Null when one of them is missing. */
export function packagedFiles(...specifiers: readonly string[]): ModelFiles | null {
  try {
    const paths = specifiers.map((specifier) => fileURLToPath(import.meta.resolve(specifier)))
    return paths.every((path) => existsSync(path)) ? new Map(paths.map((path) => [basename(path), path])) : null
  } catch {
    return null
  }
}

/** In lower-case hex; '' for a file that is not there. */
export async function sha256Of(path: string | undefined): Promise<string> {
  return path === undefined
    ? ''
    : createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
}
