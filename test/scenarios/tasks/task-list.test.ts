// The list of tasks as the web page reads it: groups, pages, and expected completion times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowly, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

type Listed = { readonly task_id: string; readonly state: string; readonly created_at: number; readonly expected_at: number | null }

const open = sharedWorld({ remote: true })

test('the list of tasks', async (t) => {
  const world = await open()

  await t.test('pages continue where the last one ended, groups contain matching tasks, and invalid parameters are refused', async () => {
    for (let seed = 0; seed < 5; seed++) await world.task({ engine: 'tone', params: slowly(1, seed) })
    await world.task({ engine: 'no-such-engine', params: { segments: [{ text: 'x' }] } })
    const list = async (query: string): Promise<Listed[]> => (await world.get(`/workers/tasks?always=true&${query}`)).json().tasks
    const all = await list('limit=200')
    const first = await list('limit=4')
    const rest = await list(`limit=4&before=${first.at(-1)!.task_id}`)
    assert.deepEqual(
      [...first, ...rest].map(({ task_id }) => task_id),
      all.map(({ task_id }) => task_id),
    )
    assert.deepEqual(await list(`before=${all.at(-1)!.task_id}`), [])
    assert.deepEqual(
      (await list('status=failed')).map(({ state }) => state),
      ['failed'],
    )
    assert.equal((await list('status=done')).length, 5)
    assert.deepEqual([await list('status=waiting'), await list('status=running')], [[], []])
    assert.equal((await world.get('/workers/tasks?status=nonsense')).status, 422)
    const unknown = await world.get('/workers/tasks?before=0000')
    assert.equal(unknown.status, 404)
    assert.match(unknown.body.toString(), /Start again from the newest/)
    const { minutes } = (await world.get('/workers/activity')).json()
    const sum = (key: 'done' | 'failed') => minutes.reduce((total: number, minute: Record<string, number>) => total + minute[key]!, 0)
    assert.deepEqual([sum('done'), sum('failed')], [5, 1])
  })

  await t.test('once such a task has finished, waiting tasks have an expected completion time', async () => {
    const now = () => Date.now() / 1000
    const one = slowly(60_000)
    await world.task({ engine: 'tone', params: slowly(400) }) // the measurement
    const replies = Array.from({ length: 12 }, () => world.task({ engine: 'tone', params: one }))
    let listedAt = 0
    const waiting = await eventually(async () => {
      listedAt = now()
      const queued = (await tasksOf(world)).filter(({ state }) => state === 'queued') as unknown as Listed[]
      return queued.length > 1 && queued.every(({ expected_at }) => expected_at !== null) && queued
    })
    const [younger, older] = [waiting[0]!, waiting.at(-1)!]
    assert.ok(older.expected_at! > listedAt - 1, 'not in the past')
    assert.ok(younger.expected_at! > older.expected_at!, 'a later task finishes later')
    // Running tasks report their own speed, which is a hundred times slower than the measured one.
    const running = await eventually(async () =>
      ((await tasksOf(world)) as unknown as Listed[]).find(
        ({ state, expected_at }) => state === 'running' && (expected_at ?? 0) > now() + 10,
      ),
    )
    assert.ok(running.expected_at! < now() + 600)
    await Promise.all((await tasksOf(world)).map(({ task_id }) => world.post(`/workers/tasks/${task_id}/cancel`)))
    await Promise.allSettled(replies)
    assert.ok((await tasksOf(world)).every((task) => (task as unknown as Listed).expected_at === null))
  })
})
