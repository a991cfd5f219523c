// A long recording for recognisers that hear half a minute at a time: cut where it is quiet, or its first half minute of sound. Pure.

export type SpeechPiece = { readonly from: number; readonly to: number }
const LONGEST_SECONDS = 28
/** A cut comes no earlier, so that pieces do not become many and small. */
const LEAST_SECONDS = 8
const FRAME_SECONDS = 0.02
/** A cut wants quiet around it, not only between two periods of a vowel. */
const QUIET_FRAMES = 10
/** What is quieter everywhere is not speech; some recognisers imagine words there. */
const SILENCE = 1e-3
const BLOCK_SECONDS = 0.5

/** Sample positions, in order and without a gap; a recording without any sound gives none. */
export function speechPieces(samples: Float32Array, rate: number, longest = LONGEST_SECONDS, least = LEAST_SECONDS): SpeechPiece[] {
  const pieces: SpeechPiece[] = []
  for (let from = 0; from < samples.length; ) {
    const rest = samples.length - from
    const to = rest <= longest * rate ? samples.length : quietest(samples, rate, from + Math.round(least * rate), from + longest * rate)
    pieces.push({ from, to })
    from = to
  }
  return pieces.filter(({ from, to }) => samples.subarray(from, to).some((sample) => Math.abs(sample) > SILENCE))
}

/** The first `seconds` of it in which there is sound, joined; of a longer silence up to a second stays on each side. */
export function firstSound(samples: Float32Array, rate: number, seconds: number): Float32Array {
  const block = Math.max(1, Math.round(BLOCK_SECONDS * rate))
  const sounds = (at: number) => samples.subarray(at, at + block).some((sample) => Math.abs(sample) > SILENCE)
  const heard = new Float32Array(Math.min(Math.round(seconds * rate), samples.length))
  let length = 0
  let before = false
  let here = sounds(0)
  for (let at = 0; at < samples.length && length < heard.length; at += block) {
    const after = sounds(at + block)
    if (before || here || after) {
      const piece = samples.subarray(at, Math.min(at + block, at + heard.length - length))
      heard.set(piece, length)
      length += piece.length
    }
    before = here
    here = after
  }
  return heard.subarray(0, length)
}

/** Middle of the quietest fifth of a second between the two; the last of equally quiet ones. */
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
