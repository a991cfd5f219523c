// Returns unused heap to the system, at a moment when a person asked for memory or when much was used once.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: ((options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void) | null = null

/** Blocks the process for about 100 ms. */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as NonNullable<typeof collect>
  }
  // A collection of the usual flavor keeps the freed pages for later objects.
  collect({ type: 'major', flavor: 'last-resort' })
}
