// A client of the Wyoming port: sends events or any bytes, and collects what comes back.
import { once } from 'node:events'
import { connect } from 'node:net'
import { bytesOfEvent, createEventReader, type WyomingEvent } from '#control-plane/features/speech/wyoming/frames.ts'

export type WyomingClient = Awaited<ReturnType<typeof connectWyoming>>

export async function connectWyoming(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const reader = createEventReader()
  const received: WyomingEvent[] = []
  const waiting = new Set<() => void>()
  socket.on('data', (bytes) => {
    received.push(...reader.push(bytes as Buffer))
    for (const look of waiting) look()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([once(socket, 'connect'), closed])
  return {
    socket,
    received,
    closed,
    send: (type: string, data: Readonly<Record<string, unknown>> = {}, payload?: Uint8Array) =>
      socket.write(bytesOfEvent(type, data, payload)),
    sendBytes: (bytes: string | Uint8Array) => socket.write(bytes),
    /** The first event of the type; rejects when the connection closes before it. */
    until: (type: string): Promise<WyomingEvent> =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = received.find((event) => event.type === type)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void closed.then(() => reject(new Error(`closed after ${received.map((event) => event.type).join(', ')}`)))
      }),
    leave: () => socket.destroy(),
  }
}

/** All sound of the received events. */
export const soundOf = ({ received }: Pick<WyomingClient, 'received'>): Buffer =>
  Buffer.concat(received.filter(({ type }) => type === 'audio-chunk').map(({ payload }) => payload))
