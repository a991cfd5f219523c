// The chunks of a take: joined with a crossfade, or emitted one by one during synthesis.
import { createCrossfade } from '#shared/audio/crossfade.ts'
import { createS16Reader, toS16 } from '#shared/audio/pcm.ts'
import type { OutputPiece } from '../../tasks/output.ts'

/** A chunk whose samples all stay below this is silent. */
const SILENCE = 1e-3

/** s16le of all chunks joined. Silent chunks are omitted, and their indices are added to `silent`. `parts`: samples of each chunk. */
export async function* joined(
  pieces: AsyncIterable<OutputPiece>,
  parts: readonly { samples: number }[],
  crossfadeSamples: number,
  silent: Set<number>,
): AsyncGenerator<Uint8Array> {
  const join = createCrossfade(crossfadeSamples)
  const reader = createS16Reader()
  let index = 0
  let chunk = new Float32Array(parts[0]?.samples ?? 0)
  let filled = 0
  const next = function* () {
    while (filled === chunk.length && index < parts.length) {
      if (chunk.some((sample) => Math.abs(sample) > SILENCE)) yield toS16(join.push(chunk))
      else silent.add(index)
      chunk = new Float32Array(parts[++index]?.samples ?? 0)
      filled = 0
    }
  }
  // Cut by the lengths that the engine reported, because bytes read back from disk carry no chunk number.
  for await (const { bytes } of pieces) {
    const samples = reader.push(bytes)
    for (let at = 0; at < samples.length && index < parts.length; ) {
      const count = Math.min(samples.length - at, chunk.length - filled)
      chunk.set(samples.subarray(at, at + count), filled)
      at += count
      filled += count
      yield* next()
    }
  }
  yield* next()
  yield toS16(join.flush())
}

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
