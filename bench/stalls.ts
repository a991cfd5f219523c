// The longest stall of the event loop that one request causes: every entrance for text, with each hostile text at its limit, beside a harmless text
// of the same length. By processor time, without the moments at which the machine stood still.
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import {
  type Body,
  HARMLESS_UNIT,
  HOSTILE_UNITS,
  longestText,
  STUDIO_ENTRANCES,
  type StudioEntrance,
} from '#test/support/texts/studio-entrances.ts'
import { createDubClient } from './support/dubbing/client.ts'
import { apart, type Block } from './support/dubbing/loop-blocks.ts'
import { startPeer, startStudio, temporary } from './support/peers.ts'
import { median, title } from './support/rounds.ts'

const MAX_MS = 100
const MAX_TIMES = 5
/** Rounds with the worst text of an entrance, alternating with the harmless one. */
const ROUNDS = 3
/** A long request is given up when no block of this length was seen in so many looks. */
const CALM_MS = 15
const CALM_LOOKS = 10
const LOOK_MS = 250

type Measured = { readonly workMs: number; readonly status: number | null }

export async function run(): Promise<void> {
  const only = process.env['STUDIO_BENCH_ENTRANCE'] ?? ''
  const studio = await startStudio()
  await prepareDub(studio.port)
  const witness = await startPeer('dubbing/witness.ts')
  await witness.ask({}) // its start is no stall

  async function measure(entrance: StudioEntrance, body: Body): Promise<Measured> {
    await studio.ask({ delay: 'start' })
    const blocks: Block[] = []
    const sent = send(studio.port, entrance, body)
    let isAnswered = false
    void sent.answer.finally(() => {
      isAnswered = true
    })
    // The work of some requests goes on for hours; its text has been read once the loop is calm.
    for (let calm = 0; !isAnswered && !(entrance.isLong && calm >= CALM_LOOKS); ) {
      await clock.sleep(LOOK_MS)
      const { blocks: more } = await studio.ask<{ blocks: Block[] }>({ delay: 'read' })
      blocks.push(...more)
      calm = more.some(({ ms }) => ms >= CALM_MS) ? 0 : calm + 1
    }
    sent.end()
    const status = await sent.answer
    await clock.sleep(LOOK_MS) // the end of a block is noted in the next turn
    blocks.push(...(await studio.ask<{ blocks: Block[] }>({ delay: 'read' })).blocks)
    return { workMs: apart(blocks, await witness.ask<Block[]>({})).workMs, status }
  }

  try {
    title('Longest stall of the event loop by one request at the limit of its entrance (processor time)')
    for (const entrance of STUDIO_ENTRANCES.filter(({ path }) => path.includes(only))) {
      const bodyOf = (unit: string) => entrance.body(longestText(entrance, unit))
      const harmless = bodyOf(entrance.harmless ?? HARMLESS_UNIT)
      await measure(entrance, harmless) // compiles the code
      const found: { readonly name: string; readonly body: Body; readonly workMs: number }[] = []
      for (const [name, unit] of Object.entries(HOSTILE_UNITS)) {
        const body = bodyOf(unit)
        found.push({ name, body, workMs: (await measure(entrance, body)).workMs })
      }
      const worst = found.reduce((a, b) => (b.workMs > a.workMs ? b : a))
      const rounds: { readonly hostile: Measured; readonly benign: Measured }[] = []
      while (rounds.length < ROUNDS)
        rounds.push({ hostile: await measure(entrance, worst.body), benign: await measure(entrance, harmless) })
      const hostileMs = median(rounds.map(({ hostile }) => hostile.workMs))
      const benignMs = median(rounds.map(({ benign }) => benign.workMs))
      const isMet = hostileMs <= MAX_MS || hostileMs <= MAX_TIMES * benignMs
      const statuses = `${rounds[0]!.hostile.status ?? 'given up'}, ${rounds[0]!.benign.status ?? 'given up'}`
      process.stdout.write(
        `${entrance.path.padEnd(28)} ${hostileMs.toFixed(0).padStart(6)} ms  ${worst.name.padEnd(17)} harmless ${benignMs.toFixed(0).padStart(5)} ms  (${statuses})  at most ${MAX_MS} ms or ${MAX_TIMES} times: ${isMet ? 'met' : 'not met'}\n`,
      )
      const others = found
        .filter(({ workMs }) => workMs > Math.max(MAX_MS, MAX_TIMES * benignMs) && !isMet)
        .map(({ name, workMs }) => `${name} ${workMs.toFixed(0)} ms`)
      if (others.length > 0) process.stdout.write(`  ${others.join(', ')}\n`)
    }
  } finally {
    await witness.end()
    await studio.end()
  }
}

/** The dub that the entrances of dubs name. */
const DUB = 'none'
async function prepareDub(port: number): Promise<void> {
  const folder = temporary()
  try {
    const sound = join(folder.path, 'sound.wav')
    writeFileSync(sound, spokenWav({ seconds: 4, rate: 24_000, channels: 1 }))
    const client = createDubClient(port)
    const job = await client.upload(DUB, sound, 'audio')
    for (;;) {
      const { status, error } = await client.json('GET', `/jobs/${job}`)
      if (status === 'done') return
      if (status === 'failed') throw new Error(error)
      await clock.sleep(LOOK_MS)
    }
  } finally {
    folder.remove()
  }
}

/** `answer`: the status at the end of the response; null without one. */
function send(
  port: number,
  { method, path }: StudioEntrance,
  { type, bytes }: Body,
): { readonly answer: Promise<number | null>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  let status: number | null = null
  const headers = { 'content-type': type, 'content-length': bytes.length }
  const call = request({ host: '127.0.0.1', port, method, path, agent: false, headers }, (reply) => {
    status = reply.statusCode ?? null
    reply.resume().on('close', () => resolve(status))
  })
  call.on('error', () => resolve(status))
  call.end(bytes)
  return { answer: promise, end: () => void call.destroy() }
}
