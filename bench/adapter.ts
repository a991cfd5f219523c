// The overhead of an engine adapter: the share of time outside session.run, for Supertonic-3 at its real shapes and about its real size, with
// random weights. The share depends on the size of the graphs, so small graphs would give a misleading figure.

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { supertonic } from '#agent/engine/tts/supertonic/engine.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { type GraphText, type Initializer, model, type Node } from '#test/support/models/onnx-graph.ts'
import { layers, matrix } from './support/models/layers.ts'
import { median, title } from './support/rounds.ts'
import { clockSessions } from './support/sessions.ts'

const ROUNDS = 5
const WIDTH = 1024
const CHANNELS = 144
const CHUNK = 3072
const RATE = 44_100
/** Square layers of 4 MiB each: together the 400 MB of the published graphs. */
const LAYERS = { duration_predictor: 1, text_encoder: 8, vector_estimator: 60, vocoder: 24 }
const WEIGHTS = 'weights.bin'
const TEXT = 'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. The rest is tea.'

const stack = (count: number, from: string, into: string) => layers({ count, width: WIDTH, from, into, file: WEIGHTS })
type Slots = GraphText['inputs']
const slot = (name: string, dims: readonly (number | string)[], type: 'float32' | 'int64' = 'float32') => ({ name, dims, type })
const TEXT_SLOTS: Slots = [slot('text_ids', [1, 'n'], 'int64'), slot('text_mask', [1, 1, 'n'])]
const TTL = slot('style_ttl', [1, 50, 256])
const LATENT = [1, CHANNELS, 'l'] as const

const shape = (name: string, values: readonly number[]): Initializer => ({ name, type: 'int64', dims: [values.length], values })
const swap = (from: string, to: string): Node => ({ op: 'Transpose', inputs: [from], outputs: [to], attributes: { perm: [0, 2, 1] } })

/** Text ids -> [1, n, WIDTH]. */
const embedded: Node[] = [
  { op: 'Cast', inputs: ['text_ids'], outputs: ['numbers'], attributes: { to: 1 } },
  { op: 'Reshape', inputs: ['numbers', 'column'], outputs: ['rows'] },
  { op: 'MatMul', inputs: ['rows', 'embed'], outputs: ['in'] },
]
const embedding = [shape('column', [1, -1, 1]), matrix('embed', 1, WIDTH)]

function graphs(): Record<keyof typeof LAYERS, GraphText> {
  const [dp, text, vector, vocoder] = [
    stack(LAYERS.duration_predictor, 'in', 'out'),
    stack(LAYERS.text_encoder, 'in', 'out'),
    stack(LAYERS.vector_estimator, 'in', 'out'),
    stack(LAYERS.vocoder, 'in', 'out'),
  ]
  return {
    duration_predictor: {
      inputs: [...TEXT_SLOTS, slot('style_dp', [1, 8, 16])],
      outputs: [slot('duration', [1])],
      // The duration is fixed at about 16 characters a second and ignores the layers.
      nodes: [
        ...embedded,
        ...dp.nodes,
        { op: 'ReduceSum', inputs: ['text_mask', 'axes'], outputs: ['count'], attributes: { keepdims: 0 } },
        { op: 'Mul', inputs: ['count', 'each'], outputs: ['duration'] },
      ],
      initializers: [
        ...embedding,
        ...dp.initializers,
        shape('axes', [1, 2]),
        { name: 'each', type: 'float32', dims: [], values: [1 / 16] },
      ],
    },
    text_encoder: {
      inputs: [...TEXT_SLOTS, TTL],
      outputs: [slot('text_emb', [1, WIDTH, 'n'])],
      nodes: [...embedded, ...text.nodes, swap('out', 'text_emb')],
      initializers: [...embedding, ...text.initializers],
    },
    vector_estimator: {
      inputs: [
        slot('noisy_latent', LATENT),
        slot('text_emb', [1, WIDTH, 'n']),
        TTL,
        slot('latent_mask', [1, 1, 'l']),
        slot('text_mask', [1, 1, 'n']),
        slot('current_step', [1]),
        slot('total_step', [1]),
      ],
      outputs: [slot('denoised_latent', LATENT)],
      nodes: [
        swap('noisy_latent', 'frames'),
        { op: 'MatMul', inputs: ['frames', 'up'], outputs: ['in'] },
        ...vector.nodes,
        { op: 'MatMul', inputs: ['out', 'down'], outputs: ['narrow'] },
        swap('narrow', 'denoised_latent'),
      ],
      initializers: [matrix('up', CHANNELS, WIDTH), ...vector.initializers, matrix('down', WIDTH, CHANNELS)],
    },
    vocoder: {
      inputs: [slot('latent', LATENT)],
      outputs: [slot('wav_tts', [1, 'samples'])],
      nodes: [
        swap('latent', 'frames'),
        { op: 'MatMul', inputs: ['frames', 'up'], outputs: ['in'] },
        ...vocoder.nodes,
        { op: 'MatMul', inputs: ['out', 'wide'], outputs: ['samples'] },
        { op: 'Reshape', inputs: ['samples', 'flat'], outputs: ['wav_tts'] },
      ],
      initializers: [matrix('up', CHANNELS, WIDTH), ...vocoder.initializers, matrix('wide', WIDTH, CHUNK), shape('flat', [1, -1])],
    },
  }
}

function writeModel(folder: string): Map<string, string> {
  const bytes = Buffer.from((matrix('', WIDTH, WIDTH).values as Float32Array).buffer)
  const out = openSync(join(folder, WEIGHTS), 'w')
  for (let at = 0; at < LAYERS.vector_estimator; at++) writeSync(out, bytes)
  closeSync(out)
  const style = (dims: readonly number[]) => ({ dims, data: Array(dims.reduce((product, size) => product * size, 1)).fill(0.1) })
  const files: Record<string, Uint8Array | string> = {
    'tts.json': JSON.stringify({ ae: { sample_rate: RATE, base_chunk_size: 512 }, ttl: { chunk_compress_factor: 6, latent_dim: 24 } }),
    'unicode_indexer.json': JSON.stringify(Array.from({ length: 65_536 }, (_, code) => (code < 128 ? code : -1))),
    'M1.json': JSON.stringify({ style_ttl: style([1, 50, 256]), style_dp: style([1, 8, 16]) }),
  }
  for (const [name, graph] of Object.entries(graphs())) files[`${name}.onnx`] = model(graph)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return new Map(Object.keys(files).map((name) => [name === 'M1.json' ? 'voice_styles/M1.json' : name, join(folder, name)]))
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'))
  const clocked = clockSessions()
  try {
    const files = writeModel(folder)
    const deps = { clock: systemClock, path: '', filesOf: () => files }
    const engine = supertonic.create(deps, (file, options) => openGraph(file, { ...options, device: 'cpu' }))
    await engine.load()
    const shares: number[] = []
    const factors: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      clocked.inside = 0
      let samples = 0
      const from = performance.now()
      const params = { segments: [{ text: TEXT, seed: round }] }
      for await (const event of engine.run('tts', params, new AbortController().signal))
        if (event.kind === 'audio') samples += event.samples.length
      const total = performance.now() - from
      if (round === 0) continue // warm-up
      shares.push(1 - clocked.inside / total)
      factors.push(total / 1000 / (samples / RATE))
    }
    await engine.unload()
    title('Supertonic-3 with random weights on the CPU, 8 steps')
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
