// Answers with a part of a file or of sound, as players ask for it.
import type { Content } from '../../../http/respond.ts'

/** Something whose bytes can be read from anywhere. `to` is the last byte. */
export type Ranged = { readonly size: number; readonly read: (from: number, to: number) => AsyncIterable<Uint8Array> }
export type ByteSpan = { readonly from: number; readonly to: number }

/** The part that a Range header asks for; null for all, `beyond` for none that exists. Several ranges count as all. Pure. */
export function spanOf(header: string | string[] | undefined, size: number): ByteSpan | null | 'beyond' {
  if (typeof header !== 'string' || header.length > 64) return null
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

type Shown = Pick<Content, 'type' | 'cache' | 'file'>

export function rangedContent({ size, read }: Ranged, range: string | string[] | undefined, shown: Shown): Content {
  const span = spanOf(range, size)
  if (span === 'beyond')
    return {
      status: 416,
      type: 'application/json',
      body: Buffer.from('{"detail":"Range Not Satisfiable"}'),
      headers: { 'content-range': `bytes */${size}` },
    }
  const { from, to } = span ?? { from: 0, to: size - 1 }
  return {
    ...shown,
    status: span ? 206 : 200,
    body: size === 0 ? new Uint8Array() : read(from, to),
    length: to - from + 1,
    headers: { 'accept-ranges': 'bytes', ...(span && { 'content-range': `bytes ${from}-${to}/${size}` }) },
  }
}
