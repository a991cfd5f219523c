// The heartbeat thread of an engine host. Once a second it sends one byte to the agent: for how many seconds one step has blocked the main
// thread, as busy.ts counts them. An engine may block the main thread for a long time, so only this distinguishes "busy" from "dead". A failed
// write means that the agent has exited; the host then ends itself, because nothing else would free the device.
import { writeSync } from 'node:fs'
import { workerData as ticks } from 'node:worker_threads'
import { createBusyMeter } from './busy.ts'
import { threadDelays } from './grace.ts'

export const BEAT_DESCRIPTOR = 4
const INTERVAL_MS = 1_000

const counter = ticks as Int32Array<SharedArrayBuffer>
const sleeper = new Int32Array(new SharedArrayBuffer(4))
const busySeconds = createBusyMeter()
const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

for (;;) {
  const busy = busySeconds(Atomics.load(counter, 0), cpuSeconds(), () => threadDelays(process.pid))
  try {
    writeSync(BEAT_DESCRIPTOR, Uint8Array.of(Math.min(255, Math.floor(busy))))
  } catch (error) {
    // A full pipe means that the agent is alive but slow; every other failure means that it has exited.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') process.kill(process.pid, 'SIGKILL')
  }
  Atomics.wait(sleeper, 0, 0, INTERVAL_MS)
}
