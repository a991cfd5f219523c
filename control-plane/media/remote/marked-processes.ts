// Ends processes by a variable of their environment. A process that leaves its group with `setsid` keeps the variables that it inherited; one
// that was started with another environment is not found.
import { readdir, readFile } from 'node:fs/promises'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** A process may start another one while the table is read. */
const MAX_ROUNDS = 20

/** Sends SIGKILL to each process whose environment contains `NAME=VALUE`, until there is none. Without /proc it finds none. */
export async function killMarked(variable: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let found = 0
    for (const pid of await processIds())
      if (await isMarked(pid, variable)) {
        found++
        kill(pid)
      }
    if (found === 0) return
    await nextTurn()
  }
}

const processIds = async (): Promise<number[]> =>
  (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid)

/** False for one that has ended, or belongs to another user. */
const isMarked = (pid: number, variable: string): Promise<boolean> =>
  readFile(`/proc/${pid}/environ`, 'latin1').then(
    (environment) => environment.split('\0').includes(variable),
    () => false,
  )

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
