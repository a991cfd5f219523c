import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { CrashLog } from '#control-plane/observe/crash-log.ts'
import type { ErrorJournal } from '#control-plane/observe/error-journal.ts'
import type { RunRecord } from '#control-plane/observe/run-record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { crashContracts } from './crash.contract.ts'

export type CrashParts = {
  readonly runRecord: Pick<RunRecord, 'newest' | 'acknowledge'>
  readonly crashLog: Pick<CrashLog, 'acknowledge'>
  readonly errors: Pick<ErrorJournal, 'recent'>
}

export const crashRoutes = ({ runRecord, crashLog, errors }: CrashParts): Route[] => [
  handle(crashContracts.readLastRunCrash, () => runRecord.newest()),
  handle(crashContracts.acknowledgeLastRunCrash, () => {
    onDisk(runRecord.acknowledge)
    return { ok: true as const }
  }),
  handle(crashContracts.acknowledgeCrashLog, () => ({ acked_size: onDisk(crashLog.acknowledge) })),
  handle(crashContracts.listErrors, ({ query }) => {
    const recent = errors.recent(query.limit)
    return { errors: recent, count: recent.length }
  }),
]

/** Throws STORAGE_FULL for a disk that is full or not writable. */
function onDisk<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw new Failure('STORAGE_FULL', `The mark could not be stored (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}
