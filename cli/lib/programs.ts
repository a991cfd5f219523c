// Programs of Debian that widen what the studio does. None is needed to start; each is found on PATH and offered by `setup`.

/** `with`: what apt must be told besides, because the package only recommends it. The size is that of all of them. */
export type Program = {
  readonly program: string
  /** Other programs that will do as well. */
  readonly like?: readonly string[]
  readonly package: string
  readonly with?: readonly string[]
  readonly sizeMegabytes: number
  readonly adds: string
}

export const PROGRAMS: readonly Program[] = [
  { program: 'ffmpeg', package: 'ffmpeg', sizeMegabytes: 203, adds: 'speech as Opus, AAC and FLAC; reading any audio or video file' },
  {
    program: 'pocketsphinx_continuous',
    package: 'pocketsphinx',
    with: ['pocketsphinx-en-us'],
    sizeMegabytes: 40,
    adds: 'recognition of English speech without any download of weights',
  },
  { program: 'espeak-ng', package: 'espeak-ng', sizeMegabytes: 14, adds: 'a plain voice for a hundred languages besides English' },
  // The pair brings the program; others are found when they are installed, such as apertium-fra-cat.
  { program: 'apertium', package: 'apertium-eng-spa', sizeMegabytes: 15, adds: 'translation between English and Spanish without a model' },
]

/** What only the tests need: whoever looks at the panel has a browser of their own. */
export const TEST_PROGRAMS: readonly Program[] = [
  {
    program: 'chromium',
    like: ['chromium-browser', 'google-chrome'],
    package: 'chromium',
    sizeMegabytes: 290,
    adds: 'the tests that look at the panel in a real browser',
  },
]

export const packagesOf = (programs: readonly Program[]): readonly string[] => programs.flatMap((row) => [row.package, ...(row.with ?? [])])
