// GET /system/diagnose: gathers the findings, each guarded, and returns a report without private data.

import { rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Scrub } from '#control-plane/observe/scrub.ts'
import { scrubbed } from '#control-plane/observe/scrub.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { GIB } from '#shared/runtime/memory/bytes.ts'
import { createGuard } from '../overview/guarded.ts'
import type { CheckRow, SelfCheck } from './diagnose.contract.ts'
import { checkRow, checkSummary, type Findings, selfChecksOf } from './diagnose.rules.ts'

type Deps = {
  readonly version: string
  readonly dataDir: string
  readonly gpu: () => string | null
  readonly ffmpegPath: () => string | null
  readonly hasHubToken: () => boolean
  readonly freeDisk: () => Promise<number | null>
  readonly engine: () => Findings['engine']
  readonly engines: () => Findings['engines']
  /** The server of the models. */
  readonly modelServer: () => string
  readonly deepSynthesis: (signal: AbortSignal) => Promise<CheckRow>
  readonly scrub: Scrub
  readonly clock: Pick<Clock, 'after'>
}
export type Diagnose = (options: { readonly network: boolean; readonly deep: boolean }, signal: AbortSignal) => Promise<SelfCheck>

const NETWORK_MS = 5_000
const DISK_MS = 1_000

/** The returned function rejects only with the reason of the signal. */
export const createDiagnose =
  (deps: Deps): Diagnose =>
  async ({ network, deep }, signal) => {
    const { version, dataDir, scrub, clock } = deps
    const { value } = createGuard(clock, DISK_MS)
    const findings: Findings = {
      machine: `${process.platform} ${release()}, ${process.arch}, ${availableParallelism()} processors`,
      gpu: await value('gpu', null, deps.gpu),
      ffmpegPath: await value('ffmpeg', null, deps.ffmpegPath),
      hasHubToken: await value('hub token', false, deps.hasHubToken),
      freeDisk: await value('disk', null, deps.freeDisk),
      dataDir,
      dataDirProblem: problemOf(dataDir),
      ram: { total: totalmem() / GIB, available: freemem() / GIB },
      engine: await value('engine', null, deps.engine),
      engines: await value('engines', { available: 0, all: 0 }, deps.engines),
    }
    const checks = [
      ...selfChecksOf(findings),
      ...(network ? [await networkCheck(deps.modelServer())] : []),
      ...(deep ? [await deps.deepSynthesis(signal)] : []),
    ]
    return scrubbed({ app_version: version, platform: `${process.platform} ${process.arch}`, checks, summary: checkSummary(checks) }, scrub)
  }

/** Reason for a small file that cannot be written; null when it can. */
function problemOf(folder: string): string | null {
  const path = join(folder, 'diagnostics', `.check-${process.pid}`)
  try {
    writeFileSync(path, 'x'.repeat(4_096), { mode: 0o600 })
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    rmSync(path, { force: true })
  }
}

/** Every answer counts, because a mirror need not serve its front page. Sends no token. */
async function networkCheck(server: string): Promise<CheckRow> {
  const row = (status: CheckRow['status'], detail: string) =>
    checkRow(
      'network',
      'Model server',
      status,
      detail,
      'Installed models work without it. Check the connection, the proxy or the mirror in the settings.',
    )
  try {
    const response = await fetch(server, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(NETWORK_MS) })
    return row('ok', `${server} answers with status ${response.status}.`)
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return row('warn', `${server} does not answer (${name === 'TimeoutError' ? 'timeout' : (cause?.code ?? name)}).`)
  }
}
