// A thread of the engine host that is never busy. Once a second it writes one byte to the agent: for how many seconds the main thread has
// not ticked. An engine may block the main thread for long, so only this tells "busy" from "dead". When the byte cannot be written the agent
// is gone, and the host must go too: nothing else would free the device.
import { writeSync } from 'node:fs'
import { workerData as ticks } from 'node:worker_threads'

export const BEAT_DESCRIPTOR = 4
const EVERY_MS = 1_000

const counter = ticks as Int32Array<SharedArrayBuffer>
const nap = new Int32Array(new SharedArrayBuffer(4))
let seen = -1
let busySeconds = 0

for (;;) {
  const now = Atomics.load(counter, 0)
  busySeconds = now === seen ? busySeconds + 1 : 0
  seen = now
  try {
    writeSync(BEAT_DESCRIPTOR, Uint8Array.of(Math.min(255, busySeconds)))
  } catch (error) {
    // A full pipe means that the agent is there and does not read; every other failure means that it is not.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') process.kill(process.pid, 'SIGKILL')
  }
  Atomics.wait(nap, 0, 0, EVERY_MS)
}
