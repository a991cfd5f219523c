// The part of a file that a client asks for with the header Range, as players do.

/** `to` is the last byte. */
export type ByteSpan = { readonly from: number; readonly to: number }

/** The part that a Range header asks for; null for all, `beyond` for none that exists. Several ranges count as all. Pure. */
export function spanOf(header: string | undefined, size: number): ByteSpan | null | 'beyond' {
  if (header === undefined || header.length > 64) return null
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim())
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [first, last] = [found[1]!, found[2]!]
  if (first === '') {
    const count = Math.min(size, Number(last))
    return count === 0 ? 'beyond' : { from: size - count, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (from >= size) return 'beyond'
  return to < from ? null : { from, to }
}
