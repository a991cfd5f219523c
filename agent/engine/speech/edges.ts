// The ends of spoken pieces, and the pauses between them: a voice leaves silence of its own around each piece, which together with the next
// piece would be longer than any pause within one. Pure.

const WINDOW_MS = 5
/** Level below that of the loudest window: quieter ends are silence. */
const SILENT_DB = -45
/** Kept around the speech, so that breath and decay are not cut. */
const HEAD_MS = 20
const TAIL_MS = 40

/** The samples without silence at both ends; all of them if nothing is louder. `rate` in Hz; `speed`: of the speech. */
export function withoutEnds(samples: Float32Array, rate: number, speed = 1): Float32Array {
  const window = Math.round((WINDOW_MS * rate) / 1000)
  const levels: number[] = []
  for (let at = 0; at < samples.length; at += window) {
    let sum = 0
    for (let i = at; i < Math.min(samples.length, at + window); i++) sum += samples[i]! ** 2
    levels.push(Math.sqrt(sum / window))
  }
  const least = levels.reduce((most, level) => Math.max(most, level), 0) * 10 ** (SILENT_DB / 20)
  const first = levels.findIndex((level) => level > least)
  if (first < 0) return samples
  const last = levels.findLastIndex((level) => level > least)
  const from = first * window - Math.round((HEAD_MS * rate) / 1000 / speed)
  const to = (last + 1) * window + Math.round((TAIL_MS * rate) / 1000 / speed)
  return samples.subarray(Math.max(0, from), Math.min(samples.length, to))
}

/** Pauses after a sentence, after a colon, semicolon or dash, and after a comma, in milliseconds. */
const PAUSES_MS = { sentence: 400, clause: 280, comma: 180 }
const CLOSING = /["'”’»)\]]{1,7}$/

/** Milliseconds of silence after a piece, by the mark at its end; 0 for a piece that ends within a clause. */
export function pauseAfter(piece: string): number {
  const mark = piece.slice(-8).trimEnd().replace(CLOSING, '').at(-1) ?? ''
  if (/[.!?…。！？।]/.test(mark)) return PAUSES_MS.sentence
  if (/[;:—–；：]/.test(mark)) return PAUSES_MS.clause
  return /[,，、]/.test(mark) ? PAUSES_MS.comma : 0
}
