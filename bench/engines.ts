// Every engine for speech and recognition that this machine has, in a studio with its models: processor time for each second of sound, first sound and
// memory, beside programs of others with the same weights in the same rounds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wavHeader } from '#shared/audio/wav.ts'
import { ENGINES } from '#shared/engines.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { firstSpeech, RATE, recognition, speech, transcript } from './support/engines/own-runs.ts'
import { type PeerSetup, peersOf } from './support/engines/peers-of.ts'
import { type EngineRun, type PeerRequest, type PythonPeer, startPythonPeer, withoutPeer } from './support/engines/python-peer.ts'
import { closeClient, startStudio, temporary } from './support/peers.ts'
import { interleave, median, ratio, title } from './support/rounds.ts'

const TEXT =
  'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. ' +
  'While the second sentence is being made, the first one can already be heard.'
const ROUNDS = Number(process.env['STUDIO_BENCH_ROUNDS'] ?? 5)
const LABEL = 30
/** The one of the development mode. */
const TEST_ENGINE = 'tone'

const print = (label: string, text: string): void => void process.stdout.write(`${label.padEnd(LABEL)} ${text}\n`)

export async function run(): Promise<void> {
  // The settings of benchmarks are none of the studio.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('STUDIO_BENCH_'))
  const { dataDir, overrides } = readSettings(Object.fromEntries(own))
  const models = overrides.STUDIO_MODELS_DIR ?? join(dataDir, 'local-agent', 'models')
  const scratch = temporary()
  const studio = await startStudio(undefined, { STUDIO_MODELS_DIR: models })
  try {
    title(`Speech: two sentences, ${TEXT.length} characters together`)
    let recording = Buffer.alloc(0)
    for (const engine of hosted('tts')) {
      const spoken = await firstSpeech(studio, engine, TEXT)
      if (spoken === null) continue
      if (recording.length === 0) recording = spoken.pcm
      await compare(engine, () => speech(studio, engine, TEXT), peersOf(engine, models, spoken.voice, scratch.path), { text: TEXT })
    }
    const audio = join(scratch.path, 'speech.wav')
    const samples = recording.length / 2
    writeFileSync(audio, Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples }), recording]))
    title(`Recognition: the same sentences, ${(samples / RATE).toFixed(1)} s`)
    for (const engine of hosted('asr')) {
      if ((await transcript(studio, engine, audio)) === null) continue
      await compare(engine, () => recognition(studio, engine, audio, samples / RATE), peersOf(engine, models, '', scratch.path), { audio })
    }
  } finally {
    closeClient()
    await studio.end()
    scratch.remove()
  }
}

/** Engines that this machine may run itself, without the ones that use the models of others. */
const hosted = (operation: 'tts' | 'asr'): string[] =>
  ENGINES.filter(
    ({ id, operations, packaging, modelsOf }) =>
      operations.includes(operation) && ['built-in', 'program'].includes(packaging) && modelsOf === undefined && id !== TEST_ENGINE,
  ).map(({ id }) => id)

async function compare(engine: string, own: () => Promise<EngineRun>, setups: readonly PeerSetup[], request: PeerRequest): Promise<void> {
  const peers: PythonPeer[] = []
  const skipped: [string, string][] = []
  try {
    for (const setup of setups) {
      const skip = 'skip' in setup ? setup.skip : withoutPeer(setup.program)
      if ('options' in setup && skip === null) peers.push(await startPythonPeer(setup.program, setup.options))
      else skipped.push([`  ${setup.program}`, `skipped: ${skip}`])
    }
    const runs = new Map<string, EngineRun[]>([engine, ...peers.map(({ label }) => label)].map((label) => [label, []]))
    const noted = (label: string, run: () => Promise<EngineRun>) => async () => {
      const result = await run()
      runs.get(label)!.push(result)
      return result.cpu / result.seconds
    }
    await interleave(ROUNDS, {
      [engine]: noted(engine, own),
      ...Object.fromEntries(peers.map(({ label, run }) => [label, noted(label, () => run(request))])),
    })
    // The first round is the warm-up.
    for (const [label, [, ...each]] of runs) show(label, each, label === engine ? null : runs.get(engine)!.slice(1))
    for (const [label, text] of skipped) print(label, text)
  } finally {
    for (const peer of peers) await peer.end()
  }
}

const costs = (runs: readonly EngineRun[]): number[] => runs.map(({ cpu, seconds }) => cpu / seconds)
/** `ours`: of the same rounds, for a program of others. */
function show(label: string, runs: readonly EngineRun[], ours: readonly EngineRun[] | null): void {
  const cell = (value: (run: EngineRun) => number, width: number) => median(runs.map(value)).toFixed(0).padStart(width)
  const isSpeech = runs.every(({ firstMs }) => firstMs !== null)
  const figures = [
    `${median(costs(runs)).toFixed(3).padStart(6)} processor s a second`,
    ...(isSpeech ? [`first sound ${cell(({ firstMs }) => firstMs!, 6)} ms`] : []),
    `all ${cell(({ totalMs }) => totalMs, 6)} ms`,
    `memory ${cell(({ memoryMib }) => memoryMib, 5)} MiB`,
  ]
  if (ours) {
    const { median: middle, min, max } = ratio(costs(ours), costs(runs))
    figures.push(`ours costs ${middle.toFixed(2)} of it (${min.toFixed(2)}..${max.toFixed(2)})`)
  }
  print(ours ? `  ${label}` : label, figures.join('  '))
}
