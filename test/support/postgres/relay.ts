// The network between a journal and its database under the control of a test: it can lose one batch or its answer, hold everything back,
// and cut connections.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** Part of each statement that writes a batch. */
const BATCH = 'batch_'

export type Relay = Awaited<ReturnType<typeof openRelay>>

export async function openRelay(t: Pick<TestContext, 'after'>, port: number) {
  const pairs = new Set<readonly [client: Socket, server: Socket]>()
  let lose: 'batch' | 'answer' | null = null
  let isHeld = false

  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1')
    const pair = [client, database] as const
    pairs.add(pair)
    let isAnswerLost = false
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    client.on('data', (bytes) => {
      if (lose !== null && bytes.includes(BATCH)) {
        isAnswerLost = lose === 'answer'
        lose = null
        if (!isAnswerLost) return end()
      }
      database.write(bytes)
    })
    database.on('data', (bytes) => (isAnswerLost ? end() : client.write(bytes)))
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
      if (isHeld) socket.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  t.after(() => {
    server.close()
    cut()
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** The next batch does not arrive, or its answer does not. */
    loseNext(what: 'batch' | 'answer'): void {
      lose = what
    },
    /** Holds all bytes back, or lets them go on. */
    hold(yes: boolean): void {
      isHeld = yes
      for (const pair of pairs) for (const socket of pair) yes ? socket.pause() : socket.resume()
    },
    cut,
  }
}
