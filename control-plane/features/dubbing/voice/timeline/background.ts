// The background of a film: its sound without the isolated voice.

import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { interleaved, readStereo } from '#control-plane/media/film/sound/samples.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** All are folders of sound; `to` does not exist yet. Throws INPUT_UNAVAILABLE, the errors of the disk, and the reason of the signal. */
export async function writeBackground(original: string, vocals: string, to: string, signal: AbortSignal): Promise<void> {
  const [whole, voice] = [await openBlocks(original), await openBlocks(vocals)]
  const { sampleRate, samples } = whole
  const writer = await writeBlocks(to, { sampleRate, channels: 2, encoding: 's16' })
  try {
    for (let at = 0; at < samples; at += sampleRate) {
      signal.throwIfAborted()
      const count = Math.min(sampleRate, samples - at)
      const [left, right] = await readStereo(whole, at, count)
      const [voiceLeft, voiceRight] = await readStereo(voice, at, count)
      const minus = (one: Float32Array, other: Float32Array) => one.map((sample, i) => sample - other[i]!)
      await writer.write(interleaved(minus(left, voiceLeft), minus(right, voiceRight)))
      // A second of samples at a time, so that other requests go on.
      await nextTurn()
    }
    await writer.seal()
  } finally {
    await writer.close()
  }
}
