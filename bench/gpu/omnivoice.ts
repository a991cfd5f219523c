// The OmniVoice loop at its real size on a GPU, with random weights, our host code and the first GPU provider that loads. Without a GPU it only
// runs a small backbone on the CPU, to show that the script works. `BENCH_DEVICE=cpu` measures the real size on the CPU, BENCH_FRAMES changes the
// length from 15 seconds, and `BENCH_SIZE=small` uses the small backbone, because software Vulkan (such as SwiftShader through VK_ICD_FILENAMES)
// is too slow for the real one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platformDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { loadInChild } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { openBackbone } from '#agent/engine/tts/omnivoice/loop/backbone.ts'
import { refuseCausalBackbone } from '#agent/engine/tts/omnivoice/loop/canary.ts'
import { CLASSES, CODEBOOKS, MASK } from '#agent/engine/tts/omnivoice/loop/scoring.ts'
import { DEFAULT_LOOP_SETTINGS, unmask } from '#agent/engine/tts/omnivoice/loop/unmask.ts'
import type { Encode } from '#agent/engine/tts/omnivoice/text/prompt.ts'
import { toOmniVoicePrompt } from '#agent/engine/tts/omnivoice/text/prompt.ts'
import { title } from '../support/rounds.ts'
import { parametersOf, REAL, type Shape, SMALL, writeBackbone } from './backbone-graph.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)
const encode: Encode = (text) => Array.from(text, (letter) => letter.codePointAt(0)! % 256)
const TEXT = 'The weights are random, so the output of this run is noise, not speech.'

export async function run(): Promise<void> {
  title('OmniVoice at its real size on a GPU, random weights')
  const chosen = process.env['BENCH_DEVICE']
  const gpu = chosen ? { device: chosen, reasons: [] } : await gpuProvider()
  const isSmall = process.env['BENCH_SIZE'] === 'small'
  if (gpu.device) return await measure(gpu.device, isSmall ? SMALL : REAL, Number(process.env['BENCH_FRAMES'] ?? (isSmall ? 50 : 375)))
  print(`No GPU provider loads on this machine, so nothing is measured at real size. ${gpu.reasons.join('; ')}`)
  print('The following figures are for a small backbone on the CPU. They only show that this script works.')
  await measure('cpu', SMALL, 50)
}

async function gpuProvider(): Promise<{ device: string | null; reasons: string[] }> {
  const reasons: string[] = []
  for (const device of platformDevices(process.platform, process.arch).filter((name) => name !== 'cpu')) {
    const reason = await loadInChild(device, null)
    if (reason === null) return { device, reasons }
    reasons.push(`${device}: ${reason}`)
  }
  return { device: null, reasons: reasons.length > 0 ? reasons : ['The runtime has no GPU provider for this platform.'] }
}

async function measure(device: string, shape: Shape, frames: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'omnivoice-bench-'))
  try {
    const file = writeBackbone(folder, shape)
    print(
      `${shape.layers} layers of ${shape.hidden}, ${(parametersOf(shape) / 1e6).toFixed(0)} million weights in single precision, on ${device}`,
    )
    let inside = 0
    const timed: GraphFactory = async (path, options) => {
      const graph = await openGraph(path, options)
      return {
        ...graph,
        run: async (feeds, outputs) => {
          const from = performance.now()
          const results = await graph.run(feeds, outputs)
          inside += performance.now() - from
          return results
        },
      }
    }
    const from = performance.now()
    const backbone = await openBackbone({ whole: file }, timed, device)
    await refuseCausalBackbone(backbone, encode)
    print(`loaded and verified as bidirectional in ${((performance.now() - from) / 1000).toFixed(1)} s`)

    const wanted = { text: TEXT, frames, language: 'en', instruct: null, denoise: false, reference: null }
    const predict = backbone.begin(toOmniVoicePrompt(wanted, encode), true)
    const loop = { frames, settings: DEFAULT_LOOP_SETTINGS, predict, yieldToLoop: async () => {} }
    const speak = async () => {
      const steps = unmask({ ...loop, next: seededRandom(1).unit })
      for (;;) if ((await steps.next()).done) return
    }
    await predict(new Int32Array(CODEBOOKS * frames).fill(MASK)) // the first run of a shape compiles
    inside = 0
    const began = performance.now()
    await speak()
    const all = performance.now() - began
    const seconds = frames / 25
    print(
      `${DEFAULT_LOOP_SETTINGS.steps} steps for ${seconds} s of speech in ${(all / 1000).toFixed(2)} s: ${((DEFAULT_LOOP_SETTINGS.steps * 1000) / all).toFixed(2)} steps/s, ` +
        `real-time factor ${(all / 1000 / seconds).toFixed(3)}, ${((100 * (all - inside)) / all).toFixed(1)} % of the time outside the graph  at most 5 % at real size`,
    )
    if (device !== 'cpu') await compare(file, device)
    await backbone.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compares the results of the device with those of the CPU. The prompt is short because the CPU is slow. */
async function compare(file: string, device: string): Promise<void> {
  const frames = 25
  const wanted = { text: 'The same question.', frames, language: 'en', instruct: null, denoise: false, reference: null }
  const answers: { values: Float32Array; device: string }[] = []
  for (const where of [device, 'cpu']) {
    const backbone = await openBackbone({ whole: file }, openGraph, where)
    const { values } = (await backbone.begin(toOmniVoicePrompt(wanted, encode), false)(new Int32Array(CODEBOOKS * frames).fill(MASK)))
      .conditional
    answers.push({ values: values.slice(), device: backbone.device })
    await backbone.close()
  }
  const [one, other] = answers
  let worst = 0
  let same = 0
  const cells = one!.values.length / CLASSES
  for (let cell = 0; cell < cells; cell++) {
    const best = (values: Float32Array) => {
      let top = cell * CLASSES
      for (let id = top; id < (cell + 1) * CLASSES; id++) if (values[id]! > values[top]!) top = id
      return top
    }
    if (best(one!.values) === best(other!.values)) same++
  }
  for (const [at, value] of one!.values.entries()) worst = Math.max(worst, Math.abs(value - other!.values[at]!))
  print(
    `compared with the CPU: largest difference of a logit ${worst.toExponential(1)}, the same best class in ${((100 * same) / cells).toFixed(2)} % of cells`,
  )
  // Some devices multiply with fewer bits, which changes logits but rarely the best class.
  if (!(same / cells > 0.97)) throw new Error(`the results of ${device} differ from those of the CPU`)
}
