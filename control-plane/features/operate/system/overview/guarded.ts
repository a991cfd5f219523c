// Probes that must neither fail nor block: each has a default and a time limit.
import type { Clock } from '#shared/runtime/clock.ts'

const LIMIT_MS = 250

export type Guard = {
  /** The value of `probe`, or `otherwise` when it throws, rejects or takes too long. */
  readonly value: <T>(name: string, otherwise: T, probe: () => T | Promise<T>) => Promise<T>
  /** The probes that failed, with the reason. */
  readonly problems: readonly string[]
}

/** `limitMs` is for one probe; probes run at the same time. */
export function createGuard(clock: Pick<Clock, 'after'>, limitMs = LIMIT_MS): Guard {
  const problems: string[] = []
  return {
    problems,
    async value(name, otherwise, probe) {
      let forget = () => {}
      const late = new Promise<never>((_resolve, reject) => {
        forget = clock.after(limitMs, () => reject(new Error(`no answer within ${limitMs} ms`)))
      })
      try {
        return await Promise.race([probe(), late])
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return otherwise
      } finally {
        forget()
      }
    },
  }
}
