// Injects the faults of the test voice.

import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { ToneFault } from './params.ts'

export async function misbehave(fault: ToneFault | null, partsDone: number): Promise<void> {
  if (!fault || !('afterParts' in fault) || fault.afterParts !== partsDone) return
  // Earlier events leave this process only after a few turns of the event loop.
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  if (fault.kind === 'crash') process.kill(process.pid, 'SIGKILL')
  if (fault.kind === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (fault.kind === 'compute') return compute(fault.seconds)
  await new Promise<never>(() => {})
}

function compute(seconds: number): void {
  const from = process.cpuUsage()
  const used = () => {
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1e6
  }
  while (used() < seconds);
}
