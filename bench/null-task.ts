// The cost of durability, fencing and placement: a task without work through the complete system. Baseline: fastify and one unary grpc-js
// call over mutual TLS that stores nothing.
import { benchKeys } from './support/keys.ts'
import { closeClient, post, startPeer, startStudio } from './support/peers.ts'
import { flood, interleave, quantile, row, title } from './support/rounds.ts'

const ROUNDS = 5
const BODY = JSON.stringify({ engine: 'probe', operation: 'probe', params: { echo: 'x'.repeat(1024) }, deadline_seconds: 60 })

export async function run(): Promise<void> {
  const keys = await benchKeys()
  const raw = await startPeer('raw-agent.ts', keys)
  const front = await startPeer('raw-front.ts', { agentPort: raw.ready['port'], keys })
  const studio = await startStudio()
  const ports = { ours: studio.port, raw: front.ready['port'] as number }
  await post(ports.ours, '/workers/enabled', '{"enabled":true}')
  const task = async () => {
    const { status, body } = await post(ports.ours, '/workers/tasks', BODY)
    if (status !== 200) throw new Error(`${status} ${body}`)
  }
  const thin = async () => {
    const { status, body } = await post(ports.raw, '/task', BODY)
    if (status !== 200) throw new Error(`${status} ${body}`)
  }

  try {
    title('Null task: 1 KiB there and back (synchronous FULL, commits grouped in batches)')
    const p99: { ours: number[]; raw: number[] } = { ours: [], raw: [] }
    const serial = (call: () => Promise<unknown>, tails: number[]) => async () => {
      const { each } = await flood(400, 1, call)
      tails.push(quantile(each, 0.99))
      return quantile(each, 0.5)
    }
    const one = await interleave(ROUNDS, { ours: serial(task, p99.ours), raw: serial(thin, p99.raw) })
    row('one at a time, p50', one.ours, one.raw, 'ms ', 'at most 1.50, aim 1.25')
    row('one at a time, p99', p99.ours.slice(1), p99.raw.slice(1), 'ms ', '')
    const many = await interleave(ROUNDS, {
      ours: async () => (await flood(3000, 64, task)).perSecond,
      raw: async () => (await flood(3000, 64, thin)).perSecond,
      inside: async () => (await studio.ask<{ perSecond: number }>({ flood: { count: 3000, width: 64 } })).perSecond,
    })
    row('64 in flight over HTTP', many.ours, many.raw, '/s ', 'at least 0.60, aim 0.75')
    row('64 in flight, submitted in-process', many.inside, many.raw, '/s ', 'at least 0.54 (1500 where that does 2800)')
  } finally {
    closeClient()
    await Promise.all([studio.end(), front.end(), raw.end()])
  }
}
