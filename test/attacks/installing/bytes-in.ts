import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of all files below, links not followed. */
export const bytesIn = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
        const found = lstatSync(join(folder, name))
        return sum + (found.isFile() ? found.size : 0)
      }, 0)
    : 0
