// The voices of the engines that need no download, after mastering: equally loud, and neither clipped nor pressed against the limiter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { espeakNg } from '#agent/engine/tts/espeak/engine.ts'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { heart } from '#agent/engine/tts/heart/engine.ts'
import { noFiles } from '#agent/models/manifest.ts'
import { BLOCK_SECONDS, createLoudnessMeter } from '#shared/audio/master/loudness.ts'
import { CEILING, createMaster } from '#shared/audio/master/master.ts'
import { concat } from '#shared/audio/stage.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'

const TEXT = 'The quick brown fox jumps over the lazy dog. It was a bright cold day in April, and the clocks were striking thirteen.'
const PATH = process.env['PATH'] ?? ''
const deps = { clock: systemClock, path: PATH, filesOf: noFiles }
const engines: [Engine, string[]][] = [
  [flite.create(), ['slt', 'rms', 'kal', 'kal16', 'awb']],
  [heart.create(deps), ['heart']],
]
if (findProgram('espeak-ng', PATH)) engines.push([espeakNg.create(deps), ['en-us', 'de', 'es']])

async function mastered(engine: Engine, voice: string, speed: number): Promise<{ raw: Float32Array; samples: Float32Array; lufs: number }> {
  const pieces: Float32Array[] = []
  let rate = 0
  await engine.load()
  for await (const event of engine.run('tts', { segments: [{ text: TEXT }], voice, speed }, new AbortController().signal)) {
    if (event.kind === 'audio') pieces.push(event.samples)
    if (event.kind === 'result') rate = Number(event.result['sample_rate'])
  }
  const raw = concat(pieces)
  const stage = createMaster(rate)
  const samples = concat([stage.push(raw), stage.flush()])
  const meter = createLoudnessMeter(rate)
  const block = rate * BLOCK_SECONDS
  for (let at = 0; at + block <= samples.length; at += block) meter.push(samples.subarray(at, at + block))
  return { raw, samples, lufs: meter.integrated()! }
}
const share = (samples: Float32Array, level: number) => samples.filter((sample) => Math.abs(sample) >= level).length / samples.length

test('all voices are within 2 LU of each other, at normal and at the lowest speed, and none is clipped', async (t) => {
  const measured = new Map<string, number>()
  for (const [engine, voices] of engines) {
    for (const voice of voices) {
      for (const speed of voice === 'slt' || voice === 'awb' ? [1, 0.25] : [1]) {
        const { raw, samples, lufs } = await mastered(engine, voice, speed)
        measured.set(`${voice} at ${speed}`, lufs)
        assert.ok(share(raw, 0.999) === 0, `${voice} at ${speed} is clipped by its engine`)
        assert.ok(share(samples, CEILING * 0.999) < 0.003, `${voice} at ${speed}: ${share(samples, CEILING * 0.999)} at the ceiling`)
      }
    }
  }
  t.diagnostic([...measured].map(([voice, lufs]) => `${voice}: ${lufs.toFixed(1)} LUFS`).join(', '))
  const all = [...measured.values()]
  assert.ok(Math.max(...all) - Math.min(...all) < 2, `${Math.min(...all)} to ${Math.max(...all)} LUFS`)
})
