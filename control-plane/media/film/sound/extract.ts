// The sound of a film as blocks: what ffmpeg decodes, moved to where it lies against the picture, and the mono version that engines take.

import { NO_SOUND } from '#control-plane/media/ffmpeg/refused-file.ts'
import { createDownmix } from '#shared/audio/channels/downmix.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ffmpegArguments, foreignInput } from '../guard/arguments.ts'
import { inWorkspace } from '../guard/workspace.ts'
import { type SoundShape, writeBlocks } from './blocks.ts'
import type { ThreadContext } from './messages.ts'

export const FILM_RATE = 48_000
export const SPEECH_RATE = 16_000
const CHANNELS = 2
const FRAME_BYTES = 4
/** The sound of a film begins at most this long before or after its picture; more is an error of the file. */
const MAX_LEAD_US = 600 * 1e6

export type ExtractWork = {
  readonly program: string
  readonly scratch: string
  readonly source: string
  /** The position of the stream among those of sound. */
  readonly stream: number
  readonly isMono: boolean
  readonly leadUs: number
  /** When the picture ends. Sound that ends earlier goes on with silence; null for none. */
  readonly pictureUs: number | null
  /** Folders that do not exist yet, on the disk of `scratch`. */
  readonly sound: string
  readonly speech: string
  readonly longestSeconds: number
  readonly limitMs: number
  readonly roomBytes: number
  readonly threads: number
}
export type ExtractedSound = {
  /** 48 kHz, stereo, 16 bit: sample 0 is the start of the picture. */
  readonly sound: SoundShape
  /** 16 kHz, mono, 16 bit, from the same samples. */
  readonly speech: SoundShape
  readonly durationUs: number
  /** Length without the silence at its end. */
  readonly decodedUs: number
  /** When the picture ends; null for none. */
  readonly pictureUs: number | null
}
/** Encoders end sound and picture a little apart. */
const MIN_SILENCE_US = 500_000

/** Throws BAD_REQUEST for sound that cannot be decoded or is too long, STORAGE_FULL, EXECUTION_TIMEOUT, and the reason of the signal. */
export const extractSound = (work: ExtractWork, { clock, signal, progress }: ThreadContext): Promise<ExtractedSound> =>
  inWorkspace({ ...work, clock }, work.source, signal, async (workspace) => {
    const [soundName, speechName] = ['sound', 'speech']
    const sound = await writeBlocks(workspace.path(soundName), { sampleRate: FILM_RATE, channels: CHANNELS, encoding: 's16' })
    const speech = await writeBlocks(workspace.path(speechName), { sampleRate: SPEECH_RATE, channels: 1, encoding: 's16' })
    const mixer = createDownmix(CHANNELS, FILM_RATE)
    const resampler = await openResampler(FILM_RATE, SPEECH_RATE)
    const longest = work.longestSeconds * FILM_RATE
    const take = async (bytes: Uint8Array): Promise<void> => {
      if (sound.written() + bytes.length / FRAME_BYTES > longest)
        throw new Failure('BAD_REQUEST', `The film has more than ${work.longestSeconds / 3600} hours of sound.`)
      await sound.write(bytes)
      await speech.write(toS16(resampler.push(mixer.push(fromS16(bytes)))))
    }
    try {
      const mover = createMover(Math.round((Math.max(-MAX_LEAD_US, Math.min(MAX_LEAD_US, work.leadUs)) * FILM_RATE) / 1e6))
      for (const piece of mover.opening()) await take(piece)
      await workspace.run({
        program: work.program,
        args: ffmpegArguments([foreignInput()], outputOf(work), work.threads),
        limitMs: work.limitMs,
        progress,
        async take(piece) {
          const whole = mover.push(piece)
          if (whole.length > 0) await take(whole)
        },
      })
      if (!mover.hasSound()) throw new Failure('BAD_REQUEST', NO_SOUND)
      await speech.write(toS16(resampler.push(mixer.flush())))
      await speech.write(toS16(resampler.flush()))
      const decodedUs = usOf(sound.written())
      const wholeUs = Math.min(work.pictureUs ?? 0, work.longestSeconds * 1e6)
      if (wholeUs - decodedUs > MIN_SILENCE_US) {
        await sound.writeSilence(Math.round((wholeUs * FILM_RATE) / 1e6) - sound.written())
        await speech.writeSilence(Math.max(0, Math.round((wholeUs * SPEECH_RATE) / 1e6) - speech.written()))
      }
      const [soundShape, speechShape] = [await sound.seal(), await speech.seal()]
      await workspace.publish(speechName, work.speech)
      await workspace.publish(soundName, work.sound)
      return { sound: soundShape, speech: speechShape, durationUs: usOf(soundShape.samples), decodedUs, pictureUs: work.pictureUs }
    } finally {
      resampler.close()
      await sound.close()
      await speech.close()
    }
  })

const usOf = (frames: number): number => Math.round((frames * 1e6) / FILM_RATE)

/** `async` fills holes in the sound: without it, 8.5 s of film became 4 s. ffmpeg itself makes mono sound 3 dB quieter on two channels. */
const outputOf = ({ stream, isMono }: Pick<ExtractWork, 'stream' | 'isMono'>): string[] => [
  ...['-map', `0:a:${stream}`, '-vn', '-sn', '-dn', '-af', `aresample=async=1${isMono ? ',pan=stereo|c0=c0|c1=c0' : ''}`],
  ...['-ac', String(CHANNELS), '-ar', String(FILM_RATE)],
  ...['-f', 's16le', 'pipe:1'],
]

/** Puts silence before the sound, or removes its beginning, and cuts pieces at whole frames. `shift` in frames. */
function createMover(shift: number) {
  let toDrop = Math.max(0, -shift) * FRAME_BYTES
  let rest: Uint8Array = new Uint8Array(0)
  let bytes = 0
  return {
    *opening(): Generator<Uint8Array> {
      for (let left = Math.max(0, shift); left > 0; left -= FILM_RATE) yield new Uint8Array(Math.min(left, FILM_RATE) * FRAME_BYTES)
    },
    push(piece: Uint8Array): Uint8Array {
      bytes += piece.length
      const all = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      const dropped = Math.min(toDrop, all.length - (all.length % FRAME_BYTES))
      toDrop -= dropped
      const end = all.length - (all.length % FRAME_BYTES)
      rest = Uint8Array.from(all.subarray(end))
      return all.subarray(dropped, end)
    },
    hasSound: () => bytes >= FRAME_BYTES,
  }
}
