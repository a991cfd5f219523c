// The jobs of several clients take turns, also after a restart of the studio.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { asClient, type Client, currentClient, OWNER } from '#control-plane/clients/client.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { type Params, stage } from '#test/support/doubles/job-stage.ts'
import { type JobWorld, jobsFor, openJobs } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const clientOf = (source: string, name = source): Client => ({ source, name, id: `address:${source}`, isOwner: false })
const settle = async () => {
  for (let turns = 0; turns < 200; turns++) await nextTurn()
}
const create = (world: JobWorld, client: Client, name: string) =>
  asClient(client, () => world.jobs.create({ type: 'test', params: { names: [name] }, meta: {} }))

test('one client runs as many jobs as its type says, and leaves places to others and to the owner', async (t) => {
  const { type, begun } = stage()
  const world = jobsFor(t, [type({ concurrency: 2 })])
  for (let at = 0; at < 6; at++) await create(world, clientOf('a', `a sign-in ${at % 3}`), `a${at}`)
  for (let at = 0; at < 3; at++) await create(world, clientOf('b'), `b${at}`)
  await create(world, OWNER, 'owner')
  await settle()
  const running = begun.map(({ name }) => name)
  assert.deepEqual(running.filter((name) => name.startsWith('a')).length, 3, 'three sign-ins of one address have half of six')
  assert.deepEqual(
    running.filter((name) => !name.startsWith('a')),
    ['b0', 'owner'],
  )
})

test('the steps of a job run for its client', async (t) => {
  const { type, stepOf } = stage()
  const seen: Client[] = []
  const steps = ({ names }: Params) => [
    [
      stepOf(names[0]!, undefined, {
        run: async () => {
          seen.push(currentClient())
          return { json: {}, digest: null, bytes: 0 }
        },
      }),
    ],
  ]
  const world = jobsFor(t, [type({ steps })])
  await create(world, clientOf('a', 'a key'), 'one')
  await create(world, clientOf('b'), 'two')
  await settle()
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['a key', 'b'],
  )
})

test('waiting jobs of one client delay that of another by one', async (t) => {
  const { type, next, begun } = stage()
  const world = jobsFor(t, [type({ concurrency: 1 })])
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((source) => clientOf(source))
  for (let at = 0; at < 5; at++) await create(world, a!, `a${at}`)
  for (const client of [b!, c!]) await create(world, client, client.source)
  for (let at = 0; at < 5; at++) await create(world, b!, `b${at}`)
  await create(world, d!, 'd')
  await settle()
  assert.deepEqual(
    begun.map(({ name }) => name),
    ['a0', 'b', 'c'],
  )
  ;(await next('b')).go()
  await next('d')
})

test('a client with many unfinished jobs is refused, and others are not', async (t) => {
  const { type } = stage()
  const world = jobsFor(t, [type({ unfinishedPerClient: 3 })])
  for (let at = 0; at < 3; at++) await create(world, clientOf('a'), `a${at}`)
  await assert.rejects(create(world, clientOf('a'), 'a3'), {
    code: 'QUEUE_FULL',
    message: /at most 3 places for unfinished jobs of this kind/,
  })
  await create(world, clientOf('b'), 'b')
  const reserved = asClient(OWNER, () => Array.from({ length: 3 }, () => world.jobs.reserve('test')))
  await assert.rejects(create(world, OWNER, 'owner'), { code: 'QUEUE_FULL' })
  for (const { giveBack } of reserved) giveBack()
  await create(world, OWNER, 'owner')
})

test('after a kill the jobs keep their clients, and the owner stays the owner', async (t) => {
  const path = join(temporaryFolder(t), 'studio.db')
  const { type } = stage()
  const killed = openJobs(path, [type({ concurrency: 1 })])
  await killed.jobs.start()
  for (let at = 0; at < 4; at++) await create(killed, clientOf('a', 'a sign-in 1'), `a${at}`)
  await create(killed, clientOf('b'), 'b')
  await create(killed, OWNER, 'owner')
  await settle()
  killed.kill()
  killed.close()
  const again = stage()
  const world = jobsFor(t, [again.type({ concurrency: 1 })], path)
  await world.jobs.start()
  await settle()
  assert.deepEqual(new Set(again.begun.map(({ name }) => name)), new Set(['a0', 'b', 'owner']))
})
