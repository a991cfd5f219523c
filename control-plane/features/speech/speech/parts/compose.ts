// The file of a take, made of sounds that an engine has made now or earlier.
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { Media } from '#control-plane/media/encode.ts'
import { keepFile } from '#control-plane/media/keep-file.ts'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import type { OutputPiece } from '#control-plane/tasks/output.ts'
import type { Result } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { fileIn, removeFileIn } from '#shared/runtime/file.ts'
import { afterSilence, joined, silentParts } from '../chunks.ts'
import type { PartSound } from './take-script.ts'

type Sounds = {
  /** All parts in order, from their beginning at each call. */
  readonly pieces: () => AsyncIterable<OutputPiece>
  readonly parts: readonly { readonly samples: number }[]
}
type Composed = { readonly bytes: number; readonly seconds: number; readonly silent: ReadonlySet<number> }
type Look = {
  readonly sampleRate: number
  readonly leadMs: number
  /** Samples. */
  readonly crossfade: number
  readonly effects: string
  readonly mark: ReturnType<MarkOf>
}
export type Composer = ReturnType<typeof createComposer>
type Deps = {
  readonly media: Pick<Media, 'encode'>
  readonly artifacts: Pick<Artifacts, 'read' | 'keep' | 'renew'>
  readonly audioFolder: string
}
const WAV_HEADER_BYTES = 44

export function createComposer({ media, artifacts, audioFolder }: Deps) {
  async function* readSound({ digest, at, samples }: Pick<PartSound, 'digest' | 'at' | 'samples'>): AsyncGenerator<Buffer> {
    if (samples === 0) return
    try {
      yield* artifacts.read(digest, at, at + 2 * samples - 1)
    } catch (cause) {
      throw new Failure('INPUT_UNAVAILABLE', 'The sound of the parts of this take is gone. Speak all of it again.', { cause })
    }
  }

  return {
    /** Joins, masters and marks the parts and writes the file. The same name writes the same file. Throws STORAGE_FULL, INPUT_UNAVAILABLE. */
    async compose(
      name: string,
      { pieces, parts }: Sounds,
      { sampleRate, leadMs, crossfade, effects, mark }: Look,
      signal: AbortSignal,
    ): Promise<Composed> {
      const silent = await silentParts(pieces(), parts)
      const { body, contentLength } = await media.encode({
        format: 'wav',
        sampleRate,
        source: afterSilence(leadMs, sampleRate, joined(pieces(), parts, crossfade, silent)),
        mark,
        effects,
        master: effects !== 'raw', // 'raw' promises the unchanged output of the engine
        signal,
      })
      await keepFile(fileIn(audioFolder, name), body)
      const bytes = contentLength!
      return { bytes, seconds: Math.round((1000 * (bytes - WAV_HEADER_BYTES)) / 2 / sampleRate) / 1000, silent }
    },

    /** Removes a file that no take names. */
    discard: (name: string): void => removeFileIn(audioFolder, name),

    /** The parts in order: those that are kept from their files, the others (null) from what a task has made. `parts`: all of them. */
    async *spliced(
      sounds: readonly (Pick<PartSound, 'digest' | 'at' | 'samples'> | null)[],
      made: AsyncIterable<OutputPiece>,
      parts: readonly { readonly samples: number }[],
    ): AsyncGenerator<OutputPiece> {
      const next = bytesOf(made)
      try {
        for (const [part, sound] of sounds.entries())
          if (sound) for await (const bytes of readSound(sound)) yield { part, bytes }
          else for await (const bytes of next.take(2 * parts[part]!.samples)) yield { part, bytes }
      } finally {
        await next.end()
      }
    },

    /** Keeps the output of a task for the take that names it within an hour. `bytes`: those of a small one, which is in no file yet. */
    async keepOutput(output: Pick<Result, 'digest' | 'size' | 'bytes'> | null): Promise<string | null> {
      if (!output || output.size === 0) return null
      const { digest, size, bytes } = output
      if (bytes) await artifacts.keep(digest, { chunks: [bytes] })
      else if (!(await artifacts.renew(digest, size)))
        throw new Failure('INPUT_UNAVAILABLE', 'The audio of the task was deleted. Generate the take again.')
      return digest
    },
  }
}

/** Reads pieces in stretches of any length. */
function bytesOf(pieces: AsyncIterable<OutputPiece>) {
  const source = pieces[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return {
    async *take(length: number): AsyncGenerator<Buffer> {
      for (let left = length; left > 0; ) {
        if (rest.length === 0) {
          const { value, done } = await source.next()
          if (done) return
          rest = Buffer.from(value.bytes.buffer, value.bytes.byteOffset, value.bytes.byteLength)
        }
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        if (piece.length > 0) yield piece
      }
    },
    end: async () => void (await source.return?.()),
  }
}
