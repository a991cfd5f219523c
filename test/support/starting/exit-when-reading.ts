// Preloaded into a studio: while the file `exit-when-reading` exists in its data folder, the process ends itself with status 3 when it reads a
// part of a recording, as a defect in a step of a job would.
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

export const EXIT_FLAG = 'exit-when-reading'
export const EXIT_STATUS = 3

const folder = process.env['STUDIO_DATA_DIR'] ?? ''
const readFile = fs.readFile as (...args: unknown[]) => Promise<unknown>
Object.assign(fs, {
  readFile(...args: unknown[]) {
    if (String(args[0]).startsWith(join(folder, 'uploads')) && existsSync(join(folder, EXIT_FLAG))) process.exit(EXIT_STATUS)
    return readFile(...args)
  },
})
syncBuiltinESMExports()
