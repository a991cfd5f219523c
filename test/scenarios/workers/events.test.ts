// GET /workers/events: every change of a task, missed events after a reconnect, and `reset` when they are no longer available.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowly } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

type StreamEvent = { readonly kind: string; readonly id: string; readonly body: { task_id?: string; state?: string; id?: string } }

/** Follows the stream until `stop`; `received` collects its events. */
function follow(url: string, last = '') {
  const abort = new AbortController()
  const received: StreamEvent[] = []
  const done = (async () => {
    const response = await fetch(`${url}/workers/events`, { signal: abort.signal, headers: last ? { 'last-event-id': last } : {} })
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const [, kind, id, body] = /^event: (.+)\nid: (.+)\ndata: (.+)$/.exec(part) ?? []
        if (kind) received.push({ kind, id: id!, body: JSON.parse(body!) })
      }
    }
  })().catch(() => {})
  return {
    received,
    stop: () => {
      abort.abort()
      return done
    },
  }
}

const open = sharedWorld({ remote: true })

test('events of one studio', async (t) => {
  const world = await open()

  await t.test('a task is reported from start to end, and a follower that reconnects gets the missed events', async (t) => {
    const first = follow(world.url)
    t.after(first.stop)
    await eventually(() => first.received.some(({ kind }) => kind === 'reset'))
    const reply = world.task({ engine: 'tone', params: slowly(60_000) })
    const states = () => first.received.filter(({ kind }) => kind === 'task').map(({ body }) => body.state)
    // Progress is reported as well.
    await eventually(() => states().filter((state) => state === 'running').length > 1)
    const { task_id: begun } = first.received.find(({ body }) => body.state === 'running')!.body
    assert.equal((await world.post(`/workers/tasks/${begun}/cancel`)).status, 200)
    assert.equal((await reply).status, 409)
    await eventually(() => states().includes('cancelled'))
    assert.equal((await world.task({ engine: 'tone', params: slowly(100) })).status, 200)
    await eventually(() => states().includes('completed'))
    await first.stop()
    const last = first.received.at(-1)!.id

    const { task_id } = (await world.task({ engine: 'tone', params: slowly(100) })).json()
    const second = follow(world.url, last)
    t.after(second.stop)
    await eventually(() => second.received.some(({ body }) => body.task_id === task_id && body.state === 'completed'))
    assert.ok(!second.received.some(({ kind }) => kind === 'reset'), 'no reset is needed')
    await second.stop()

    for (const unknown of ['0123456789ab-5', `${last.split('-')[0]}-999999`, 'nonsense']) {
      const third = follow(world.url, unknown)
      await eventually(() => third.received.length > 0)
      assert.equal(third.received[0]!.kind, 'reset', unknown)
      await third.stop()
    }
  })

  await t.test('machines that join, change and leave are reported', async () => {
    const { received, stop } = follow(world.url)
    t.after(stop)
    const machine = await world.machine('lender')
    const expectWorker = (wanted: object) =>
      eventually(() =>
        received.some(
          ({ kind, body }) => kind === 'worker' && Object.entries(wanted).every(([key, value]) => (body as never)[key] === value),
        ),
      )
    await expectWorker({ id: machine.workerId, connected: true, consent_granted: false })
    await world.approve(machine)
    await expectWorker({ id: machine.workerId, consent_granted: true })
    machine.program.signal('SIGKILL')
    await expectWorker({ id: machine.workerId, connected: false })
    await world.delete(`/workers/${machine.workerId}`)
    await eventually(() => received.some(({ kind, body }) => kind === 'worker-gone' && body.id === machine.workerId))
  })
})
