// Findings -> checks. Pure.

import { engineRow } from '#shared/engines.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { CheckRow } from './diagnose.contract.ts'

const engineName = (id: string): string => engineRow(id)?.name ?? id

export type Findings = {
  /** Operating system, architecture, processors. */
  readonly machine: string
  readonly gpu: string | null
  readonly ffmpegPath: string | null
  readonly hasHubToken: boolean
  /** Bytes; null if the system does not report them. */
  readonly freeDisk: number | null
  readonly dataDir: string
  /** Reason for a file that could not be written to the data folder; null when it could. */
  readonly dataDirProblem: string | null
  /** GiB. */
  readonly ram: { readonly total: number; readonly available: number }
  /** The selected speech engine; null until the local agent is connected. */
  readonly engine: {
    readonly id: string
    readonly available: boolean
    readonly reason: string | null
    readonly device: string
    readonly routing: string
    readonly routingReason: string | null
  } | null
  /** Speech engines that can be used, and all. */
  readonly engines: { readonly available: number; readonly all: number }
}
const GB = { lowDisk: 5e9, fullDisk: 1e9 }
const RAM_GIB = { recommended: 8, available: 0.5 }
/** Systems report less than the installed memory, because the firmware reserves a part. */
const ALLOWANCE = 0.93

type Status = CheckRow['status']
/** `hint` is shown unless the status is ok. */
export const checkRow = (id: string, label: string, status: Status, detail: string, hint: string | null = null): CheckRow => ({
  id,
  label,
  status,
  detail,
  hint: status === 'ok' ? null : hint,
})

/** In the order of the specification. */
export function selfChecksOf(found: Findings): CheckRow[] {
  const { machine, gpu, ffmpegPath, hasHubToken, dataDir, dataDirProblem, engine, engines } = found
  return [
    checkRow('device', 'Device', 'ok', `${machine}, ${gpu ?? 'no graphics card'}`),
    checkRow(
      'ffmpeg',
      'ffmpeg',
      ffmpegPath === null ? 'fail' : 'ok',
      ffmpegPath ?? 'Not found.',
      `Install ffmpeg with ${COMMAND} setup or the package manager of this system, then restart the studio.`,
    ),
    checkRow(
      'hf_token',
      'Token for the model hub',
      hasHubToken ? 'ok' : 'warn',
      hasHubToken ? 'Set.' : 'Not set.',
      'Only models that require an account need it. Add it in the settings.',
    ),
    diskCheck(found.freeDisk),
    checkRow(
      'data_dir',
      'Data folder',
      dataDirProblem === null ? 'ok' : 'fail',
      dataDirProblem === null ? dataDir : `${dataDir} cannot be written (${dataDirProblem}).`,
      'Free some space, or correct the owner and the access rights of the folder.',
    ),
    ramCheck(found.ram),
    checkRow(
      'engines',
      'Engines',
      engine?.available ? 'ok' : 'fail',
      engine
        ? `${engines.available} of ${engines.all} speech engines can be used. ${engine.available ? `${engineName(engine.id)} is selected.` : `The selected engine, ${engineName(engine.id)}, cannot: ${engine.reason ?? 'unknown reason'}`}`
        : 'The local agent is not connected yet.',
      `Install its model, or select another engine. ${COMMAND} engines lists them.`,
    ),
    routingCheck(engine),
  ]
}

function diskCheck(free: number | null): CheckRow {
  const status = free === null || (free < GB.lowDisk && free >= GB.fullDisk) ? 'warn' : free < GB.fullDisk ? 'fail' : 'ok'
  const detail = free === null ? 'The free space is unknown.' : `${(free / 1e9).toFixed(1)} GB are free.`
  return checkRow('disk', 'Free disk space', status, detail, 'Free some space. Models and recordings need more than 5 GB.')
}

function ramCheck({ total, available }: Findings['ram']): CheckRow {
  const status = available < RAM_GIB.available ? 'fail' : total < RAM_GIB.recommended * ALLOWANCE ? 'warn' : 'ok'
  const detail = `${available.toFixed(1)} of ${total.toFixed(1)} GiB are available.`
  return checkRow('ram', 'Memory', status, detail, 'Close other programs, unload models, or choose a smaller model.')
}

function routingCheck(engine: Findings['engine']): CheckRow {
  const status = !engine || engine.routing === 'unavailable' ? 'fail' : engine.routing === 'cpu_fallback' ? 'warn' : 'ok'
  const detail = engine ? (engine.routingReason ?? `${engine.id} runs on ${engine.device}.`) : 'The local agent is not connected yet.'
  return checkRow('gpu_routing', 'Device of the engine', status, detail, 'Choose another engine or machine, or check the driver.')
}

export function checkSummary(checks: readonly CheckRow[]) {
  const count = (status: Status) => checks.filter((one) => one.status === status).length
  const failures = count('fail')
  return { ok: failures === 0, passed: count('ok'), warnings: count('warn'), failures }
}

/** The report as text for people, one check after the other. */
export const reportText = (checks: readonly CheckRow[]): string =>
  checks
    .map(({ status, label, detail, hint }) => `[${status.toUpperCase()}] ${label}: ${detail}${hint ? `\n       ${hint}` : ''}\n`)
    .join('')
