// The progress that ffmpeg writes as lines of `key=value`.

const LONGEST_LINE = 4096

/** Calls `report` with the position of the result in microseconds, whenever it has grown. Other keys are ignored: `out_time_ms` has microseconds, too. */
export function createProgressReader(report: (microseconds: number) => void): { push: (text: string) => void } {
  let rest = ''
  let most = 0
  return {
    push(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!.slice(-LONGEST_LINE)
      for (const line of lines) {
        if (!line.startsWith('out_time_us=')) continue
        const position = Number(line.slice('out_time_us='.length))
        // It begins as `N/A` or as a negative number.
        if (!(position > most)) continue
        most = position
        report(position)
      }
    },
  }
}
