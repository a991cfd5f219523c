// Reports while something is awaited.
import type { Clock } from '#shared/runtime/clock.ts'

const EVERY_MS = 250

/** Yields what `report` returns each time it has changed, and returns when `awaited` has settled. Throws what `awaited` rejects with. */
export async function* reportUntil<T extends object>(
  awaited: Promise<unknown>,
  report: () => Promise<T | null>,
  clock: Clock,
): AsyncGenerator<T> {
  let isSettled = false
  const settled = awaited.finally(() => {
    isSettled = true
  })
  settled.catch(() => {}) // thrown below
  let last = ''
  while (!isSettled) {
    const now = await report()
    const text = JSON.stringify(now)
    if (now && text !== last) yield now
    last = text
    await Promise.race([settled.catch(() => {}), clock.sleep(EVERY_MS)])
  }
  await settled
}
