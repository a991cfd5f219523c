// The Wyoming port without engines: clients that do not let go of what they hold.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRecording } from '#control-plane/features/speech/wyoming/recording.ts'
import { openWyoming } from '#control-plane/features/speech/wyoming/server.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { eventually } from '#test/support/world/world.ts'

async function open(t: TestContext) {
  const clock = createFakeClock()
  const said: [fields: { readonly port?: number }, message: string][] = []
  const say = (...line: (typeof said)[number]) => void said.push(line)
  const wyoming = { host: '127.0.0.1', port: 0, networks: [] }
  const deps = { settings: { wyoming, serverMode: false }, offered: () => [], clock, log: { info: say, warn: say, error: say } }
  const close = await openWyoming(deps as never)
  const port = said.find(([, message]) => message.endsWith('is open'))![0].port!
  const sockets: Socket[] = []
  t.after(() => sockets.map((socket) => socket.destroy()))
  return {
    clock,
    close,
    /** A client that leaves its own side open. */
    async client() {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      sockets.push(socket)
      let text = ''
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          text += bytes
        })
      const ended = once(socket, 'end')
      await once(socket, 'connect')
      return { socket, ended, text: () => text }
    },
  }
}

test('a client beyond the limit that does not close its side is closed, and holds up no stop', async (t) => {
  const { clock, close, client } = await open(t)
  const served = await Promise.all(Array.from({ length: 16 }, client))
  for (const { socket } of served) socket.write('{"type":"ping"}\n')
  await Promise.all(served.map(({ socket }) => once(socket, 'data')))
  const refused = await client()
  await refused.ended
  assert.match(refused.text(), /queue_full/)
  clock.advance(5_000)
  // Answered with a reset, because the studio no longer has the socket.
  while (!refused.socket.destroyed) await new Promise((resolve) => refused.socket.write('x', resolve))

  const waiting = await client()
  await waiting.ended
  await close()
})

test('what a client sends after its error is dropped, so that it can read the error', async (t) => {
  const { close, client } = await open(t)
  const { socket, ended, text } = await client()
  socket.write('{"type":"synthesize-stop"}\n')
  await ended
  await new Promise((resolve) => socket.write(Buffer.alloc(64 * 1024 * 1024), resolve))
  assert.match(text(), /needs a synthesize-start/)
  await close()
})

test('a recording holds its bytes, and not the events that they arrived in', async () => {
  const recording = createRecording({} as never)
  recording.begin({ rate: 16_000, width: 2, channels: 1 })
  const before = process.memoryUsage().arrayBuffers
  for (let event = 0; event < 400; event++) recording.add(Buffer.alloc(512 * 1024).subarray(-1))
  for (let event = 0; event < 1000; event++) recording.add(Buffer.alloc(0))
  setFlagsFromString('--expose-gc')
  // The bytes of buffers that were collected are freed later, on a busy machine much later.
  await eventually(() => {
    runInNewContext('gc')()
    return (process.memoryUsage().arrayBuffers - before) / 1024 ** 2 < 100
  })
  recording.drop()
})
