// The messages of a WebSocket: order, the pause of a client that is too fast, and silence.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { messagesOf } from '#control-plane/http/socket/messages.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

class FakeSocket extends EventEmitter {
  isPaused = false
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
}
function opened() {
  const socket = new FakeSocket()
  const clock = createFakeClock()
  const gone = new AbortController()
  const last = new AbortController()
  const messages = messagesOf(socket, { clock, idleMs: 60_000, signal: gone.signal, last: last.signal })
  return { socket, clock, gone, last, reader: messages[Symbol.asyncIterator]() }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('messages arrive in order, text as a string', async () => {
  const { socket, gone, reader } = opened()
  socket.emit('message', Buffer.from('EOF'), false)
  const first = await reader.next()
  assert.equal(first.value, 'EOF')
  const waiting = reader.next()
  socket.emit('message', Buffer.from([1, 2]), true)
  assert.deepEqual((await waiting).value, Buffer.from([1, 2]))
  const last = reader.next()
  gone.abort()
  assert.equal((await last).done, true)
})

test('reading stops at a limit of bytes or of messages, and goes on when all have been taken', async () => {
  for (const [count, bytes] of [
    [64, 1],
    [4, 64 * 1024],
  ] as const) {
    const { socket, gone, reader } = opened()
    for (let at = 0; at < count; at++) {
      assert.equal(socket.isPaused, false)
      socket.emit('message', Buffer.alloc(bytes), true)
    }
    assert.equal(socket.isPaused, true, `${count} messages of ${bytes} bytes`)
    for (let at = 0; at < count; at++) assert.equal(((await reader.next()).value as Buffer).length, bytes)
    const next = reader.next()
    await turn()
    assert.equal(socket.isPaused, false)
    gone.abort()
    await next
  }
})

test('a client that sends nothing is given up only while a message is awaited', async () => {
  const { socket, clock, reader } = opened()
  socket.emit('message', Buffer.from('a'), false)
  await reader.next()
  clock.advance(600_000)
  const next = reader.next()
  await turn()
  clock.advance(59_000)
  socket.emit('message', Buffer.from('b'), false)
  assert.equal((await next).value, 'b')
  const late = assert.rejects(reader.next(), { code: 'REQUEST_TIMEOUT', message: 'No message arrived for 60 seconds.' })
  await turn()
  clock.advance(61_000)
  await late
})

test('an orderly stop takes the messages that have arrived, and no later one', async () => {
  const { socket, last, reader } = opened()
  socket.emit('message', Buffer.from('a'), false)
  socket.emit('message', Buffer.from('b'), false)
  assert.equal((await reader.next()).value, 'a')
  last.abort()
  socket.emit('message', Buffer.from('c'), false)
  assert.equal((await reader.next()).value, 'b')
  assert.equal((await reader.next()).done, true)
  const waiting = opened()
  const next = waiting.reader.next()
  waiting.last.abort()
  assert.equal((await next).done, true)
})
