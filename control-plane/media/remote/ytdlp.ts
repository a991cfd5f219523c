// The common parts of every run of yt-dlp. Pure.
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import type { RunEnd, RunLimits } from './confined-program.ts'

/** No settings of the user, no traces in the folders of the user, and no endless waiting. */
export const YTDLP_ALWAYS: readonly string[] = [
  ...['--ignore-config', '--no-cache-dir', '--socket-timeout', '15', '--retries', '2', '--no-warnings'],
]
const REASON_CHARS = 300

/** Failure of a run without a result, as a sentence for people. */
export function ytdlpFailure(end: Exclude<RunEnd, { ended: 'ok' }>, { ms, outputBytes, fileBytes }: RunLimits): string {
  switch (end.ended) {
    case 'late':
      return `yt-dlp did not finish within ${Math.round(ms / 1000)} seconds.`
    case 'output':
      return `yt-dlp printed more than ${outputBytes} bytes.`
    case 'files':
      return `The video needs more than ${fileBytes} bytes. Choose a shorter one.`
    default: {
      const line = end.text.split('\n').findLast((each) => each.trim() !== '') ?? 'it gave no reason'
      // It may name files of this machine.
      const reason = cleanLine(line).replaceAll(/\/\S*/g, '…')
      return `yt-dlp failed: ${reason.trim().slice(0, REASON_CHARS)}.`
    }
  }
}
