// The overhead of the two autoregressive voices: the share of time outside session.run, at the sizes of the published models, with random
// weights. Between two frames every state leaves one run and enters the next, so adapter overhead is highest here.

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { mossTtsNano } from '#agent/engine/tts/moss/engine.ts'
import { pocketTts } from '#agent/engine/tts/pockettts/engine.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { model } from '#test/support/models/onnx-graph.ts'
import { matrix } from './support/models/layers.ts'
import { mossFiles, mossFrames } from './support/models/moss-sizes.ts'
import { pocketFiles } from './support/models/pocket-sizes.ts'
import { median, title } from './support/rounds.ts'
import { clockSessions } from './support/sessions.ts'

const ROUNDS = 3
const TEXT = 'Bring notes on Monday.'
const WEIGHTS = 'weights.bin'
type Files = Readonly<Record<string, Parameters<typeof model>[0] | string | Uint8Array>>
type Deps = Parameters<typeof mossTtsNano.create>[0]
const onCpu: GraphFactory = (file, options) => openGraph(file, { ...options, device: 'cpu' })

function write(folder: string, files: Files, width: number, layers: number): Map<string, string> {
  const bytes = Buffer.from((matrix('', width, width).values as Float32Array).buffer)
  const out = openSync(join(folder, WEIGHTS), 'w')
  for (let at = 0; at < layers; at++) writeSync(out, bytes)
  closeSync(out)
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' || content instanceof Uint8Array ? content : model(content))
  return new Map(Object.keys(files).map((name) => [name, join(folder, name)]))
}

async function measure(what: string, create: (deps: Deps, open: GraphFactory) => Engine, files: Files, width: number, layers: number) {
  const folder = mkdtempSync(join(tmpdir(), 'autoregressive-'))
  const clocked = clockSessions()
  try {
    const paths = write(folder, files, width, layers)
    const engine = create({ clock: systemClock, path: '', filesOf: (_engine, name) => (name === '' ? paths : null) }, onCpu)
    await engine.load()
    const shares: number[] = []
    const factors: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      clocked.inside = 0
      let seconds = 0
      let samples = 0
      const from = performance.now()
      for await (const event of engine.run('tts', { segments: [{ text: TEXT, seed: round }] }, new AbortController().signal)) {
        if (event.kind === 'audio') samples += event.samples.length
        if (event.kind === 'result') seconds = samples / (event.result as { sample_rate: number }).sample_rate
      }
      const total = performance.now() - from
      if (round === 0) continue // warm-up
      shares.push(1 - clocked.inside / total)
      factors.push(total / 1000 / seconds)
    }
    await engine.unload()
    title(what)
    const percent = (share: number) => (share * 100).toFixed(2)
    process.stdout.write(
      `${'time outside session.run'.padEnd(46)} ${percent(median(shares)).padStart(6)} % of the total (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))})  at most 5\n`,
    )
    process.stdout.write(`${'compute seconds per second of sound'.padEnd(46)} ${median(factors).toFixed(2).padStart(6)}\n`)
  } finally {
    clocked.undo()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function run(): Promise<void> {
  const moss = mossFiles(WEIGHTS)
  await measure(
    `MOSS-TTS-Nano with random weights on the CPU, ${mossFrames} frames`,
    mossTtsNano.create,
    moss.files,
    moss.width,
    moss.layers,
  )
  const pocket = pocketFiles(WEIGHTS)
  await measure('Pocket-TTS with random weights on the CPU', pocketTts.create, pocket.files, pocket.width, pocket.layers)
}
