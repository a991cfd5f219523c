// The thread of a scheduled backup: reading and digesting gigabytes would delay the requests of the studio.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openArchive, openChain, siblingsOf } from './chain.ts'
import { type BackupReport, backupAll } from './write.ts'

export type ThreadOrder = {
  readonly dataDir: string
  /** The file of a whole backup. */
  readonly target: string
  readonly passphrase: string | null
  /** An earlier backup, and the file of a new one that has only what changed since; it is used where a restore could read the earlier one. */
  readonly changes?: { readonly since: string; readonly target: string }
}
export type ThreadAnswer = { readonly report: BackupReport } | { readonly failure: string }

const answer = (message: ThreadAnswer): void => parentPort?.postMessage(message)
const order = workerData as ThreadOrder
try {
  const { changes, ...whole } = order
  const isUsable = changes !== undefined && (await hasWholeChain(changes.since))
  answer({ report: await backupAll({ ...whole, since: null, ...(isUsable && changes), clock, random }) })
} catch (error) {
  answer({ failure: (error as Error).message })
}

/** False for an archive that cannot be read, that a restore of the next one would not find, or that needs one which is gone. */
async function hasWholeChain(path: string): Promise<boolean> {
  try {
    if (!siblingsOf(path).includes(path)) return false
    const first = await openArchive(path)
    try {
      for (const { zip } of await openChain(first, [])) zip.close()
      return true
    } finally {
      first.zip.close()
    }
  } catch {
    return false
  }
}
