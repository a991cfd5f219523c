// What understanding speech costs: each recogniser of this machine through the studio, over HTTP and an engine host, beside the same called
// directly in the same round: its program where it is one, else the engine alone in this process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { RECOGNISER } from '#agent/engine/engines/asr/pocketsphinx/program.ts'
import { flite } from '#agent/engine/engines/tts/flite/engine.ts'
import { catalog } from '#agent/engine/seam/catalog.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { noFiles } from '#agent/models/manifest.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { closeClient, startStudio, temporary } from './support/peers.ts'
import { interleave, median, row, title } from './support/rounds.ts'

const TEXT =
  'The meeting begins at nine on Monday, and everybody who wants to speak should bring notes. ' +
  'Please call me back when you have time. We never met before that winter. ' +
  'The quick brown fox jumps over the lazy dog, and the rest of us drink tea.'
const RATE = 16_000
const ROUNDS = 7

async function spoken(): Promise<Float32Array> {
  const pieces: Float32Array[] = []
  for await (const event of flite.create().run('tts', { segments: [{ text: TEXT }] }, new AbortController().signal))
    if (event.kind === 'audio') pieces.push(event.samples)
  return Float32Array.from(pieces.flatMap((piece) => [...piece]))
}

/** The program as a person would start it, until it is gone. */
async function program(pcm: string): Promise<void> {
  const child = spawn(RECOGNISER, ['-infile', pcm, '-time', 'yes'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let words = 0
  child.stdout.on('data', (text: Buffer) => {
    words += text.length
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0 || words === 0) throw new Error(`${RECOGNISER} ended with ${code} and ${words} characters`)
}

async function alone(engine: Engine, wav: Uint8Array): Promise<void> {
  for await (const event of engine.run('asr', {}, new AbortController().signal, new Map([['audio', wav]])))
    if (event.kind === 'result' && event.result['text'] === '') throw new Error('nothing was heard')
}

async function asked(port: number, engine: string, wav: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([wav], { type: 'audio/wav' }), 'bench.wav')
  form.set('model', engine)
  const reply = await fetch(`http://127.0.0.1:${port}/v1/audio/transcriptions`, { method: 'POST', body: form })
  const { text } = (await reply.json()) as { text?: string }
  if (!text) throw new Error(`${engine} answered ${reply.status} without a word`)
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export async function run(): Promise<void> {
  const path = process.env['PATH'] ?? ''
  const engines = catalog(false).map(({ create }) => create({ clock: systemClock, path, filesOf: noFiles }))
  const listening = engines.flatMap((engine) => engine.describe().flatMap((what) => (what.operation === 'asr' ? [{ engine, what }] : [])))
  const samples = await spoken()
  const wav = new Uint8Array(Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)]))
  const seconds = samples.length / RATE
  title(`Recognition of ${seconds.toFixed(1)} s of speech`)
  const folder = temporary()
  const pcm = join(folder.path, 'speech.raw')
  writeFileSync(pcm, toS16(samples))
  const studio = await startStudio()
  try {
    for (const { engine, what } of listening) {
      if (!what.installed || !what.downloaded) {
        process.stdout.write(`${what.engine.padEnd(46)} not here: ${what.reason ?? 'it is not installed'}\n`)
        continue
      }
      const isProgram = what.engine === 'pocketsphinx'
      const direct = () => timed(() => (isProgram ? program(pcm) : alone(engine, wav)))
      if (!isProgram) await engine.load()
      const seen = await interleave(ROUNDS, { studio: () => timed(() => asked(studio.port, what.engine, wav)), direct })
      row(`${what.engine}: beside ${isProgram ? 'its program' : 'the engine'} alone`, seen.studio, seen.direct, 'ms ', 'at most 1.05')
      const factor = (times: readonly number[]) => (median(times) / 1000 / seconds).toFixed(3)
      process.stdout.write(`${`${what.engine}: real-time factor`.padEnd(46)} ${factor(seen.studio)}; alone ${factor(seen.direct)}\n`)
      await engine.unload()
    }
  } finally {
    closeClient()
    await studio.end()
    folder.remove()
  }
}
