// The times of the words of a decoded window: its finished text goes through the decoder once more, for the cross attentions.
import type { EncodedWindow, WhisperNetwork } from '#agent/engine/runtimes/transformers/whisper.ts'
import type { AsrSegment } from '#shared/operations/asr.ts'
import { piecesOf, SECONDS_PER_FRAME, type TimedWord, tokenStarts, wordsAt } from './word-times.ts'

type Window = {
  /** Prefix of the decoding. */
  readonly prefix: readonly number[]
  readonly language: string
  /** Length of the sound. */
  readonly seconds: number
}

/** The words of each segment, in seconds from the start of the window; empty if the network cannot tell. */
export async function wordTimes(
  network: WhisperNetwork,
  encoded: EncodedWindow,
  segments: readonly AsrSegment[],
  { prefix, language, seconds }: Window,
): Promise<TimedWord[][]> {
  if (network.alignmentHeads === null || segments.length === 0) return []
  const texts = segments.map(({ decoding }) => (decoding?.tokens ?? []).filter((token) => token < network.endOfText))
  const before = [...prefix, network.noTimestamps]
  const tokens = [...before, ...texts.flat(), network.endOfText].slice(-network.maxLength)
  const attentions = await network.attentions(encoded, tokens)
  const frames = Math.max(1, Math.min(attentions[0]!.dims[3]!, Math.round(seconds / SECONDS_PER_FRAME)))
  // A token looks at the sound of the one that follows it: the row of the last one before the text has the time of the first word.
  const starts = tokenStarts(attentions, network.alignmentHeads, prefix.length, frames)
  let first = 0
  return texts.map((text) => {
    const words = wordsAt(piecesOf(text, network.textOf), starts, first, language)
    first += text.length
    return words
  })
}
