// The progress that ffmpeg writes as lines of `key=value`.
import { createLineSplitter, type LineSplitter } from '#shared/runtime/lines.ts'

const LONGEST_LINE = 4096

/** Calls `report` with the position of the result in microseconds, whenever it has grown. Other keys are ignored: `out_time_ms` has microseconds, too. */
export function createProgressReader(report: (microseconds: number) => void): Pick<LineSplitter, 'push'> {
  let most = 0
  return createLineSplitter(LONGEST_LINE, (line) => {
    if (!line.startsWith('out_time_us=')) return
    const position = Number(line.slice('out_time_us='.length))
    // It begins as `N/A` or as a negative number.
    if (!(position > most)) return
    most = position
    report(position)
  })
}
