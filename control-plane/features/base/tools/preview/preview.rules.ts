// Names and ages of previews. Pure.

/** Extensions that keep their media type. Anything else is sent as bytes, so that an upload cannot become a page of this origin. */
const VIDEO = ['.mp4', '.m4v', '.mov', '.mkv', '.webm', '.avi', '.mpg', '.mpeg', '.ts', '.flv', '.wmv', '.3gp', '.ogv']
const AUDIO = ['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.oga', '.opus', '.wma', '.aif', '.aiff']
const OTHER = '.bin'

const KEPT_MS = 24 * 3600 * 1000
const MAX_FILES = 200
const MAX_BYTES = 4 * 1024 ** 3

/** The extension of the kept file, and whether the file is sound already. `filename` is what the client sent. */
export function kindOf(filename: string): { readonly extension: string; readonly isAudio: boolean } {
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(filename)?.[0].toLowerCase() ?? ''
  if (AUDIO.includes(extension)) return { extension, isAudio: true }
  return { extension: VIDEO.includes(extension) ? extension : OTHER, isAudio: false }
}

export type KeptFile = { readonly name: string; readonly bytes: number /** Epoch milliseconds. */; readonly changedAt: number }

/** The names of files that have to go: those older than a day, then the oldest ones, until `coming` more bytes fit. */
export function surplusOf(files: readonly KeptFile[], now: number, coming: number): string[] {
  let [count, bytes] = [0, coming]
  return files
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter((file) => {
      count++
      bytes += file.bytes
      // A file from the future was written before the clock was set back.
      return Math.abs(now - file.changedAt) > KEPT_MS || count > MAX_FILES || bytes > MAX_BYTES
    })
    .map(({ name }) => name)
}
