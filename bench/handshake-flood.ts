// The effect of unauthenticated connections on running work: a null task on a borrowed machine while a thousand invalid connections a second
// arrive at the agent port, compared with the same task without them.
import { closeClient, post, startMachine, startPeer, startStudio } from './support/peers.ts'
import { flood, interleave, median, quantile, row, title } from './support/rounds.ts'

const ROUNDS = 7
const TASKS = 500
const PER_SECOND = 1_000
const BODY = JSON.stringify({ engine: 'probe', operation: 'probe', params: { echo: 'x' }, deadline_seconds: 60 })

export async function run(): Promise<void> {
  const studio = await startStudio()
  const machine = await startMachine(studio.port)
  const flooder = await startPeer('flooder.ts')
  const { endpoint } = (await (await fetch(`http://127.0.0.1:${studio.port}/workers`)).json()) as { endpoint: string }
  const port = Number(endpoint.split(':').at(-1))
  await post(studio.port, '/workers/target', JSON.stringify({ target: machine.workerId }))
  const task = async () => {
    const { status, body } = await post(studio.port, '/workers/tasks', BODY)
    if (status !== 200) throw new Error(`${status} ${body}`)
    const { attempts } = JSON.parse(body.toString()) as { attempts: { worker_id: string }[] }
    if (attempts.at(-1)?.worker_id !== machine.workerId) throw new Error('the task ran elsewhere')
  }
  const middle: Record<'calm' | 'flooded', number[]> = { calm: [], flooded: [] }
  const rates: number[] = []
  const measure = async (name: 'calm' | 'flooded') => {
    const { each } = await flood(TASKS, 1, task)
    middle[name].push(quantile(each, 0.5))
    return quantile(each, 0.99)
  }

  try {
    title(`Handshake flood: ${PER_SECOND} invalid connections a second against the agent port`)
    const p99 = await interleave(ROUNDS, {
      calm: () => measure('calm'),
      async flooded() {
        await flooder.ask({ flood: { port, perSecond: PER_SECOND } })
        const value = await measure('flooded')
        const { opened, seconds } = await flooder.ask<{ opened: number; seconds: number }>({ stop: true })
        rates.push(opened / seconds)
        return value
      },
    })
    row('a null task on a borrowed machine, p50', middle.flooded.slice(1), middle.calm.slice(1), 'ms ', '')
    row('a null task on a borrowed machine, p99', p99.flooded, p99.calm, 'ms ', 'at most 1.50')
    process.stdout.write(`invalid connections opened: ${median(rates.slice(1)).toFixed(0)} a second\n`)
  } finally {
    closeClient()
    await flooder.end()
    await machine.end()
    await studio.end()
  }
}
