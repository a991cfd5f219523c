// The voice track of a film: each take at its own place, counted from the start of the film, so that no error adds up.
import { open } from 'node:fs/promises'
import { fromS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { concat, multiplied } from '#shared/audio/stage.ts'
import { changeTempo, fitLength } from '#shared/audio/stretch/tempo.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inWorkspace } from '../guard/workspace.ts'
import { type SoundWriter, writeBlocks } from '../sound/blocks.ts'
import { FILM_RATE } from '../sound/extract.ts'
import type { ThreadContext } from '../sound/messages.ts'
import { keepMinutes, lineKey, linkMinutes, minuteKeys, minutesOf, type TrackLine } from './minutes.ts'
import type { AssembledVoice, AssemblePlan, PlacedTake, TakeFile } from './plan.ts'

export type AssembleWork = AssemblePlan & { readonly scratch: string; readonly roomBytes: number }

const FADE_IN_SECONDS = 0.005
const FADE_OUT_SECONDS = 0.03
/** Longer takes are not made for lines of a film, and would be in memory as a whole. */
const LONGEST_TAKE_SECONDS = 600
const TRACK = 'voice'
const FORMAT = { sampleRate: FILM_RATE, channels: 1, encoding: 'f32' } as const

const framesAt = (us: number): number => Math.round((us * FILM_RATE) / 1e6)

/**
 * Equal plans give equal sound, with an earlier track and without. Throws INPUT_UNAVAILABLE without the file of a take that must be read,
 * STORAGE_FULL, and the reason of the signal.
 */
export const assembleVoice = (work: AssembleWork, { clock, signal, progress }: ThreadContext): Promise<AssembledVoice> =>
  inWorkspace({ ...work, clock }, null, signal, async (workspace) => {
    const folder = workspace.path(TRACK)
    const length = framesAt(work.durationUs)
    const placed = work.takes.map(({ startUs }) => ({ from: framesAt(startUs), to: framesAt(startUs), cutUs: 0 }))
    const lines = work.takes
      .map((take, index) => ({ take, index, ...lineOnTrack(take, length) }))
      .filter(({ from }) => from >= 0 && from < length)
      .sort((left, right) => left.from - right.from || left.index - right.index)
    const keys = minuteKeys(lines, length)
    const earlier = await linkMinutes(work.earlier ?? null, keys, length, folder)
    const writer = await writeBlocks(folder, FORMAT, { sparse: true, ready: earlier.ready })
    try {
      const track = createTrack(writer)
      const cuts = new Map<string, number>()
      for (const line of lines) {
        signal.throwIfAborted()
        const { take, index, from, key } = line
        let cutUs = earlier.cuts.get(key) ?? 0
        if (!minutesOf(line).every((minute) => earlier.ready.has(minute))) {
          const { samples, cut } = await soundOf(take, line.length)
          cutUs = Math.round((cut * 1e6) / FILM_RATE)
          await track.place(from, samples)
          progress(take.startUs)
        }
        if (cutUs > 0) cuts.set(key, cutUs)
        placed[index] = { from, to: from + line.length, cutUs }
      }
      await track.end(length)
      const sound = await writer.seal()
      await keepMinutes(folder, keys, writer.blocks(), cuts)
      await workspace.publish(TRACK, work.to)
      return { sound, placed }
    } finally {
      await writer.close()
    }
  })

/** Place and key of a take in a track of `room` frames, as far as it reaches. */
function lineOnTrack(take: PlacedTake, room: number): TrackLine {
  const from = framesAt(take.startUs)
  const length = Math.max(0, Math.min(framesAt(take.lengthUs), room - from))
  return { from, length, key: lineKey(take, from, length) }
}

/** The samples of a line at 48 kHz, exactly `length`, and how many were cut. */
async function soundOf({ take, part, tempo, gainDb }: PlacedTake, length: number): Promise<{ samples: Float32Array; cut: number }> {
  const { from, to } = part ?? { from: 0, to: take.samples }
  const read = await readTake(take, Math.max(0, from), Math.min(to, take.samples))
  if (from > 0) fadeIn(read, take.sampleRate)
  if (to < take.samples) fadeOut(read, take.sampleRate)
  const paced = await changeTempo(read, take.sampleRate, tempo)
  const resampler = await openResampler(take.sampleRate, FILM_RATE)
  try {
    const samples = concat([resampler.push(paced), resampler.flush()])
    return fitLength(multiplied(samples, 10 ** (gainDb / 20)), length, FILM_RATE)
  } finally {
    resampler.close()
  }
}

async function readTake({ path, offsetBytes, samples, sampleRate }: TakeFile, from: number, to: number): Promise<Float32Array> {
  if (samples > LONGEST_TAKE_SECONDS * sampleRate)
    throw new Failure('BAD_REQUEST', `A line has more than ${LONGEST_TAKE_SECONDS} seconds of speech.`)
  const missing = (cause?: unknown) => new Failure('INPUT_UNAVAILABLE', 'The speech of a line was deleted.', { cause })
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw missing(cause)
  })
  try {
    const bytes = Buffer.alloc(Math.max(0, to - from) * 2)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offsetBytes + from * 2)
    if (bytesRead < bytes.length) throw missing()
    return fromS16(bytes)
  } finally {
    await file.close()
  }
}

function fadeIn(samples: Float32Array, sampleRate: number): void {
  const count = Math.min(samples.length, Math.round(FADE_IN_SECONDS * sampleRate))
  for (let i = 0; i < count; i++) samples[i]! *= 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / count)
}
function fadeOut(samples: Float32Array, sampleRate: number): void {
  const count = Math.min(samples.length, Math.round(FADE_OUT_SECONDS * sampleRate))
  for (let i = 0; i < count; i++) samples[samples.length - 1 - i]! *= 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / count)
}

/** Adds up takes in the order of their starts, and writes what no later take can change. */
function createTrack(writer: SoundWriter) {
  let open = new Float32Array(0)
  let base = 0

  async function settle(upTo: number): Promise<void> {
    const count = Math.min(open.length, upTo - base)
    if (count > 0) {
      await writer.write(new Uint8Array(open.buffer, open.byteOffset, count * 4))
      open = open.slice(count)
      base += count
    }
    if (upTo > base) await writer.writeSilence(upTo - base)
    base = upTo
  }
  return {
    async place(from: number, samples: Float32Array): Promise<void> {
      if (from > base) await settle(from)
      if (open.length < samples.length) {
        const longer = new Float32Array(samples.length)
        longer.set(open)
        open = longer
      }
      for (let i = 0; i < samples.length; i++) open[i]! += samples[i]!
    },
    end: settle,
  }
}
