// One request to an engine of a studio, and what the host process of the engine needed for it.
import { readFileSync } from 'node:fs'
import { engineRow } from '#shared/engines.ts'
import { cpuTimes, findStarted } from '../books/cpu-time.ts'
import type { BenchStudio } from '../dubbing/watched.ts'
import { post } from '../peers.ts'
import type { EngineRun } from './python-peer.ts'

/** Rate of pcm, for every engine. */
export const RATE = 24_000

/** The voice that speaks unasked, and what it says; null if the engine is not installed, also if another one would answer. */
export async function firstSpeech(
  studio: BenchStudio,
  engine: string,
  text: string,
): Promise<{ readonly voice: string; readonly pcm: Buffer<ArrayBuffer> } | null> {
  const reply = await fetch(`http://127.0.0.1:${studio.port}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: engine, input: text, response_format: 'pcm' }),
  })
  const pcm = Buffer.from(await reply.arrayBuffer())
  if (isAbsent(reply) || reply.headers.get('x-svc-routing') === 'stand_in') return null
  if (!reply.ok) throw new Error(`${engine} answered ${reply.status}: ${pcm}`)
  return { voice: reply.headers.get('x-svc-voice') ?? '', pcm }
}

const ABSENT = [404, 409]
const isAbsent = ({ status }: Response): boolean => ABSENT.includes(status)

/** Null if the engine is not installed. */
export async function transcript(studio: BenchStudio, engine: string, audio: string): Promise<string | null> {
  const form = new FormData()
  form.set('file', new Blob([readFileSync(audio)]), 'speech.wav')
  form.set('model', engine)
  const reply = await fetch(`http://127.0.0.1:${studio.port}/v1/audio/transcriptions`, { method: 'POST', body: form })
  const answer = await reply.text()
  if (isAbsent(reply)) return null
  const text = reply.ok ? JSON.parse(answer).text : ''
  if (!text) throw new Error(`${engine} answered ${reply.status}: ${answer}`)
  return text
}

/** Runs `work`, which resolves with the seconds of sound and the milliseconds until the first of it, and measures the host of the engine. */
async function measured(
  { child }: BenchStudio,
  engine: string,
  work: () => Promise<{ readonly seconds: number; readonly firstMs: number | null }>,
): Promise<EngineRun> {
  const find = () => findStarted(child.pid!, `host/host.ts ${engineRow(engine)!.group}`)
  const used = (pid: number | null) => {
    if (pid === null) return 0
    const { whole, below } = cpuTimes(pid)
    return whole + below
  }
  const before = used(find())
  const from = performance.now()
  const { seconds, firstMs } = await work()
  const totalMs = performance.now() - from
  const host = find()
  if (host === null) throw new Error(`${engine} has no host`)
  const status = readFileSync(`/proc/${host}/status`, 'utf8')
  const memoryMib = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024
  return { seconds, cpu: used(host) - before, firstMs, totalMs, memoryMib }
}

export const speech = (studio: BenchStudio, engine: string, text: string): Promise<EngineRun> =>
  measured(studio, engine, async () => {
    const from = performance.now()
    let firstMs = 0
    const body = JSON.stringify({ model: engine, input: text, response_format: 'pcm' })
    const reply = await post(studio.port, '/v1/audio/speech', body, () => {
      firstMs = performance.now() - from
    })
    if (reply.status !== 200) throw new Error(`${engine} answered ${reply.status}: ${reply.body}`)
    return { seconds: reply.body.length / 2 / RATE, firstMs }
  })

export const recognition = (studio: BenchStudio, engine: string, audio: string, seconds: number): Promise<EngineRun> =>
  measured(studio, engine, async () => {
    await transcript(studio, engine, audio)
    return { seconds, firstMs: null }
  })
