// The overhead of voice separation: the share of time outside session.run, for MDX-Net Voc FT and HTDemucs at their real sizes and about their
// real arithmetic, with random weights. For MDX-Net the adapter computes the spectrum and its inverse; HTDemucs does that in its graph. The
// parameters are those of /clean-audio: one channel at 16 kHz in, only the voice at 24 kHz out.

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { EngineDeps } from '#agent/engine/seam/define.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { HTDEMUCS_FILE, HTDEMUCS_WINDOW, htdemucs } from '#agent/engine/separate/htdemucs/engine.ts'
import { mdxNet } from '#agent/engine/separate/mdx/engine.ts'
import { MDX_MODELS } from '#agent/engine/separate/mdx/models.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { type GraphText, type Initializer, model, type Node } from '#test/support/models/onnx-graph.ts'
import { layers, matrix } from './support/models/layers.ts'
import { median, title } from './support/rounds.ts'
import { clockSessions } from './support/sessions.ts'

const ROUNDS = 3
const WINDOWS = 3
const RATE = 16_000
const PARAMS = { sample_rate: 24_000, vocals_only: true }
const WEIGHTS = 'weights.bin'
const onCpu: GraphFactory = (file, options) => openGraph(file, { ...options, device: 'cpu' })
const shape = (name: string, values: readonly number[]): Initializer => ({ name, type: 'int64', dims: [values.length], values })

/**
 * 320 MB of square layers over as many rows as the transformer has tokens: about 400 billion operations for a window, the count of the
 * published architecture including its transforms.
 */
const HT = { width: 780, layers: 130, times: 3 }
function htdemucsGraph(): GraphText {
  const { nodes, initializers } = layers({ count: HT.layers, width: HT.width, from: 'many', into: 'all', file: WEIGHTS })
  return {
    inputs: [{ name: 'mix', type: 'float32', dims: [1, 2, HTDEMUCS_WINDOW] }],
    outputs: [{ name: 'stems', type: 'float32', dims: [1, 4, 2, HTDEMUCS_WINDOW] }],
    nodes: [
      { op: 'Reshape', inputs: ['mix', 'wide'], outputs: ['rows'] },
      { op: 'Concat', inputs: Array(HT.times).fill('rows'), outputs: ['many'], attributes: { axis: 0 } },
      ...nodes,
      { op: 'Split', inputs: ['all'], outputs: Array.from({ length: HT.times }, (_, at) => (at ? `unused${at}` : 'out')) },
      { op: 'Reshape', inputs: ['out', 'channels'], outputs: ['stem'] },
      { op: 'Concat', inputs: ['stem', 'stem', 'stem', 'stem'], outputs: ['stems'], attributes: { axis: 1 } },
    ],
    initializers: [...initializers, shape('wide', [-1, HT.width]), shape('channels', [1, 1, 2, HTDEMUCS_WINDOW])],
  }
}

/** Twenty convolutions over 48 planes of the whole spectrum, about 650 billion operations. The real network with its eleven blocks needs more. */
const MDX = { planes: 48, layers: 20 }
function mdx(): GraphText {
  const { bins, frames } = MDX_MODELS['']!.geometry
  const kernel = (name: string, into: number, from: number, size: number): Initializer => ({
    ...matrix(name, into, from * size * size),
    dims: [into, from, size, size],
  })
  const nodes: Node[] = [{ op: 'Conv', inputs: ['input', 'up'], outputs: ['t0'], attributes: { kernel_shape: [1n, 1n] } }]
  for (let layer = 0; layer < MDX.layers; layer++) {
    const attributes = { kernel_shape: [3n, 3n], pads: [1n, 1n, 1n, 1n] }
    nodes.push({ op: 'Conv', inputs: [`t${layer}`, 'inner'], outputs: [`c${layer}`], attributes })
    nodes.push({ op: 'Relu', inputs: [`c${layer}`], outputs: [`t${layer + 1}`] })
  }
  nodes.push({ op: 'Conv', inputs: [`t${MDX.layers}`, 'down'], outputs: ['output'], attributes: { kernel_shape: [1n, 1n] } })
  const dims = [1, 4, bins, frames]
  return {
    inputs: [{ name: 'input', type: 'float32', dims }],
    outputs: [{ name: 'output', type: 'float32', dims }],
    nodes,
    initializers: [kernel('up', MDX.planes, 4, 1), kernel('inner', MDX.planes, MDX.planes, 3), kernel('down', 4, MDX.planes, 1)],
  }
}

function recording(seconds: number): Map<string, Uint8Array> {
  const samples = Float32Array.from({ length: Math.floor(seconds * RATE) }, (_, n) => 0.3 * Math.sin(n / 9))
  return new Map([['audio', Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)])]])
}

type Create = (deps: EngineDeps, open: GraphFactory) => Engine
/** `seconds`: the length of a recording that takes WINDOWS windows. */
async function measure(what: string, create: Create, file: string, graph: GraphText, seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'separation-'))
  const clocked = clockSessions()
  try {
    const bytes = Buffer.from((matrix('', HT.width, HT.width).values as Float32Array).buffer)
    const out = openSync(join(folder, WEIGHTS), 'w')
    for (let at = 0; at < HT.layers; at++) writeSync(out, bytes)
    closeSync(out)
    writeFileSync(join(folder, file), model(graph))
    const files = new Map([[file, join(folder, file)]])
    const engine = create({ clock: systemClock, path: '', filesOf: (_engine, name) => (name === '' ? files : null) }, onCpu)
    await engine.load()
    const inputs = recording(seconds)
    const shares: number[] = []
    const overheads: number[] = []
    const factors: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      clocked.inside = 0
      const from = performance.now()
      let samples = 0
      for await (const event of engine.run('separate', PARAMS, new AbortController().signal, inputs))
        if (event.kind === 'audio') samples += event.samples.length
      const total = performance.now() - from
      if (samples === 0) throw new Error('the engine made no sound')
      if (round === 0) continue // warm-up
      shares.push(1 - clocked.inside / total)
      overheads.push((total - clocked.inside) / WINDOWS)
      factors.push(total / 1000 / seconds)
    }
    await engine.unload()
    title(what)
    const percent = (share: number) => (share * 100).toFixed(2)
    process.stdout.write(
      `${'time outside session.run'.padEnd(46)} ${percent(median(shares)).padStart(6)} % of the total (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))})  at most 5\n`,
    )
    process.stdout.write(`${'overhead of a window, in milliseconds'.padEnd(46)} ${median(overheads).toFixed(0).padStart(6)}\n`)
    process.stdout.write(`${'compute seconds per second of sound'.padEnd(46)} ${median(factors).toFixed(2).padStart(6)}\n`)
  } finally {
    clocked.undo()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function run(): Promise<void> {
  const { file, geometry } = MDX_MODELS['']!
  // `useful`: the samples of a window that are kept.
  const useful = geometry.hop * (geometry.frames - 1) - geometry.fftSize
  const seconds = (length: number, step: number) => (length + (WINDOWS - 1) * step) / 44_100
  const whole = seconds(HTDEMUCS_WINDOW, 0.75 * HTDEMUCS_WINDOW)
  await measure('HTDemucs with random weights on the CPU', htdemucs.create, HTDEMUCS_FILE, htdemucsGraph(), whole)
  await measure('MDX-Net Voc FT with random weights on the CPU', mdxNet.create, file, mdx(), seconds(useful, useful - geometry.fftSize))
}
