// Optional Debian programs that add features. None is needed to start; `setup` installs those that are not on PATH.
import type { Terminal } from './command.ts'

/** `with`: further packages, which `package` only recommends. `sizeMegabytes` covers all of them. */
export type Program = {
  readonly program: string
  /** Path of a file that shows that the package is installed, of a package without a program. */
  readonly file?: string
  /** Programs that are used where this one cannot be installed. */
  readonly alternatives?: readonly string[]
  readonly package: string
  readonly with?: readonly string[]
  /** Downloads `package` and takes the program out of it; the package itself is not installed. */
  readonly takeOut?: (terminal: Terminal) => Promise<{ readonly code: number; readonly text: string }>
  readonly sizeMegabytes: number
  readonly adds: string
}

export const PROGRAMS: readonly Program[] = [
  { program: 'ffmpeg', package: 'ffmpeg', sizeMegabytes: 203, adds: 'Opus, AAC and FLAC output and all audio and video input formats' },
  {
    program: 'pocketsphinx_continuous',
    package: 'pocketsphinx',
    with: ['pocketsphinx-en-us'],
    sizeMegabytes: 40,
    adds: 'recognition of English speech without a model download',
  },
  { program: 'espeak-ng', package: 'espeak-ng', sizeMegabytes: 14, adds: 'a simple voice for about a hundred languages' },
  // The language pair installs the program. Other installed pairs, such as apertium-fra-cat, are found as well.
  { program: 'apertium', package: 'apertium-eng-spa', sizeMegabytes: 15, adds: 'translation between English and Spanish without a model' },
]

export const packagesOf = (programs: readonly Program[]): readonly string[] => programs.flatMap((row) => [row.package, ...(row.with ?? [])])
