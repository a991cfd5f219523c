// The chunks of a take: joined with a crossfade, or emitted one by one during synthesis.
import { createCrossfade } from '#shared/audio/crossfade.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import type { OutputPiece } from '../../tasks/output.ts'

/** A chunk whose samples all stay below this is silent. */
const SILENCE = 1e-3

/** One part of a take, whole. */
export type WholePart = { readonly index: number; readonly bytes: Buffer }

/**
 * Cuts by the lengths that the engine reported, in samples: bytes read back from disk carry no part number. `lengths` null, while the task
 * runs: a part is whole when the next one begins or the output ends.
 */
export async function* wholeParts(
  pieces: AsyncIterable<OutputPiece>,
  lengths: readonly { readonly samples: number }[] | null,
): AsyncGenerator<WholePart> {
  let waiting: Buffer[] = []
  let held = 0
  let index = 0
  const take = (length: number): WholePart => {
    const whole = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
    waiting = [whole.subarray(length)]
    held -= length
    return { index: index++, bytes: whole.subarray(0, length) }
  }
  const due = function* () {
    while (lengths && index < lengths.length && held >= 2 * lengths[index]!.samples) yield take(2 * lengths[index]!.samples)
  }
  for await (const { part, bytes } of pieces) {
    while (!lengths && index < part) yield take(held)
    waiting.push(bytes)
    held += bytes.length
    yield* due()
  }
  yield* due()
  if (!lengths && held > 0) yield take(held)
}

/** s16le of the parts joined with a crossfade. Silent parts are omitted, and their indices are added to `silent`. */
export async function* joinedParts(
  parts: AsyncIterable<WholePart>,
  crossfadeSamples: number,
  silent: Set<number>,
): AsyncGenerator<Uint8Array> {
  const join = createCrossfade(crossfadeSamples)
  for await (const { index, bytes } of parts) {
    const chunk = fromS16(bytes)
    if (chunk.some((sample) => Math.abs(sample) > SILENCE)) yield toS16(join.push(chunk))
    else silent.add(index)
  }
  yield toS16(join.flush())
}

/** s16le of all chunks joined, as `joinedParts` does. `parts`: samples of each chunk. */
export const joined = (
  pieces: AsyncIterable<OutputPiece>,
  parts: readonly { samples: number }[],
  crossfadeSamples: number,
  silent: Set<number>,
): AsyncGenerator<Uint8Array> => joinedParts(wholeParts(pieces, parts), crossfadeSamples, silent)

/** The parts beyond the last of `count` chunks belong to it. */
export async function* inChunks(pieces: AsyncIterable<OutputPiece>, count: number): AsyncGenerator<OutputPiece> {
  for await (const { part, bytes } of pieces) yield { part: Math.min(part, count - 1), bytes }
}

/** Renders all chunks as one piece of audio and cuts the result where each chunk ends. `render` must keep the length. */
export async function* cutWhereChunksEnd(
  pieces: AsyncIterable<OutputPiece>,
  count: number,
  render: (source: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<{ seq: number; pcm: Buffer }> {
  const ends: number[] = [] // in bytes, of every chunk whose successor has started
  async function* source(): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const { part, bytes: piece } of pieces) {
      while (ends.length < part) ends.push(bytes)
      bytes += piece.length
      yield piece
    }
    while (ends.length < count) ends.push(bytes)
  }
  // Concatenated only where a chunk ends: a chunk may be an hour long and arrive in thousands of pieces.
  let waiting: Uint8Array[] = []
  let held = 0
  let sent = 0
  let seq = 0
  const due = function* () {
    if (seq >= ends.length || sent + held < ends[seq]!) return
    let whole = Buffer.concat(waiting)
    for (; seq < ends.length && sent + whole.length >= ends[seq]!; seq++) {
      const pcm = whole.subarray(0, ends[seq]! - sent)
      whole = whole.subarray(pcm.length)
      sent += pcm.length
      yield { seq, pcm }
    }
    waiting = [whole]
    held = whole.length
  }
  for await (const bytes of await render(source())) {
    waiting.push(bytes)
    held += bytes.length
    yield* due()
  }
  yield* due()
}

export async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const bytes of body) pieces.push(bytes)
  return Buffer.concat(pieces)
}

/** All pieces of each source in turn. */
export async function* inOrder(...sources: readonly AsyncIterable<OutputPiece>[]): AsyncGenerator<OutputPiece> {
  for (const source of sources) yield* source
}
