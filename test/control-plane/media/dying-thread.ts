// A faulty media thread: it crashes at a piece whose first byte is 1, and echoes all others.
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from '#control-plane/media/threads/messages.ts'

const send = (message: FromThread) => parentPort?.postMessage(message)
parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'piece' && message.bytes[0] === 1) throw new Error('out of memory')
  if (message.kind === 'piece') send({ kind: 'output', lane: message.lane, bytes: message.bytes, takenBytes: message.bytes.length })
  if (message.kind === 'end') send({ kind: 'ended', lane: message.lane, bytes: new Uint8Array(0), measured: null })
})
