// The parts that record what went wrong: the log file, the crash log, the record of this run, the journal of errors, and the scrubber that
// they share.
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { tailOf } from '#control-plane/features/operate/system/logs/log-tail.ts'
import { createCrashLog } from '#control-plane/observe/crash-log.ts'
import { createErrorJournal } from '#control-plane/observe/error-journal.ts'
import { createRunRecord } from '#control-plane/observe/run-record.ts'
import { createScrub } from '#control-plane/observe/scrub.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { crashLogPath, logFolder } from '#shared/runtime/log/paths.ts'
import type { RollingFile } from '#shared/runtime/log/rolling-file.ts'
import type { Log } from '#shared/runtime/log.ts'

type Deps = {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly logFile: RollingFile
  /** Values of secret variables of the environment. */
  readonly secrets: readonly string[]
}
export type Diagnostics = ReturnType<typeof openDiagnostics>

const KEPT_LINES = 200

export function openDiagnostics({ settings, clock, log, logFile, secrets }: Deps) {
  const { dataDir, apiKey, modelsToken, allowedHosts, workerEndpointHost } = settings
  const folder = privateFolder(join(dataDir, 'diagnostics'))
  // Filled by the parts that hold secrets and names of machines, when they are opened.
  const secretSources: (() => Iterable<string>)[] = []
  const hostSources: (() => Iterable<string>)[] = []
  const ownHosts = [hostname(), hostname().split('.')[0]!, ...allowedHosts, workerEndpointHost ?? '']
  const scrub = createScrub({
    home: homedir(),
    secrets: () => [...secrets, apiKey ?? '', modelsToken ?? '', ...secretSources.flatMap((source) => [...source()])],
    hosts: () => [...ownHosts, ...hostSources.flatMap((source) => [...source()])],
  })
  const logTail = async (): Promise<string[]> => {
    const tail = await tailOf(logFile.path, KEPT_LINES).catch(() => null)
    return tail?.lines ?? []
  }
  return {
    scrub,
    addSecrets: (source: () => Iterable<string>) => void secretSources.push(source),
    addHosts: (source: () => Iterable<string>) => void hostSources.push(source),
    logFolder: logFolder(dataDir),
    logFile,
    crashLog: createCrashLog({ path: crashLogPath(dataDir), seenPath: join(folder, 'crash-log-seen.json') }),
    runRecord: createRunRecord({ folder, version: VERSION, scrub, logTail, clock, log }),
    errors: createErrorJournal({ path: join(folder, 'errors.jsonl'), scrub, clock, log }),
  }
}
