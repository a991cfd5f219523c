// The features of voices against torchaudio 2.11.1, and the turns of a recording against pyannote-audio 4.0.7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speakersOfClass } from '#agent/engine/diarize/pyannote/activity.ts'
import { BANDS, createFbank } from '#agent/engine/diarize/pyannote/fbank.ts'
import { renumberedTurns, turnsOf } from '#agent/engine/diarize/pyannote/turns.ts'
import { golden } from './golden.ts'

type Features = {
  readonly frames: number
  readonly scale: number
  readonly wespeaker: { readonly rows: Readonly<Record<string, number[]>> }
}
type Turns = {
  /** Runs of classes: class and number of frames. */
  readonly windows: readonly (readonly (readonly [number, number])[])[]
  readonly voices: readonly { readonly window: number; readonly speaker: number; readonly cluster: number }[]
  readonly turns: readonly (readonly [start: number, end: number, speaker: number])[]
}

test('log mel features equal those of WeSpeaker', () => {
  const { frames, scale, wespeaker } = golden<Features>('fbank.json')
  const samples = Float32Array.from({ length: 16_000 }, (_, n) => {
    const t = n / 16_000
    const low = 0.3 * Math.sin(2 * Math.PI * 220 * t) * (1 + 0.5 * Math.sin(2 * Math.PI * 3 * t))
    const value = low + 0.1 * Math.sin(2 * Math.PI * (300 * t + 700 * t * t)) + 0.02 * Math.sin(0.00031 * n * n)
    return Math.round(value * scale) / scale
  })
  const features = createFbank({ window: 'hamming', scale })(samples)
  assert.equal(features.length, frames * BANDS)
  for (const [frame, row] of Object.entries(wespeaker.rows))
    for (const [band, value] of row.entries()) {
      const own = features[Number(frame) * BANDS + band]!
      assert.ok(Math.abs(own - value) < 2e-3, `frame ${frame}, band ${band}: ${own}, not ${value}`)
    }
})

test('the turns of a recording are those of the reference, for its classes and clusters', () => {
  const { windows, voices, turns } = golden<Turns>('powerset-turns.json')
  const activities = windows.map((runs) =>
    Uint8Array.from(runs.flatMap(([name, count]) => new Array<number>(count).fill(speakersOfClass(name)))),
  )
  const speakers = windows.map((): (number | null)[] => [null, null, null])
  for (const { window, speaker, cluster } of voices) speakers[window]![speaker] = cluster
  assert.deepEqual(
    renumberedTurns(turnsOf(activities, speakers, 30), 30).map(({ start, end, speaker }) => [
      Number(start.toFixed(3)),
      Number(end.toFixed(3)),
      speaker,
    ]),
    renumberedTurns(
      turns.map(([start, end, speaker]) => ({ start, end, speaker })),
      30,
    ).map(({ start, end, speaker }) => [start, end, speaker]),
  )
})
