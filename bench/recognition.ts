// The overhead of recognition: each installed recogniser through the studio, over HTTP and an engine host, compared with a direct call in the
// same round: its program if it is one, else the engine in this process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { RECOGNISER } from '#agent/engine/asr/pocketsphinx/program.ts'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { flite } from '#agent/engine/tts/flite/engine.ts'
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

async function generateSpeech(): Promise<Float32Array> {
  const pieces: Float32Array[] = []
  for await (const event of flite.create().run('tts', { segments: [{ text: TEXT }] }, new AbortController().signal))
    if (event.kind === 'audio') pieces.push(event.samples)
  return Float32Array.from(pieces.flatMap((piece) => [...piece]))
}

/** Runs the program of the recogniser until it exits. */
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
    if (event.kind === 'result' && event.result['text'] === '') throw new Error('the transcript is empty')
}

async function transcribe(port: number, engine: string, wav: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([wav], { type: 'audio/wav' }), 'bench.wav')
  form.set('model', engine)
  const reply = await fetch(`http://127.0.0.1:${port}/v1/audio/transcriptions`, { method: 'POST', body: form })
  const { text } = (await reply.json()) as { text?: string }
  if (!text) throw new Error(`${engine} answered ${reply.status} without text`)
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export async function run(): Promise<void> {
  const path = process.env['PATH'] ?? ''
  const engines = catalog(false).map(({ create }) => create({ clock: systemClock, path, filesOf: noFiles }))
  const recognisers = engines.flatMap((engine) =>
    engine.describe().flatMap((offer) => (offer.operation === 'asr' ? [{ engine, offer }] : [])),
  )
  const samples = await generateSpeech()
  const wav = new Uint8Array(Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)]))
  const seconds = samples.length / RATE
  title(`Recognition of ${seconds.toFixed(1)} s of speech`)
  const folder = temporary()
  const pcm = join(folder.path, 'speech.raw')
  writeFileSync(pcm, toS16(samples))
  const studio = await startStudio()
  try {
    for (const { engine, offer } of recognisers) {
      if (!offer.installed || !offer.downloaded) {
        process.stdout.write(`${offer.engine.padEnd(46)} skipped: ${offer.reason ?? 'not installed'}\n`)
        continue
      }
      const isProgram = offer.engine === 'pocketsphinx'
      const direct = () => timed(() => (isProgram ? program(pcm) : alone(engine, wav)))
      if (!isProgram) await engine.load()
      const times = await interleave(ROUNDS, { studio: () => timed(() => transcribe(studio.port, offer.engine, wav)), direct })
      row(`${offer.engine}: limit: ${isProgram ? 'its program' : 'the engine'} alone`, times.studio, times.direct, 'ms ', 'at most 1.05')
      const factor = (each: readonly number[]) => (median(each) / 1000 / seconds).toFixed(3)
      process.stdout.write(`${`${offer.engine}: real-time factor`.padEnd(46)} ${factor(times.studio)}; alone ${factor(times.direct)}\n`)
      await engine.unload()
    }
  } finally {
    closeClient()
    await studio.end()
    folder.remove()
  }
}
