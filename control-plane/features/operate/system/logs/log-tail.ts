// The end of a log file.

import { open } from 'node:fs/promises'
import { linesOf } from '#shared/text/lines.ts'

export type Tail = { readonly lines: string[]; readonly total: number }
/** A log part has at most 5 MiB. Of a longer file of another program the end is read. */
const MAX_BYTES = 8 * 1024 * 1024

/** The newest `count` lines with their line breaks; null for a missing file. Rejects with the error of the system. */
export async function tailOf(path: string, count: number): Promise<Tail | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length)
    const lines = linesOf(bytes.toString('utf8', 0, bytesRead))
    return { lines: lines.slice(-count), total: lines.length }
  } finally {
    await file.close()
  }
}
