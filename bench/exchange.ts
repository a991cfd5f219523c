// The exchange of a link compared with a call per attempt: two studios of this version, one of which does not use the exchange. Beside them the
// limit of null-task.ts: fastify and one unary grpc-js call that stores nothing.
import { readFileSync } from 'node:fs'
import { benchKeys } from './support/keys.ts'
import { closeClient, post, startPeer, startStudio } from './support/peers.ts'
import { flood, interleave, quantile, row, title } from './support/rounds.ts'

const ROUNDS = 5
const BODY = JSON.stringify({ engine: 'probe', operation: 'probe', params: { echo: 'x'.repeat(1024) }, deadline_seconds: 60 })

/** Processor time of a process in ticks of 10 ms. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

export async function run(): Promise<void> {
  const keys = await benchKeys()
  const raw = await startPeer('raw-agent.ts', keys)
  const front = await startPeer('raw-front.ts', { agentPort: raw.ready['port'], keys })
  const studios = { exchange: await startStudio(), calls: await startStudio(async () => {}, { BENCH_CALLS_ONLY: '1' }) }
  const agents: Record<string, number> = {}
  for (const [name, studio] of Object.entries(studios)) {
    await post(studio.port, '/workers/enabled', '{"enabled":true}')
    agents[name] = (await studio.ask<{ agentPid: number }>({ memory: true })).agentPid
  }
  const taskOf =
    (port: number, path = '/workers/tasks') =>
    async () => {
      const { status, body } = await post(port, path, BODY)
      if (status !== 200) throw new Error(`${status} ${body}`)
    }
  const used = { studio: { exchange: [] as number[], calls: [] as number[] }, agent: { exchange: [] as number[], calls: [] as number[] } }
  const thin = taskOf(front.ready['port'] as number, '/task')
  const serial = (task: () => Promise<void>) => async () => quantile((await flood(400, 1, task)).each, 0.5)
  const wide = (name: keyof typeof studios) => async () => {
    const count = 3000
    const pids = { studio: studios[name].child.pid!, agent: agents[name]! }
    const before = { studio: ticksOf(pids.studio), agent: ticksOf(pids.agent) }
    const { perSecond } = await flood(count, 64, taskOf(studios[name].port))
    for (const part of ['studio', 'agent'] as const) used[part][name].push(((ticksOf(pids[part]) - before[part]) * 10_000) / count)
    return perSecond
  }
  try {
    title('Null task over the exchange, compared with a call per attempt')
    for (const task of [...Object.values(studios).map(({ port }) => taskOf(port)), thin]) await flood(4000, 64, task) // until the code is hot
    const one = await interleave(ROUNDS, {
      exchange: serial(taskOf(studios.exchange.port)),
      calls: serial(taskOf(studios.calls.port)),
      raw: serial(thin),
    })
    row('one at a time, p50', one.exchange, one.calls, 'ms ', 'at most 0.85, aim 0.78')
    row('  and the raw path', one.exchange, one.raw, 'ms ', '')
    row('  a call per attempt and the raw path', one.calls, one.raw, 'ms ', '')
    const many = await interleave(ROUNDS, {
      exchange: wide('exchange'),
      calls: wide('calls'),
      raw: async () => (await flood(3000, 64, thin)).perSecond,
    })
    row('64 in flight over HTTP', many.exchange, many.calls, '/s ', 'at least 1.30, aim 1.50')
    row('  and the raw path', many.exchange, many.raw, '/s ', '')
    row('  a call per attempt and the raw path', many.calls, many.raw, '/s ', '')
    row('processor time of the studio per task', used.studio.exchange.slice(1), used.studio.calls.slice(1), 'us ', '')
    row('processor time of the agent per task', used.agent.exchange.slice(1), used.agent.calls.slice(1), 'us ', 'at most 0.60')
  } finally {
    closeClient()
    await Promise.all([...Object.values(studios), front, raw].map(({ end }) => end()))
  }
}
