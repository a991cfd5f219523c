// A task of the studio compared with the same job in queue libraries that store it durably, with the thinnest path that stores it durably, and with
// the path that stores nothing. "behind fastify": asked over HTTP, as the studio is. A library without it has no HTTP in front, to its advantage.
import { benchKeys } from '../support/keys.ts'
import { closeClient, post, startPeer, startStudio } from '../support/peers.ts'
import { flood, interleave, quantile, row, title } from '../support/rounds.ts'
import { type Name, requireLibrary } from './adapter.ts'
import type { Behind } from './front.ts'
import { type QueueServer, startPostgres, startRedis } from './servers.ts'
import type { Figures } from './submit.ts'

const ROUNDS = 5
const STUDIO = 'studio'
const BODY = JSON.stringify({ engine: 'probe', operation: 'probe', params: { echo: 'x'.repeat(1024) }, deadline_seconds: 60 })
/** Warm when a batch is at most this much faster than the one before it. */
const STEADY = 1.05
const MAX_BATCHES = 20
/** About the time of a batch of each subject. */
const BATCH_SECONDS = 1
const LIBRARIES: Readonly<Record<string, readonly [Name, 'submit' | 'front']>> = {
  'BullMQ behind fastify': ['bullmq', 'front'],
  BullMQ: ['bullmq', 'submit'],
  'pg-boss': ['pg-boss', 'submit'],
}
const SERVERS: Readonly<Record<Name, () => Promise<QueueServer>>> = { bullmq: startRedis, 'pg-boss': startPostgres }

type Subject = { readonly measure: (count: number, width: number) => Promise<Figures>; readonly end: () => Promise<void> }

/** `script`: what submits to the library, with or without HTTP in front of it. */
async function openQueue(name: Name, script: 'submit' | 'front'): Promise<Subject> {
  await requireLibrary(name)
  const { address, end: endServer } = await SERVERS[name]()
  const [submitter, worker] = [await start(script, { name, server: address }), await start('work', { name, server: address })]
  const end = async () => {
    await Promise.all([submitter.end(), worker.end()])
    await endServer()
  }
  if (script === 'front') return openPath(submitter.ready['port'] as number, '/task', end)
  return { measure: (count, width) => submitter.ask<Figures>({ count, width }), end }
}
const start = (script: string, first: object) => startPeer(`../job-queues/${script}.ts`, first)

function openPath(port: number, path: string, ends: () => Promise<unknown>): Subject {
  const call = async () => {
    const { status, body } = await post(port, path, BODY)
    if (status !== 200) throw new Error(`${status} ${body}`)
  }
  return {
    async measure(count, width) {
      const { each, perSecond } = await flood(count, width, call)
      return { p50: quantile(each, 0.5), p99: quantile(each, 0.99), perSecond }
    },
    end: async () => void (await ends()),
  }
}

async function openStudio(): Promise<Subject> {
  const studio = await startStudio()
  await post(studio.port, '/workers/enabled', '{"enabled":true}')
  return openPath(studio.port, '/workers/tasks', () => studio.end())
}

async function openRaw(): Promise<Subject> {
  const keys = await benchKeys()
  const agent = await startPeer('raw-agent.ts', keys)
  const front = await startPeer('raw-front.ts', { agentPort: agent.ready['port'], keys })
  return openPath(front.ready['port'] as number, '/task', () => Promise.all([front.end(), agent.end()]))
}

async function openThin(): Promise<Subject> {
  const keys = await benchKeys()
  const agent = await start('thin-agent', keys)
  const front = await start('front', { agentPort: agent.ready['port'] as number, keys } satisfies Behind)
  return openPath(front.ready['port'] as number, '/task', () => Promise.all([front.end(), agent.end()]))
}

/** Runs jobs until figures stand still, because new code is slower by half. Resolves with the jobs of a round. */
async function warmUp({ measure }: Subject, width: number): Promise<number> {
  let before = 0
  let count = width
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { perSecond } = await measure(count, width)
    count = Math.max(width, Math.round(perSecond * BATCH_SECONDS))
    if (batch > 3 && perSecond < before * STEADY) break
    before = perSecond
  }
  return count
}

/** One figure of all subjects in alternating rounds, and how the studio compares with each. */
async function compare(subjects: Readonly<Record<string, Subject>>, label: string, width: number, figure: keyof Figures, unit: string) {
  const columns: Record<string, () => Promise<number>> = {}
  for (const [name, subject] of Object.entries(subjects)) {
    const count = await warmUp(subject, width)
    columns[name] = async () => (await subject.measure(count, width))[figure]
  }
  const { [STUDIO]: ours, ...others } = await interleave(ROUNDS, columns)
  for (const [name, theirs] of Object.entries(others)) row(`${label}, to ${name}`, ours!, theirs, unit, '')
}

export async function run(): Promise<void> {
  title('Null task of the studio, compared with job queues that sync each write')
  const subjects: Record<string, Subject> = {}
  try {
    subjects[STUDIO] = await openStudio()
    subjects['thinnest durable path'] = await openThin()
    subjects['raw path, stores nothing'] = await openRaw()
    for (const [label, [name, script]] of Object.entries(LIBRARIES)) {
      try {
        subjects[label] = await openQueue(name, script)
      } catch (error) {
        process.stdout.write(`${label}: skipped (${(error as Error).message.split('\n')[0]}); see bench/job-queues/README.md\n`)
      }
    }
    await compare(subjects, 'one at a time, p50', 1, 'p50', 'ms ')
    await compare(subjects, '64 in flight', 64, 'perSecond', '/s ')
  } finally {
    closeClient()
    await Promise.all(Object.values(subjects).map(({ end }) => end()))
  }
}
