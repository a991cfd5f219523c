// Live dictation: the time from the last spoken word to the final text, 20 dictations at once, and the memory of the studio while audio arrives
// ten times as fast as it was spoken. `dictation-hour` does the last for an hour of audio.
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { closeClient, startStudio } from './support/peers.ts'
import { median, quantile, row, title } from './support/rounds.ts'

const TEXT = 'She bought some bread and milk at the store. We will meet again next Monday morning.'
const RATE = 16_000
const BYTES_PER_SECOND = RATE * 2
/** Milliseconds of audio in one message. */
const MESSAGE_MS = 100
const ROUNDS = 5
const SESSIONS = 20
const MEMORY = { minutes: 6, speed: 10, samples: 10 }
type Message = { readonly type: string; readonly text?: string; readonly stage?: string; readonly message?: string }
type Studio = Awaited<ReturnType<typeof startStudio>>

async function speech(): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const event of flite.create().run('tts', { segments: [{ text: TEXT }] }, new AbortController().signal))
    if (event.kind === 'audio') pieces.push(toS16(event.samples))
  return Buffer.concat(pieces)
}

async function connect(port: number, model: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/transcribe?pcm=1&model=${model}`)
  const messages: Message[] = []
  let look = () => {}
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message
    if (message.type === 'error') throw new Error(message.message)
    messages.push(message)
    look()
  })
  await once(socket, 'open')
  const until = (fits: (message: Message) => boolean) =>
    new Promise<void>((resolve) => {
      look = () => void (messages.some(fits) && resolve())
      look()
    })
  const send = (data: string | Uint8Array) => new Promise<void>((resolve) => socket.send(data, () => resolve()))
  await until(({ stage }) => stage === 'ready')
  return {
    messages,
    /** Waits for the studio where it reads more slowly. */
    async speak(pcm: Buffer, speed: number): Promise<void> {
      const bytes = (BYTES_PER_SECOND * MESSAGE_MS) / 1000
      const from = performance.now()
      for (let at = 0; at < pcm.length; at += bytes) {
        await send(pcm.subarray(at, at + bytes))
        const due = from + ((at / bytes + 1) * MESSAGE_MS) / speed
        const early = due - performance.now()
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      }
    },
    /** Milliseconds from the end of the recording to the last final text. */
    async end(): Promise<number> {
      const from = performance.now()
      const closed = once(socket, 'close')
      await send('EOF')
      await until(({ type }) => type === 'final')
      const took = performance.now() - from
      await closed
      return took
    },
  }
}

async function transcribe(port: number, model: string, pcm: Buffer): Promise<number> {
  const form = new FormData()
  const wav = new Uint8Array(Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: pcm.length / 2 }), pcm]))
  form.set('file', new Blob([wav]), 'bench.wav')
  form.set('model', model)
  const from = performance.now()
  const reply = await fetch(`http://127.0.0.1:${port}/v1/audio/transcriptions`, { method: 'POST', body: form })
  await reply.text()
  return reply.status === 200 ? performance.now() - from : Number.NaN
}

async function latency({ port }: Studio, pcm: Buffer): Promise<void> {
  const model = 'pocketsphinx'
  if (Number.isNaN(await transcribe(port, model, pcm))) {
    process.stdout.write('last word to final text                        skipped: pocketsphinx is not installed\n')
    return
  }
  const live: number[] = []
  const whole: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    whole.push(await transcribe(port, model, pcm))
    const client = await connect(port, model)
    await client.speak(pcm, 1)
    live.push(await client.end())
  }
  const seconds = pcm.length / BYTES_PER_SECOND
  process.stdout.write(`pocketsphinx, ${seconds.toFixed(1)} s of speech: real-time factor ${(median(whole) / 1000 / seconds).toFixed(3)}\n`)
  row('last word to final text; limit: the whole file', live, whole, 'ms ', 'at most 2')
}

async function together({ port }: Studio, pcm: Buffer): Promise<void> {
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => connect(port, 'tone')))
  await Promise.all(clients.map((client) => client.speak(Buffer.concat([pcm, pcm]), 1)))
  const ends = await Promise.all(clients.map((client) => client.end()))
  process.stdout.write(
    `${SESSIONS} dictations at once, test recogniser: final text after ${median(ends).toFixed(0)} ms, slowest ${quantile(ends, 1).toFixed(0)} ms\n`,
  )
}

/** Without its log, whose size is constant. */
const databaseMb = (dataDir: string): number => statSync(join(dataDir, 'studio.db')).size / 2 ** 20

const residentMb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** `minutes` of audio: sentences with pauses, so that utterances end all the time. */
export async function memory(minutes: number): Promise<void> {
  const studio = await startStudio()
  try {
    const utterance = Buffer.concat([await speech(), Buffer.alloc(4 * BYTES_PER_SECOND)])
    const client = await connect(studio.port, 'tone')
    const rounds = Math.ceil((minutes * 60 * BYTES_PER_SECOND) / utterance.length)
    const resident: number[] = []
    const before = databaseMb(studio.dataDir)
    const from = performance.now()
    for (let round = 0; round < rounds; round++) {
      await client.speak(utterance, MEMORY.speed)
      if (round % Math.max(1, Math.floor(rounds / MEMORY.samples)) === 0) resident.push(residentMb(studio.child.pid!))
    }
    const seconds = (performance.now() - from) / 1000
    await client.end()
    resident.push(residentMb(studio.child.pid!))
    const finals = client.messages.filter(({ type }) => type === 'final').length
    const half = resident.slice(resident.length >> 1)
    process.stdout.write(
      `${minutes} min of audio in ${seconds.toFixed(0)} s, ${finals} final texts; resident memory of the studio in MiB: ${resident.map((each) => each.toFixed(0)).join(' ')}; second half ${(Math.max(...half) - Math.min(...half)).toFixed(0)} MiB apart; database ${(databaseMb(studio.dataDir) - before).toFixed(1)} MiB larger\n`,
    )
  } finally {
    await studio.end()
  }
}

export async function run(): Promise<void> {
  title('Live dictation')
  const pcm = await speech()
  const studio = await startStudio()
  try {
    await latency(studio, pcm)
    await together(studio, pcm)
  } finally {
    closeClient()
    await studio.end()
  }
  await memory(MEMORY.minutes)
}
