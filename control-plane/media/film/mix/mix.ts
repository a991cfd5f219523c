// The sound of a dubbed film: the original sample for sample, and in the regions of speech the bed with the voice.
import { type ChannelSamples, createRegionMixer } from '#shared/audio/dub/region-mixer.ts'
import { type DubRegion, dubRegions } from '#shared/audio/dub/regions.ts'
import { createMark, markStep } from '#shared/audio/mark/mark.ts'
import { inWorkspace } from '../guard/workspace.ts'
import { openBlocks, type SoundReader, type SoundWriter, writeBlocks } from '../sound/blocks.ts'
import { FILM_RATE } from '../sound/extract.ts'
import type { ThreadContext } from '../sound/messages.ts'
import { interleaved, isMono, readChannels, readLeft, readStereo } from '../sound/samples.ts'
import { matchingGainDb, speechLoudness } from './loudness.ts'
import type { MixedSound, MixPlan, SoundSpan } from './plan.ts'

export type MixWork = MixPlan & { readonly scratch: string; readonly roomBytes: number }

const DUCK_DB = -18
/** dBTP. */
const CEILING_DB = -1
/** Frames that are mixed at once. */
const PIECE = FILM_RATE / 4
const RESULT = 'mix'

const factorOf = (db: number): number => 10 ** (db / 20)

/** Equal plans give equal sound. Throws INPUT_UNAVAILABLE for sound that was deleted, STORAGE_FULL, and the reason of the signal. */
export const mixFilm = (work: MixWork, { clock, signal, progress }: ThreadContext): Promise<MixedSound> =>
  inWorkspace({ ...work, clock }, null, signal, async (workspace) => {
    const length = Math.round((work.durationUs * FILM_RATE) / 1e6)
    const sources: Sources = {
      original: await openBlocks(work.original),
      background: work.background && { holds: work.background.holds, sound: await openBlocks(work.background.sound) },
      voice: await openBlocks(work.voice),
    }
    for (const { sampleRate } of [sources.original, sources.voice])
      if (sampleRate !== FILM_RATE) throw new RangeError(`sound of a film has ${FILM_RATE} Hz`)
    const speechRead = (await areChannelsEqual(sources, work.speech, signal)) ? readMono : readStereo
    const loudness = await speechLoudness(work.speech, (from, count) => readDialogue(sources, speechRead, from, count), signal)
    const voiceGainDb =
      work.voiceGainDb === 'match'
        ? matchingGainDb(loudness, await speechLoudness(work.placed, (from, count) => readChannels(sources.voice, from, count), signal))
        : work.voiceGainDb
    const regions = dubRegions([...work.speech, ...work.placed], length, FILM_RATE)
    const isDucked = work.preserveBackground && work.background === null
    const bedGain = !work.preserveBackground ? 0 : factorOf((isDucked ? DUCK_DB : 0) + Math.min(0, work.duckDb))
    const mixing = { bedGain, voiceGain: factorOf(voiceGainDb) }

    const writer = await writeBlocks(workspace.path(RESULT), { sampleRate: FILM_RATE, channels: 2, encoding: 's16' })
    const report = () => progress((writer.written() * 1e6) / FILM_RATE)
    try {
      for (const region of regions) {
        await copy(work, sources.original, writer, region.from, signal, report)
        await mixRegion(work, mixing, sources, writer, region, signal)
        report()
      }
      await copy(work, sources.original, writer, length, signal, report)
      const sound = await writer.seal()
      await workspace.publish(RESULT, work.to)
      return { sound, regions, voiceGainDb, speechLoudness: loudness, isDucked }
    } finally {
      await writer.close()
    }
  })

/** Reads the channels that are mixed: one where both are equal. */
type ReadSound = (sound: SoundReader, from: number, count: number) => Promise<ChannelSamples>
const readMono: ReadSound = async (sound, from, count) => [await readLeft(sound, from, count)]

type Sources = {
  readonly original: SoundReader
  readonly background: { readonly holds: 'bed' | 'vocals'; readonly sound: SoundReader } | null
  readonly voice: SoundReader
}

/** The original up to a frame, as bytes, or silence where there is none. */
async function copy(
  { preserveBackground }: MixPlan,
  original: SoundReader,
  writer: SoundWriter,
  upTo: number,
  signal: AbortSignal,
  report: () => void,
): Promise<void> {
  const areBytesEqual = original.encoding === 's16' && original.channels === 2
  while (writer.written() < upTo) {
    signal.throwIfAborted()
    const from = writer.written()
    const count = Math.min(PIECE, upTo - from)
    if (!preserveBackground) await writer.writeSilence(count)
    else if (areBytesEqual) await writer.write(await original.read(from, count))
    else await writer.write(interleaved(...(await readStereo(original, from, count))))
    report()
  }
}

async function mixRegion(
  { mark, preserveBackground }: MixPlan,
  gains: { readonly bedGain: number; readonly voiceGain: number },
  sources: Sources,
  writer: SoundWriter,
  region: DubRegion,
  signal: AbortSignal,
): Promise<void> {
  const step = markStep(FILM_RATE)
  const start = Math.floor(region.from / step) * step
  const isOne = !preserveBackground || (await areChannelsEqual(sources, [{ from: start, to: region.to }], signal))
  const read = isOne ? readMono : readStereo
  const mixer = createRegionMixer({
    region,
    start,
    sampleRate: FILM_RATE,
    ...gains,
    mark: mark && (() => createMark({ ...mark, sampleRate: FILM_RATE, position: start })),
    ceiling: factorOf(CEILING_DB),
    channels: isOne ? 1 : 2,
  })
  for (let at = start; at < region.to; at += PIECE) {
    signal.throwIfAborted()
    const count = Math.min(PIECE, region.to - at)
    const original: ChannelSamples = preserveBackground ? await read(sources.original, at, count) : [new Float32Array(count)]
    const [voice] = await readChannels(sources.voice, at, count)
    await writer.write(interleaved(...mixer.push(original, await readBed(sources, read, original, at, count), voice!)))
  }
  await writer.write(interleaved(...mixer.flush()))
}

/** True if the sound of the film is mono there, which is found out in a hundredth of the time that mixing takes. */
async function areChannelsEqual({ original, background }: Sources, spans: readonly SoundSpan[], signal: AbortSignal): Promise<boolean> {
  for (const { from, to } of spans)
    for (let at = from; at < to; at += PIECE) {
      signal.throwIfAborted()
      const count = Math.min(PIECE, to - at)
      if (!(await isMono(original, at, count)) || (background && !(await isMono(background.sound, at, count)))) return false
    }
  return true
}

/** Reads the sound under the voice: the bed, or the rest of the original without its vocals. */
async function readBed(
  { background }: Sources,
  read: ReadSound,
  original: ChannelSamples,
  from: number,
  count: number,
): Promise<ChannelSamples> {
  if (!background) return original
  const part = await read(background.sound, from, count)
  return background.holds === 'bed' ? part : minus(original, part)
}

/** The original speech, as far as it is known apart from the rest. */
async function readDialogue({ original, background }: Sources, read: ReadSound, from: number, count: number): Promise<Float32Array[]> {
  if (!background) return channelsOf(await read(original, from, count))
  const part = await read(background.sound, from, count)
  return channelsOf(background.holds === 'vocals' ? part : minus(await read(original, from, count), part))
}

const minus = ([left, right]: ChannelSamples, [partLeft, partRight]: ChannelSamples): ChannelSamples => {
  const rest = (whole: Float32Array, part: Float32Array) => whole.map((sample, i) => sample - part[i]!)
  return right ? [rest(left, partLeft), rest(right, partRight!)] : [rest(left, partLeft)]
}
const channelsOf = ([left, right]: ChannelSamples): Float32Array[] => (right ? [left, right] : [left])
