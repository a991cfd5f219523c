// The thread of a scheduled backup: reading and digesting gigabytes would delay the requests of the studio.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { type BackupReport, backupAll } from './write.ts'

export type ThreadOrder = { readonly dataDir: string; readonly target: string; readonly passphrase: string | null }
export type ThreadAnswer = { readonly report: BackupReport } | { readonly failure: string }

const answer = (message: ThreadAnswer): void => parentPort?.postMessage(message)
const order = workerData as ThreadOrder
try {
  answer({ report: await backupAll({ ...order, since: null, clock, random }) })
} catch (error) {
  answer({ failure: (error as Error).message })
}
