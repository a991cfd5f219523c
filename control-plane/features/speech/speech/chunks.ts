// The chunks of a take: joined with a crossfade, or emitted one by one during synthesis.

import type { OutputPiece } from '#control-plane/tasks/output.ts'
import { createCrossfade } from '#shared/audio/crossfade.ts'
import { createS16Reader, fromS16, toS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** A chunk whose samples all stay below this is silent. */
const SILENCE = 1e-3
const SILENCE_PIECE_BYTES = 64 * 1024
/** A chunk is one line of JSON, in base64. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024

/** One part of a take, whole. */
export type WholePart = { readonly index: number; readonly bytes: Buffer }

/**
 * Cuts by the lengths that the engine reported, in samples: bytes read back from disk carry no part number. `lengths` null, while the task
 * runs: a part is whole when the next one begins or the output ends. Throws ARTIFACT_TOO_LARGE for a part over 64 MiB.
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
    if (held > MAX_CHUNK_BYTES)
      throw new Failure('ARTIFACT_TOO_LARGE', 'A part of the take is larger than 64 MiB. Lower max_chunk_chars to follow its sound.')
  }
  yield* due()
  if (!lengths && held > 0) yield take(held)
}

/** s16le of the parts joined with a crossfade, without the silent ones. */
export async function* joinedParts(parts: AsyncIterable<WholePart>, crossfadeSamples: number): AsyncGenerator<Uint8Array> {
  const join = createCrossfade(crossfadeSamples)
  for await (const { bytes } of parts) {
    const chunk = fromS16(bytes)
    if (!chunk.some((sample) => Math.abs(sample) > SILENCE)) continue
    join.begin(chunk.length)
    yield toS16(join.push(chunk))
  }
  yield toS16(join.flush())
}

type Part = { readonly samples: number }
type PartPiece = { readonly index: number; readonly isFirst: boolean; readonly samples: Float32Array }

/** Cut by the lengths that the engine reported, because bytes read back from disk carry no chunk number. */
async function* inParts(pieces: AsyncIterable<OutputPiece>, parts: readonly Part[]): AsyncGenerator<PartPiece> {
  const reader = createS16Reader()
  let index = 0
  let filled = 0
  for await (const { bytes } of pieces) {
    const samples = reader.push(bytes)
    for (let at = 0; at < samples.length && index < parts.length; ) {
      const count = Math.min(samples.length - at, parts[index]!.samples - filled)
      if (count > 0) yield { index, isFirst: filled === 0, samples: samples.subarray(at, at + count) }
      at += count
      filled += count
      if (filled < parts[index]!.samples) continue
      index++
      filled = 0
    }
  }
}

/** The indices of the chunks that are silent, in order. */
export async function silentParts(pieces: AsyncIterable<OutputPiece>, parts: readonly Part[]): Promise<Set<number>> {
  const silent = new Set(parts.keys())
  for await (const { index, samples } of inParts(pieces, parts))
    if (silent.has(index) && samples.some((sample) => Math.abs(sample) > SILENCE)) silent.delete(index)
  return silent
}

/** s16le of all chunks joined, without the omitted ones. `parts`: samples of each chunk. Holds no chunk as a whole. */
export async function* joined(
  pieces: AsyncIterable<OutputPiece>,
  parts: readonly Part[],
  crossfadeSamples: number,
  omitted: ReadonlySet<number>,
): AsyncGenerator<Uint8Array> {
  const join = createCrossfade(crossfadeSamples)
  for await (const { index, isFirst, samples } of inParts(pieces, parts)) {
    if (omitted.has(index)) continue
    if (isFirst) join.begin(parts[index]!.samples)
    yield toS16(join.push(samples))
  }
  yield toS16(join.flush())
}

/** s16le of silence, in pieces. */
export function* silence(ms: number, sampleRate: number): Generator<Buffer> {
  const bytes = 2 * Math.round((ms * sampleRate) / 1000)
  for (let left = bytes; left > 0; left -= SILENCE_PIECE_BYTES) yield Buffer.alloc(Math.min(left, SILENCE_PIECE_BYTES))
}

/** The audio of `source` behind silence. */
export async function* afterSilence(ms: number, sampleRate: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* silence(ms, sampleRate)
  yield* source
}

/** The pieces of a stream: the parts beyond the last of `count` chunks belong to it, and silence of `leadMs` comes before the first. */
export async function* inChunks(
  pieces: AsyncIterable<OutputPiece>,
  count: number,
  leadMs: number,
  sampleRate: number,
): AsyncGenerator<OutputPiece> {
  for (const bytes of silence(leadMs, sampleRate)) yield { part: 0, bytes }
  for await (const { part, bytes } of pieces) yield { part: Math.min(part, count - 1), bytes }
}

/** Renders all chunks as one piece of audio and cuts the result where each chunk ends. Throws INVALID_TASK_PARAMS for a chunk over 64 MiB. `render` must keep the length. */
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
    if (held > MAX_CHUNK_BYTES)
      throw new Failure('INVALID_TASK_PARAMS', 'A chunk is larger than 64 MiB. Lower max_chunk_chars, use fewer pauses, or do not stream.')
    yield* due()
  }
  yield* due()
}

/** All pieces of each source in turn. */
export async function* inOrder(...sources: readonly AsyncIterable<OutputPiece>[]): AsyncGenerator<OutputPiece> {
  for (const source of sources) yield* source
}
