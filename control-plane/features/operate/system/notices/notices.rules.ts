// State -> notifications. Pure.

import type { CrashRecord } from '#control-plane/observe/run-record.ts'
import type { Gpu, UnusableGpu } from '#shared/protocol/messages.ts'
import type { StateNotice } from './notices.contract.ts'

export type NoticeState = {
  readonly hasHubToken: boolean
  /** GPUs of the local agent; null until it has described its machine. */
  readonly gpus: readonly Gpu[] | null
  /** GPUs of the local agent that are present but cannot be used. */
  readonly unusableGpus: readonly UnusableGpu[]
  readonly ffmpegPath: string | null
  /** Bytes; null if the system does not report them. */
  readonly freeDisk: number | null
  readonly lastRun: { readonly record: CrashRecord | null; readonly acknowledged: boolean }
  readonly isCrashLogUnseen: boolean
  /** Reason for lines of the log that could not be written, such as ENOSPC. */
  readonly logProblem: string | null
  /** Reason why requests to other machines fail although a proxy is set. */
  readonly proxyProblem: string | null
  /** Number of jobs that were set aside because the studio ended while they ran. */
  readonly jobsSetAside: number
  /** A version that is published and newer than this one; null if none is known. */
  readonly newerVersion: string | null
  readonly version: string
  /** Takes that stay in the list although their files are missing. */
  readonly missingTakes: number
  readonly backupProblem: 'failed' | 'old' | null
  /** Keys of stored settings that this version cannot read. */
  readonly invalidSettings: readonly string[]
}
export const LOW_DISK_BYTES = 5e9
/** OLDEST_CAPABILITY of gpu-causes.ts, which the start of the studio does not load. */
const CUDA_CAPABILITY = 7.5
const SETTINGS = { type: 'navigate', target: 'settings' } as const
const VIEW_LOGS = { label: 'View logs', ...SETTINGS }

/** The most urgent first. */
export function noticesOf(state: NoticeState): StateNotice[] {
  const rank = { error: 0, warn: 1, info: 2 }
  return RULES.flatMap((rule) => rule(state) ?? []).sort((a, b) => rank[a.level] - rank[b.level])
}

const isTooOld = ({ backend, compute_capability: capability }: Gpu): boolean =>
  backend === 'cuda' && Number.parseFloat(capability) < CUDA_CAPABILITY

const RULES: readonly ((state: NoticeState) => StateNotice | null)[] = [
  ({ lastRun: { record, acknowledged } }) =>
    record && !acknowledged
      ? {
          id: `last-run-crash-${Math.round(record.detected_at * 1000)}`,
          level: 'error',
          title: 'The studio did not end by itself the last time',
          message: `The program crashed or was killed.${record.last_activity ? ` Its last activity was ${record.last_activity.kind}.` : ''} The end of its log was kept.`,
          action: VIEW_LOGS,
        }
      : null,
  ({ isCrashLogUnseen }) =>
    isCrashLogUnseen
      ? {
          id: 'crash-last-session',
          level: 'error',
          title: 'An earlier run ended with an unexpected error',
          message: 'The crash log contains errors that you have not seen yet.',
          action: VIEW_LOGS,
        }
      : null,
  ({ jobsSetAside: count }) =>
    count > 0
      ? {
          id: 'jobs-set-aside',
          level: 'error',
          title: count === 1 ? 'A job was set aside' : `${count} jobs were set aside`,
          message: `The studio ended more than once while it ran ${count === 1 ? 'this job' : 'these jobs'}. What was sent to the studio is kept. Try again, or report the log.`,
          action: { label: 'Show jobs', type: 'navigate', target: 'jobs' },
        }
      : null,
  ({ ffmpegPath }) =>
    ffmpegPath === null
      ? {
          id: 'ffmpeg-missing',
          level: 'error',
          title: 'ffmpeg is missing',
          message: 'Without ffmpeg the studio writes no opus, aac or flac and reads WAV files only. Install it, then restart the studio.',
          action: { label: 'Audio tools', type: 'settings-tab', target: 'audio-tools' },
        }
      : null,
  ({ gpus }) => {
    const old = gpus?.find(isTooOld)
    return old
      ? {
          id: 'gpu-arch-unsupported',
          level: 'error',
          title: 'The graphics card is too old for the engines',
          message: `${old.model} has compute capability ${old.compute_capability}; ${CUDA_CAPABILITY} is needed. The engines run on the processor.`,
          action: null,
        }
      : null
  },
  ({ missingTakes: count }) =>
    count > 0
      ? {
          id: 'takes-missing',
          level: 'error',
          title: 'Files of takes are missing',
          message:
            'A disk may be absent, or a backup was restored in part. The takes stay in the list. Bring the files back, or let the studio remove these takes in the settings.',
          action: { label: 'Open the settings', ...SETTINGS },
        }
      : null,
  ({ backupProblem }) =>
    backupProblem === 'failed'
      ? {
          id: 'backup-failed',
          level: 'error',
          title: 'The last backup failed',
          message: 'The log has the reason. The studio tries again every hour.',
          action: { label: 'Open the settings', ...SETTINGS },
        }
      : null,
  ({ backupProblem }) =>
    backupProblem === 'old'
      ? {
          id: 'backup-old',
          level: 'warn',
          title: 'The newest backup is old',
          message: 'No backup was completed for more than two intervals. Check that the studio may write to the folder of the backups.',
          action: { label: 'Open the settings', ...SETTINGS },
        }
      : null,
  ({ invalidSettings }) =>
    invalidSettings.length > 0
      ? {
          id: 'settings-invalid',
          level: 'warn',
          title: 'Stored settings cannot be read',
          message: `The defaults are in use for: ${invalidSettings.join(', ')}. Choose these settings again.`,
          action: { label: 'Open the settings', ...SETTINGS },
        }
      : null,
  ({ logProblem }) =>
    logProblem === null
      ? null
      : {
          id: 'log-not-written',
          level: 'warn',
          title: 'The log cannot be written',
          message: `The newest lines are missing (${logProblem}). Check the free space and the access rights of the data folder.`,
          action: null,
        },
  ({ proxyProblem }) =>
    proxyProblem === null
      ? null
      : {
          id: 'proxy-unusable',
          level: 'error',
          title: 'The proxy cannot be used',
          message: `${proxyProblem} Until then nothing is requested from the internet.`,
          action: { label: 'Open the settings', ...SETTINGS },
        },
  ({ freeDisk }) =>
    freeDisk !== null && freeDisk < LOW_DISK_BYTES
      ? {
          id: 'disk-low',
          level: 'warn',
          title: 'The disk is almost full',
          message: `${(freeDisk / 1e9).toFixed(1)} GB are free. Models and recordings need more.`,
          action: { label: 'Manage storage', ...SETTINGS },
        }
      : null,
  ({ hasHubToken }) =>
    hasHubToken
      ? null
      : {
          id: 'hf-token-missing',
          level: 'warn',
          title: 'No token for the model hub',
          message: 'Models that require an account cannot be downloaded. All others can.',
          action: { label: 'Add a token', ...SETTINGS },
        },
  ({ unusableGpus: [card] }) =>
    card
      ? {
          id: 'gpu-unusable',
          level: 'warn',
          title: 'The graphics card cannot be used',
          message: `${card.model} is present, not usable, because ${card.reason}. The engines run on the processor.`,
          action: null,
        }
      : null,
  ({ newerVersion, version }) =>
    newerVersion === null
      ? null
      : {
          id: 'update-available',
          level: 'info',
          title: `Version ${newerVersion} is published`,
          message: `This is version ${version}. The settings say how to update.`,
          action: { label: 'Open the settings', type: 'settings-tab', target: 'about' },
        },
  ({ gpus, unusableGpus }) =>
    gpus?.length === 0 && unusableGpus.length === 0
      ? {
          id: 'gpu-unavailable',
          level: 'info',
          title: 'No graphics card',
          message: 'The engines run on the processor. Large models are slow; you can borrow a machine that has a graphics card.',
          action: null,
        }
      : null,
]
