// Prepares long recordings for recognisers with a window of half a minute: cuts them at quiet places, or extracts their first sound. Pure.

export type SpeechPiece = { readonly from: number; readonly to: number }
const MAX_PIECE_SECONDS = 28
/** Keeps pieces from becoming many and small. */
const MIN_PIECE_SECONDS = 8
const FRAME_SECONDS = 0.02
/** A cut needs this many quiet frames; the gap between two periods of a vowel is shorter. */
const QUIET_FRAMES = 10
/** Pieces that are quieter throughout are dropped: some recognisers invent words in silence. */
const SILENCE = 1e-3
const BLOCK_SECONDS = 0.5

/** Sample positions in order. Silent pieces are left out. */
export function speechPieces(samples: Float32Array, rate: number, longest = MAX_PIECE_SECONDS, least = MIN_PIECE_SECONDS): SpeechPiece[] {
  const pieces: SpeechPiece[] = []
  for (let from = 0; from < samples.length; ) {
    const rest = samples.length - from
    const to = rest <= longest * rate ? samples.length : quietest(samples, rate, from + Math.round(least * rate), from + longest * rate)
    pieces.push({ from, to })
    from = to
  }
  return pieces.filter(({ from, to }) => samples.subarray(from, to).some((sample) => Math.abs(sample) > SILENCE))
}

/** The first `seconds` that contain sound, joined. Up to one second of a longer silence is kept. */
export function firstSound(samples: Float32Array, rate: number, seconds: number): Float32Array {
  const block = Math.max(1, Math.round(BLOCK_SECONDS * rate))
  const isLoud = (at: number) => samples.subarray(at, at + block).some((sample) => Math.abs(sample) > SILENCE)
  const kept = new Float32Array(Math.min(Math.round(seconds * rate), samples.length))
  let length = 0
  let before = false
  let now = isLoud(0)
  for (let at = 0; at < samples.length && length < kept.length; at += block) {
    const after = isLoud(at + block)
    if (before || now || after) {
      const piece = samples.subarray(at, Math.min(at + block, at + kept.length - length))
      kept.set(piece, length)
      length += piece.length
    }
    before = now
    now = after
  }
  return kept.subarray(0, length)
}

/** Middle of the quietest fifth of a second between `from` and `to`; the last one of several. */
function quietest(samples: Float32Array, rate: number, from: number, to: number): number {
  const frame = Math.max(1, Math.round(FRAME_SECONDS * rate))
  const loudness: number[] = []
  for (let at = from; at + frame <= to; at += frame) {
    let sum = 0
    for (let each = at; each < at + frame; each++) sum += samples[each]! ** 2
    loudness.push(sum)
  }
  let best = Number.POSITIVE_INFINITY
  let cut = to
  for (let first = 0; first + QUIET_FRAMES <= loudness.length; first++) {
    const sum = loudness.slice(first, first + QUIET_FRAMES).reduce((one, two) => one + two, 0)
    if (sum > best) continue
    best = sum
    cut = from + (first + QUIET_FRAMES / 2) * frame
  }
  return cut
}
