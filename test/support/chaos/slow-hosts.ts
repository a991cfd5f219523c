// Holds work in progress long enough to be observed: the engine hosts of a program run in short slices, a tenth of the time at most. The
// work itself is unchanged. A test that must see a running task uses this, because how fast a voice is depends on the machine.
import { cpuSeconds, type Ending, type Program } from '../world/process.ts'
import { hostsOf } from '../world/tasks.ts'

const PAUSE_MS = 200
/** A slice ends when the host has used this much processor time, or after a pause's length without using it. */
const SLICE_SECONDS = 0.02
const LOOK_MS = 5

/**
 * Slows down the hosts that `program` has started and will start. The local agent logs through its studio. Ends with the returned function,
 * or with the test.
 */
export function slowHosts(t: Ending, program: Program): () => void {
  let isOver = false
  let stopped: readonly number[] = []
  let timer: NodeJS.Timeout
  const resume = () => {
    for (const pid of stopped) signal(pid, 'SIGCONT')
    stopped = []
  }
  const pause = () => {
    stopped = hostsOf(program).filter((pid) => signal(pid, 'SIGSTOP'))
    timer = setTimeout(slice, PAUSE_MS)
  }
  const slice = () => {
    resume()
    const hosts = hostsOf(program)
    const before = hosts.map(cpuSeconds)
    const until = performance.now() + PAUSE_MS
    const look = () => {
      const isUsed = hosts.some((pid, at) => cpuSeconds(pid) - before[at]! >= SLICE_SECONDS)
      if (isUsed || performance.now() > until) pause()
      else timer = setTimeout(look, LOOK_MS)
    }
    timer = setTimeout(look, LOOK_MS)
  }
  const release = () => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    resume()
  }
  t.after(release)
  slice()
  return release
}

/** False when the process has ended. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
