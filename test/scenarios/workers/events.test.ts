// What a follower of the events is told: every change of a task, once more after a break, and the word to read anew when that is too long ago.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowly } from '#test/support/world/tasks.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

type Told = { readonly kind: string; readonly id: string; readonly body: { task_id?: string; state?: string; id?: string } }

/** Follows until `abort`; what came is in `told`. */
function follow(url: string, last = '') {
  const abort = new AbortController()
  const told: Told[] = []
  const done = (async () => {
    const response = await fetch(`${url}/workers/events`, { signal: abort.signal, headers: last ? { 'last-event-id': last } : {} })
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const [, kind, id, body] = /^event: (.+)\nid: (.+)\ndata: (.+)$/.exec(part) ?? []
        if (kind) told.push({ kind, id: id!, body: JSON.parse(body!) })
      }
    }
  })().catch(() => {})
  return { told, stop: () => (abort.abort(), done) }
}

test('a task is told from its beginning to its end, and a follower who was away gets what it missed', async (t) => {
  const world = await openWorld(t, { remote: true })
  const first = follow(world.url)
  t.after(first.stop)
  await eventually(() => first.told.some(({ kind }) => kind === 'reset'))
  await world.task({ engine: 'tone', params: slowly(1500) })
  const states = () => first.told.filter(({ kind }) => kind === 'task').map(({ body }) => body.state)
  await eventually(() => states().includes('completed'))
  assert.ok(states().includes('running'), states().join())
  assert.ok(first.told.filter(({ body }) => body.state === 'running').length > 1, 'progress is told as well')
  await first.stop()
  const last = first.told.at(-1)!.id

  const { task_id } = (await world.task({ engine: 'tone', params: slowly(100) })).json()
  const second = follow(world.url, last)
  t.after(second.stop)
  await eventually(() => second.told.some(({ body }) => body.task_id === task_id && body.state === 'completed'))
  assert.ok(!second.told.some(({ kind }) => kind === 'reset'), 'nothing has to be read anew')
  await second.stop()

  for (const unknown of ['0123456789ab-5', `${last.split('-')[0]}-999999`, 'nonsense']) {
    const third = follow(world.url, unknown)
    await eventually(() => third.told.length > 0)
    assert.equal(third.told[0]!.kind, 'reset', unknown)
    await third.stop()
  }
})

test('machines that join, change and leave are told', async (t) => {
  const world = await openWorld(t, { remote: true })
  const { told, stop } = follow(world.url)
  t.after(stop)
  const machine = await world.machine('lender')
  const seen = (wanted: object) =>
    eventually(() =>
      told.some(({ kind, body }) => kind === 'worker' && Object.entries(wanted).every(([key, value]) => (body as never)[key] === value)),
    )
  await seen({ id: machine.workerId, connected: true, consent_granted: false })
  await world.approve(machine)
  await seen({ id: machine.workerId, consent_granted: true })
  machine.program.signal('SIGKILL')
  await seen({ id: machine.workerId, connected: false })
  await world.delete(`/workers/${machine.workerId}`)
  await eventually(() => told.some(({ kind, body }) => kind === 'worker-gone' && body.id === machine.workerId))
})
