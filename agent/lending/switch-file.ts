// The owner's lending switch and the last lending failure, in <dataDir>/agent/lending.json.
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
    /** Without a file, or with a damaged one, an enrolled machine lends: joining switched it on, and leaving switches it off. */
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
