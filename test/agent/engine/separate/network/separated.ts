// The output of a separation run, and recordings for its tests.
import assert from 'node:assert/strict'
import type { Engine, RunInputs } from '#agent/engine/seam/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { eventsOf, join, resultOf } from '#test/agent/engine/audio/recording.ts'

export async function separated(engine: Engine, inputs: RunInputs, params: object = {}) {
  const events = await eventsOf(engine.run('separate', params, new AbortController().signal, inputs))
  const part = (wanted: number) => join(events.flatMap((one) => (one.kind === 'audio' && one.part === wanted ? [one.samples] : [])))
  return { events, vocals: part(0), rest: part(1), result: resultOf<{ sample_rate: number; parts: { samples: number }[] }>(events) }
}

export const tone = (hertz: number, rate: number, length: number, level = 0.3): Float32Array =>
  Float32Array.from({ length }, (_, n) => level * Math.sin((2 * Math.PI * hertz * n) / rate))

/** The largest difference, away from the ends: a tone that begins at once has sound in every bin there. */
export const apart = (left: Float32Array, right: Float32Array, edge: number): number => {
  assert.equal(left.length, right.length)
  return left.reduce((most, one, n) => (n < edge || n >= left.length - edge ? most : Math.max(most, Math.abs(one - right[n]!))), 0)
}

export const sum = (left: Float32Array, right: Float32Array): Float32Array => left.map((one, n) => one + right[n]!)

export const refused = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && words.test(error.message)

export const stereo = (left: Float32Array, right: Float32Array, sampleRate = 44_100): RunInputs => {
  const both = Float32Array.from({ length: left.length * 2 }, (_, n) => (n % 2 ? right : left)[n >> 1]!)
  return new Map([['audio', Buffer.concat([wavHeader({ sampleRate, channels: 2, samples: left.length }), toS16(both)])]])
}
