// Whether the owner wants this machine to lend, and what last went wrong with it: <dataDir>/agent/lending.json.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const Switch = z.strictObject({ enabled: z.boolean(), lastError: z.string().max(4000) })
export type LendingSwitch = z.output<typeof Switch>
export type SwitchFile = ReturnType<typeof createSwitchFile>

export function createSwitchFile(folder: string) {
  const path = join(privateFolder(folder), 'lending.json')
  return {
    /** Before the first join, and when the file is damaged, an enrolled machine lends: joining was the wish, and leaving undoes it. */
    read(): LendingSwitch {
      try {
        if (existsSync(path)) return Switch.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        // Replaced by the next change.
      }
      return { enabled: true, lastError: '' }
    },
    write: (state: LendingSwitch): void => writeAtomic(path, `${JSON.stringify(state)}\n`),
  }
}
