// One statement for a batch. Its text depends on the tables that the batch has: it is made once for each such set and parsed once for each
// connection. Each part is conditional on the term (the fence), so that a writer that was replaced writes nothing, however late it is.
import type { Writes } from '#control-plane/store/journal.ts'
import type { Query } from '../connection.ts'
import { PARTS } from './parts.ts'

/** The row of the cell as the writer last saw it. */
export type Fence = { readonly cell: string; readonly term: number; readonly writer: string }

// The update locks the row until the batch is written: a challenger waits for it, and every later batch of the old term finds no row.
const FENCE = `with c as (update cell set last_batch = $4 where id = $1 and term = $2 and writer = $3 returning term)`
const FENCE_VALUES = 4

const texts = new Map<number, string>()
function textOf(mask: number, counts: readonly number[]): string {
  const known = texts.get(mask)
  if (known !== undefined) return known
  let next = FENCE_VALUES + 1
  const expressions = [FENCE]
  for (const [place, part] of PARTS.entries()) {
    if (!(mask & (1 << place))) continue
    const first = next
    next += counts[place]!
    expressions.push(part.sql((index) => `$${first + index}`))
  }
  const text = `${expressions.join(',\n')}\nselect term from c`
  texts.set(mask, text)
  return text
}

/** The statement of batch number `batch`. It returns one row, or none if another writer holds the term. */
export function statementOf(writes: Writes, { cell, term, writer }: Fence, batch: number): Query {
  const values: unknown[] = [cell, term, writer, batch]
  const counts: number[] = []
  let mask = 0
  for (const [place, part] of PARTS.entries()) {
    const own = part.values(writes)
    counts.push(own?.length ?? 0)
    if (own === null) continue
    mask |= 1 << place
    values.push(...own)
  }
  return { name: `batch_${mask.toString(16)}`, text: textOf(mask, counts), values }
}
