// Finds the faults of a line of a voice track, from its measures. Pure.
import { repeatedPhrase } from '#control-plane/features/dubbing/lines/transcribe/loops.rules.ts'

export const LINE_FAULTS = [
  'missing',
  'silence',
  'words',
  'timing',
  'language',
  'repetition',
  'level',
  'clipping',
  'rate',
  'cut',
  'leak',
] as const
export type LineFault = (typeof LINE_FAULTS)[number]

/** LU to the lines around. */
export const MAX_LEVEL_STEP = 4
/** Lines on each side. */
const AROUND = 2
/** dB; see `shared/audio/dub/leak`. */
const MAX_LEAK = -35
const [SLOWEST, FASTEST] = [0.8, 1.5]
const MAX_CUT_US = 50_000
const MAX_CLIPPED = 9
/** LUFS. */
const SILENT = -60

/**
 * Loudness of each line above the lines around it, in LU: above the nearest in level of up to two before and two after. If the level
 * changes permanently, only the first line after the change differs. Null for a line without a level, and for one alone.
 */
export function levelSteps(levels: readonly (number | null)[]): (number | null)[] {
  const around = (at: number) =>
    [...levels.slice(Math.max(0, at - AROUND), at), ...levels.slice(at + 1, at + 1 + AROUND)].filter((level) => level !== null)
  let before: number | null = null
  return levels.map((level, at) => {
    if (level === null) return null
    const others = around(at)
    if (others.length === 0) return null
    const nearest = others.reduce((best, other) => (Math.abs(level - other) < Math.abs(level - best) ? other : best))
    const alone = level - nearest
    if (others.length > 1 && Math.abs(alone) > MAX_LEVEL_STEP) return alone
    const step = before === null ? (others.length > 1 ? alone : 0) : level - before
    before = level
    return step
  })
}

export type LineEvidence = {
  /** False for a line that has no sound in the track. */
  readonly isSpoken: boolean
  readonly wanted: string
  /** Null if the words were not checked. */
  readonly recognized: string | null
  readonly characterError: number | null
  /** Seconds; null if the time was not checked. */
  readonly late: number | null
  /** True if speech was looked for, and found. */
  readonly speech: 'found' | 'none' | 'unchecked'
  readonly isOtherLanguage: boolean
  /** LUFS and LU. */
  readonly loudness: number | null
  readonly levelStep: number | null
  readonly clipped: number | null
  readonly rate: number
  readonly cutUs: number
  readonly leakDb: number | null
}

/** In the order of `LINE_FAULTS`. `threshold`: of the character error, and of the time in seconds. */
export function faultsOf(line: LineEvidence, threshold: number): LineFault[] {
  if (!line.isSpoken) return ['missing']
  // A detector may miss one short word, so silence needs a second sign.
  const isSilent = (line.loudness ?? SILENT) <= SILENT || (line.speech === 'none' && line.recognized === '')
  const repeated = line.recognized === null ? null : repeatedPhrase(line.recognized)
  const found: Record<LineFault, boolean> = {
    missing: false,
    silence: isSilent,
    words: (line.characterError ?? 0) > threshold,
    timing: (line.late ?? 0) > threshold,
    language: line.isOtherLanguage,
    repetition: repeated !== null && repeatedPhrase(line.wanted) === null,
    level: !isSilent && Math.abs(line.levelStep ?? 0) > MAX_LEVEL_STEP,
    clipping: (line.clipped ?? 0) > MAX_CLIPPED,
    rate: line.rate < SLOWEST || line.rate > FASTEST,
    cut: line.cutUs > MAX_CUT_US,
    leak: (line.leakDb ?? Number.NEGATIVE_INFINITY) > MAX_LEAK,
  }
  return LINE_FAULTS.filter((fault) => found[fault])
}

type Span = { readonly startUs: number; readonly endUs: number }
/** Detectors of speech are no more exact. */
const BESIDE_US = 300_000
const MIN_UNCOVERED_US = 500_000

/** Speech of the original at whose time there is no line, ascending. */
export function uncoveredSpeech(speech: readonly Span[], lines: readonly Span[]): Span[] {
  const covered = lines
    .map(({ startUs, endUs }) => ({ startUs: startUs - BESIDE_US, endUs: endUs + BESIDE_US }))
    .sort((one, other) => one.startUs - other.startUs)
  return speech.flatMap(({ startUs, endUs }) => {
    const rest: Span[] = []
    let at = startUs
    for (const line of covered) {
      if (line.endUs <= at) continue
      if (line.startUs >= endUs) break
      if (line.startUs > at) rest.push({ startUs: at, endUs: line.startUs })
      at = Math.max(at, line.endUs)
    }
    if (at < endUs) rest.push({ startUs: at, endUs })
    return rest.filter((span) => span.endUs - span.startUs >= MIN_UNCOVERED_US)
  })
}
