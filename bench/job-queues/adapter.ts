// One queue library: what its submitter and its worker do. The libraries are not dependencies of the studio, so they have no types here.

export type Name = 'bullmq' | 'pg-boss'
/** Client of a queue server, which is a socket of Redis or an address of PostgreSQL. */
export type Submitter = {
  /** Resolves with the result of the job. */
  readonly run: (payload: unknown) => Promise<unknown>
}
type Adapter = {
  readonly submit: (server: string) => Promise<Submitter>
  readonly work: (server: string) => Promise<void>
}

const QUEUE = 'null-job'
const AT_ONCE = 64
// biome-ignore lint/suspicious/noExplicitAny: the types of a library that may not be installed
const library = (name: string): Promise<any> => import(name)

async function redis(path: string) {
  const { Redis } = await library('ioredis')
  return new Redis({ path, maxRetriesPerRequest: null })
}

const bullmq: Adapter = {
  async submit(server) {
    const { Queue, QueueEvents } = await library('bullmq')
    const queue = new Queue(QUEUE, { connection: await redis(server) })
    const events = new QueueEvents(QUEUE, { connection: await redis(server) })
    // Each job that is waited for listens to both.
    for (const emitter of [queue, events]) emitter.setMaxListeners(0)
    await events.waitUntilReady()
    return {
      async run(payload) {
        const job = await queue.add('echo', payload, { removeOnComplete: 10_000 })
        return job.waitUntilFinished(events)
      },
    }
  },
  async work(server) {
    const { Worker } = await library('bullmq')
    const echo = async (job: { readonly data: unknown }) => job.data
    const worker = new Worker(QUEUE, echo, { connection: await redis(server), concurrency: AT_ONCE })
    await worker.waitUntilReady()
  },
}

async function startBoss(server: string) {
  const { PgBoss } = await library('pg-boss')
  const boss = new PgBoss({ connectionString: server, useListenNotify: true })
  boss.on('error', (error: Error) => process.stderr.write(`pg-boss: ${error.message}\n`))
  await boss.start()
  await boss.createQueue(QUEUE, { notify: true })
  return boss
}
/** The library does not report that a job has ended, so the database does: asking for each job again and again would be slower. */
const NOTIFY_ENDED = `create or replace function notify_ended() returns trigger language plpgsql as
  $$ begin perform pg_notify('ended', new.id::text); return null; end $$;
  create or replace trigger job_ended after update on pgboss.job for each row when (new.state = 'completed') execute function notify_ended()`

const pgBoss: Adapter = {
  async submit(server) {
    const boss = await startBoss(server)
    const { default: pg } = await library('pg')
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(NOTIFY_ENDED)
    const waiting = new Map<string, () => void>()
    const early = new Set<string>()
    client.on('notification', ({ payload }: { readonly payload: string }) => {
      const resolve = waiting.get(payload)
      if (resolve) resolve()
      else early.add(payload)
      waiting.delete(payload)
    })
    await client.query('listen ended')
    return {
      async run(payload) {
        const id = (await boss.send(QUEUE, payload)) as string
        if (!early.delete(id)) await new Promise<void>((resolve) => void waiting.set(id, resolve))
        return (await boss.getJobById(QUEUE, id)).output
      },
    }
  },
  async work(server) {
    const boss = await startBoss(server)
    // The smallest interval that it allows, in case that a notification is lost.
    const options = { batchSize: 1, localConcurrency: AT_ONCE, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 }
    await boss.work(QUEUE, options, async ([job]: [{ readonly data: unknown }]) => job.data)
  },
}

export const ADAPTERS: Readonly<Record<Name, Adapter>> = { bullmq, 'pg-boss': pgBoss }
/** Throws where the library is not installed. */
export const requireLibrary = async (name: Name): Promise<void> => void (await library(name))
