// An inspector attaches to an engine host.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { collect, failsWith, nextOf, oneSegment, openPool, until } from './open-pool.ts'

/** Calls methods of the inspector protocol. */
async function attach(t: TestContext, port: number) {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  t.after(() => socket.close())
  await once(socket, 'open')
  const messages: { id?: number; method?: string; result?: unknown }[] = []
  socket.addEventListener('message', ({ data }) => void messages.push(JSON.parse(String(data))))
  let calls = 0
  return {
    async call(method: string, params: object = {}) {
      const id = ++calls
      socket.send(JSON.stringify({ id, method, params }))
      await until(() => messages.some((message) => message.id === id), method)
      return messages.find((message) => message.id === id)!.result
    },
    happens: (method: string) => until(() => messages.some((message) => message.method === method), method),
  }
}

test('the log names the port, and a host that stands at a breakpoint is not ended', async (t) => {
  const { hosts, inspectors, tts } = await openPool(t, { inspect: true })
  const run = tts(oneSegment('a story that takes longer than its first sound', { fault: { kind: 'slow', msPerChar: 15 } }))
  await nextOf(run, 'audio')
  await until(() => inspectors.length > 0, 'the port of the inspector')
  const inspector = await attach(t, inspectors[0]!)
  const { result } = (await inspector.call('Runtime.evaluate', { expression: 'process.pid' })) as { result: { value: number } }
  assert.equal(result.value, hosts[0])
  await inspector.call('Debugger.enable')
  await inspector.call('Debugger.pause')
  await inspector.happens('Debugger.paused')

  // Another host that does not answer for as long is ended.
  const watched = await openPool(t)
  assert.deepEqual(watched.inspectors, [])
  const blocked = watched.tts(oneSegment('blocked', { fault: { kind: 'compute', seconds: 600 } }))
  assert.match((await failsWith(blocked, 'ENGINE_HUNG')).message, /blocked by one step/)

  await inspector.call('Debugger.resume')
  const { events } = await collect(run)
  assert.ok(events.some(({ kind }) => kind === 'result'))
})
