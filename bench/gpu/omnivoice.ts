// The loop of OmniVoice at its real size on a GPU: random weights, our host maths, whatever GPU provider loads. Without one it says so, and
// only proves on the processor, with a small backbone, that everything here works. `BENCH_DEVICE=cpu` measures the real size on the
// processor, BENCH_FRAMES makes the speech shorter or longer than 15 seconds, and `BENCH_SIZE=small` takes the small backbone: a Vulkan that is
// made in software, such as SwiftShader's through VK_ICD_FILENAMES, is a provider like any other, and far too slow for the real one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBackbone } from '#agent/engine/engines/tts/omnivoice/backbone.ts'
import { refuseCausalBackbone } from '#agent/engine/engines/tts/omnivoice/canary.ts'
import type { Encode } from '#agent/engine/engines/tts/omnivoice/prompt.ts'
import { toOmniVoicePrompt } from '#agent/engine/engines/tts/omnivoice/prompt.ts'
import { CLASSES, CODEBOOKS, MASK } from '#agent/engine/engines/tts/omnivoice/scoring.ts'
import { DEFAULT_LOOP_SETTINGS, unmask } from '#agent/engine/engines/tts/omnivoice/unmask.ts'
import { parseDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { loadInChild } from '#agent/engine/runtimes/onnx/trial.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { title } from '../support/rounds.ts'
import { parametersOf, REAL, type Shape, SMALL, writeBackbone } from './backbone-graph.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const encode: Encode = (text) => Array.from(text, (letter) => letter.codePointAt(0)! % 256)
const TEXT = 'All that is said here was never learnt by anybody, and sounds like it.'

export async function run(): Promise<void> {
  title('OmniVoice at its real size on a GPU, random weights')
  const wished = process.env['BENCH_DEVICE']
  const gpu = wished ? { device: wished, whys: [] } : await gpuProvider()
  const isSmall = process.env['BENCH_SIZE'] === 'small'
  if (gpu.device) return await measure(gpu.device, isSmall ? SMALL : REAL, Number(process.env['BENCH_FRAMES'] ?? (isSmall ? 50 : 375)))
  say(`No GPU provider loads on this machine, so nothing is measured at real size. ${gpu.whys.join('; ')}`)
  say('What follows is a small backbone on the processor; it shows that this script works and says nothing about a GPU.')
  await measure('cpu', SMALL, 50)
}

async function gpuProvider(): Promise<{ device: string | null; whys: string[] }> {
  const whys: string[] = []
  for (const device of parseDevices(process.platform, process.arch).filter((name) => name !== 'cpu')) {
    const why = await loadInChild(device, null)
    if (why === null) return { device, whys }
    whys.push(`${device}: ${why}`)
  }
  return { device: null, whys: whys.length > 0 ? whys : ['The runtime has no GPU provider for this platform.'] }
}

async function measure(device: string, shape: Shape, frames: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'omnivoice-bench-'))
  try {
    const file = writeBackbone(folder, shape)
    say(
      `${shape.layers} layers of ${shape.hidden}, ${(parametersOf(shape) / 1e6).toFixed(0)} million weights in single precision, on ${device}`,
    )
    let inside = 0
    const timed: GraphFactory = async (path, wish) => {
      const graph = await openGraph(path, wish)
      return {
        ...graph,
        run: async (feeds, outputs) => {
          const from = performance.now()
          const made = await graph.run(feeds, outputs)
          inside += performance.now() - from
          return made
        },
      }
    }
    const from = performance.now()
    const backbone = await openBackbone({ whole: file }, timed, device)
    await refuseCausalBackbone(backbone, encode)
    say(`loaded and found to read both ways in ${((performance.now() - from) / 1000).toFixed(1)} s`)

    const wanted = { text: TEXT, frames, language: 'en', instruct: null, denoise: false, reference: null }
    const predict = backbone.begin(toOmniVoicePrompt(wanted, encode), true)
    const loop = { frames, settings: DEFAULT_LOOP_SETTINGS, predict, border: async () => {} }
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
    say(
      `${DEFAULT_LOOP_SETTINGS.steps} steps for ${seconds} s of speech in ${(all / 1000).toFixed(2)} s: ${((DEFAULT_LOOP_SETTINGS.steps * 1000) / all).toFixed(2)} steps/s, ` +
        `real-time factor ${(all / 1000 / seconds).toFixed(3)}, ${((100 * (all - inside)) / all).toFixed(1)} % of the time outside the graph  at most 5 % at real size`,
    )
    if (device !== 'cpu') await compare(file, device)
    await backbone.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The device beside the processor, on a short prompt: the processor is slow and the question is not. */
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
  say(
    `beside the processor: largest difference of a logit ${worst.toExponential(1)}, the same best class in ${((100 * same) / cells).toFixed(2)} % of cells`,
  )
  // Some devices multiply with fewer bits, which moves a logit and hardly ever the best one.
  if (!(same / cells > 0.97)) throw new Error(`${device} does not compute what the processor computes`)
}
