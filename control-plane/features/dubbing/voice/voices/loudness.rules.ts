// The loudness of each spoken line, so that whispers and shouts stay what they are. Pure.

/** dB around the usual level of a speaker. */
const MAX_DB = 9
/** Fewer lines have no usual level. */
const MIN_LINES = 3

/** `speaker`: whose usual level counts. `levelDb`: of the original at the time of the line; null for silence. */
export type LeveledLine = { readonly speaker: string; readonly levelDb: number | null }

/** dB for each line: how far its original is from the median of its speaker, at most 9. */
export function levelGains(lines: readonly LeveledLine[]): number[] {
  const audible = lines.flatMap(({ speaker, levelDb }) => (levelDb === null ? [] : [{ speaker, levelDb }]))
  const levels = [...Map.groupBy(audible, ({ speaker }) => speaker)].map(
    ([speaker, own]) => [speaker, own.map((line) => line.levelDb)] as const,
  )
  const usual = new Map(levels.filter(([, own]) => own.length >= MIN_LINES).map(([speaker, own]) => [speaker, median(own)]))
  return lines.map(({ speaker, levelDb }) => {
    const middle = usual.get(speaker)
    if (middle === undefined || levelDb === null) return 0
    return Math.max(-MAX_DB, Math.min(MAX_DB, Math.round((levelDb - middle) * 10) / 10))
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
