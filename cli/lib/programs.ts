// Optional Debian programs that add features. None is needed to start; `setup` installs those that are not on PATH.
import { delimiter, join } from 'node:path'
import { ROOT } from './command.ts'

/** `with`: further packages, which `package` only recommends. `sizeMegabytes` covers all of them. */
export type Program = {
  readonly program: string
  /** Programs that are used where this one cannot be installed. */
  readonly alternatives?: readonly string[]
  readonly package: string
  readonly with?: readonly string[]
  /** The only file of the package that is used, by its path there. It is taken out and the package is not installed, which would start a service. */
  readonly file?: string
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

/** Programs that only the tests need. */
export const TEST_PROGRAMS: readonly Program[] = [
  // Chromium without its windows: a page costs the tests half of the processor time that it costs in the whole browser.
  {
    program: 'chromium-headless-shell',
    alternatives: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium-headless-shell',
    sizeMegabytes: 290,
    adds: 'the tests that run the web studio in a real browser',
  },
  {
    program: 'promtool',
    package: 'prometheus',
    file: './usr/bin/promtool',
    sizeMegabytes: 48,
    adds: 'the test that the metrics have the form that Prometheus expects',
  },
  { program: 'strace', package: 'strace', sizeMegabytes: 3, adds: 'the test that nothing leaves the machine unasked' },
  { program: 'ip', package: 'iproute2', sizeMegabytes: 3, adds: 'the network of that test' },
]

/** Folder of the programs that were taken out of packages. */
export const PROGRAM_FOLDER = join(ROOT, '.toolchain/programs')
export const programPath = (path: string | undefined): string => [PROGRAM_FOLDER, path ?? ''].join(delimiter)

export const packagesOf = (programs: readonly Program[]): readonly string[] => programs.flatMap((row) => [row.package, ...(row.with ?? [])])
