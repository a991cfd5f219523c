// Holds work in progress long enough to be observed: the engine hosts of a program, and the programs that they run, get short slices, a fifth of
// the time at most. The work itself is unchanged. A test that must see a running task uses this, because how fast a voice is depends on the machine.
import { readFileSync } from 'node:fs'
import { cpuSeconds, type Ending, type Program, signalIfAlive } from '../world/process.ts'
import { hostsOf } from '../world/tasks.ts'

const PAUSE_MS = 100
/** While held; shorter than the silence after which an agent ends a host. */
const HOLD_MS = 2_000
/** A slice ends when the host has used this much processor time, or after a pause's length without using it. */
const SLICE_SECONDS = 0.02
const LOOK_MS = 5
/** A host starts at full speed. One that runs a program has started. */
const START_SECONDS = 0.5

/**
 * Slows down the hosts that `program` has started and will start. The local agent logs through its studio. Ends with the returned function,
 * or with the test. Its `hold` slows them down so far that work of a second takes more than a minute, for states that pages are looked at in.
 */
export const slowHosts = (t: Ending, program: Program): SlowHosts => slowProcesses(t, () => hostsOf(program))

type SlowHosts = (() => void) & { readonly hold: () => void }
/** The same for hosts by their process ids. */
export function slowProcesses(t: Ending, pids: () => readonly number[]): SlowHosts {
  let isOver = false
  let pauseMs = PAUSE_MS
  let stopped: readonly number[] = []
  let timer: NodeJS.Timeout
  const startedHosts = () =>
    pids().flatMap((pid) => {
      const programs = childrenOf(pid)
      return programs.length > 0 || cpuSeconds(pid) > START_SECONDS ? [pid, ...programs] : []
    })
  const resume = () => {
    for (const pid of stopped) signalIfAlive(pid, 'SIGCONT')
    stopped = []
  }
  const pause = () => {
    stopped = startedHosts().filter((pid) => signalIfAlive(pid, 'SIGSTOP'))
    timer = setTimeout(slice, pauseMs)
  }
  const slice = () => {
    resume()
    const hosts = startedHosts()
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
  return Object.assign(release, {
    hold: () => {
      pauseMs = HOLD_MS
    },
  })
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // it has ended
  }
}
