// Sound under a picture that is slower in places: pieces become longer at the same pitch, everything else is copied.
import { stretchSound } from '#shared/audio/stretch/wsola.ts'
import { inWorkspace } from '../guard/workspace.ts'
import { openBlocks, type SoundReader, type SoundShape, type SoundWriter, writeBlocks } from '../sound/blocks.ts'
import { FILM_RATE } from '../sound/extract.ts'
import type { ThreadContext } from '../sound/messages.ts'
import { interleaved, readStereo } from '../sound/samples.ts'
import type { StretchPiece, StretchPlan } from './plan.ts'

export type StretchWork = StretchPlan & { readonly scratch: string; readonly roomBytes: number }

const PIECE = FILM_RATE
const SOUND_FORMAT = { sampleRate: FILM_RATE, channels: 2, encoding: 's16' } as const

/** Throws RangeError for pieces out of order, INPUT_UNAVAILABLE for sound that was deleted, STORAGE_FULL, and the reason of the signal. */
export const stretchFilm = (work: StretchWork, { clock, signal, progress }: ThreadContext): Promise<SoundShape[]> =>
  inWorkspace({ ...work, clock }, null, signal, async (workspace) => {
    checkPieces(work.pieces)
    const sounds = await Promise.all(work.sounds.map(({ from }) => openBlocks(from)))
    const writers: SoundWriter[] = []
    try {
      for (const index of sounds.keys()) writers.push(await writeBlocks(workspace.path(`sound${index}`), SOUND_FORMAT))
      const end = Math.max(0, ...sounds.map(({ samples }) => samples))
      let at = 0
      const copyTo = async (to: number): Promise<void> => {
        for (; at < to; at += PIECE) {
          signal.throwIfAborted()
          const count = Math.min(PIECE, to - at)
          for (const [index, sound] of sounds.entries()) await writers[index]!.write(await exactly(sound, at, count))
          progress(((at + count) * 1e6) / FILM_RATE)
        }
        at = to
      }
      for (const piece of work.pieces) {
        await copyTo(piece.from)
        await stretchPiece(sounds, writers, piece, signal)
        at = piece.to
      }
      await copyTo(Math.max(at, end))
      const shapes = await Promise.all(writers.map((writer) => writer.seal()))
      for (const [index, { to }] of work.sounds.entries()) await workspace.publish(`sound${index}`, to)
      return shapes
    } finally {
      await Promise.all(writers.map((writer) => writer.close()))
    }
  })

function checkPieces(pieces: readonly StretchPiece[]): void {
  let last = 0
  for (const { from, to, length } of pieces) {
    if (!(from >= last && to > from && length > 0)) throw new RangeError('pieces of sound are ascending and do not overlap')
    last = to
  }
}

/** Bytes of stereo s16le, unchanged where the sound has them. */
const exactly = async (sound: SoundReader, from: number, count: number): Promise<Uint8Array> =>
  sound.encoding === 's16' && sound.channels === 2 ? await sound.read(from, count) : interleaved(...(await readStereo(sound, from, count)))

async function stretchPiece(
  sounds: readonly SoundReader[],
  writers: readonly SoundWriter[],
  piece: StretchPiece,
  signal: AbortSignal,
): Promise<void> {
  const read = async (from: number, count: number) => (await Promise.all(sounds.map((sound) => readStereo(sound, from, count)))).flat()
  for await (const channels of stretchSound({ read, alike: 2, ...piece, sampleRate: FILM_RATE })) {
    signal.throwIfAborted()
    for (const [index, writer] of writers.entries()) await writer.write(interleaved(channels[2 * index]!, channels[2 * index + 1]!))
  }
}
