// The network between a borrowed machine and its studio under the control of a test: a TCP proxy that counts bytes and can cut
// connections, hold bytes back silently, or limit the rate.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** `to`: the `host:port` of the studio. Agents that use `address` connect through this proxy. Closed when the test ends. */
export async function openNetwork(t: TestContext, to: string) {
  const [host, port] = [to.slice(0, to.lastIndexOf(':')), Number(to.slice(to.lastIndexOf(':') + 1))]
  const pairs = new Set<readonly [Socket, Socket]>()
  const passed = { up: 0, down: 0 }
  let accepted = 0
  let bytesPerSecond = Number.POSITIVE_INFINITY
  let isStalled = false

  function forward(from: Socket, into: Socket, direction: 'up' | 'down'): void {
    const goOn = () => {
      if (!isStalled && !into.writableNeedDrain) from.resume()
    }
    from.on('data', (bytes) => {
      passed[direction] += bytes.length
      const hasRoom = into.write(bytes)
      const waitMs = (bytes.length / bytesPerSecond) * 1000
      if (hasRoom && waitMs < 1 && !isStalled) return
      from.pause()
      if (waitMs >= 1) setTimeout(goOn, waitMs).unref()
    })
    into.on('drain', goOn)
    from.on('end', () => into.end())
    from.on('error', () => {})
    from.on('close', () => into.destroy())
  }

  const server = createServer({ allowHalfOpen: true }, (agent) => {
    const studio = connect({ host, port, allowHalfOpen: true })
    const pair = [agent, studio] as const
    accepted++
    pairs.add(pair)
    agent.once('close', () => pairs.delete(pair))
    forward(agent, studio, 'up')
    forward(studio, agent, 'down')
    if (isStalled) for (const socket of pair) socket.pause()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = (): number => {
    const count = pairs.size
    for (const pair of pairs)
      for (const socket of pair) {
        // Resetting a socket that is still connecting would wait for the connection and delay the end of the test process.
        if (socket.connecting) socket.destroy()
        else socket.resetAndDestroy()
      }
    pairs.clear()
    return count
  }
  t.after(() => {
    cut()
    server.close()
  })
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bytes so far: `up` from the agent to the studio, `down` from the studio to the agent. */
    passed: (): { readonly up: number; readonly down: number } => ({ ...passed }),
    /** Number of connections: open now, and in total. */
    open: () => pairs.size,
    accepted: () => accepted,
    /** Resets every connection at once; returns how many there were. New ones are possible. */
    cut,
    /** Silently holds back all bytes until `resume`. */
    stall(): void {
      isStalled = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    resume(): void {
      isStalled = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    /** Limits the rate of each direction of each connection; Infinity removes the limit. */
    pace(limit: number): void {
      bytesPerSecond = limit
    },
  }
}
