// The bytes of a source in pieces of a given size, from memory or from a file, each in a buffer that is used again.
import { open } from 'node:fs/promises'
import type { ArtifactSource } from '../artifact.ts'

export type OpenSource = {
  readonly size: number
  /** The next bytes: as many as fit, fewer only at the end. */
  readonly fill: (into: Buffer) => Promise<Buffer>
  readonly close: () => Promise<void>
}

/** Rejects with the error of the disk, or with that of the chunks. */
export async function openSource(source: ArtifactSource): Promise<OpenSource> {
  if ('file' in source) {
    const file = await open(source.file, 'r')
    let at = 0
    return {
      size: (await file.stat()).size,
      async fill(into) {
        let filled = 0
        while (filled < into.length) {
          const { bytesRead } = await file.read(into, filled, into.length - filled, at)
          if (bytesRead === 0) break
          filled += bytesRead
          at += bytesRead
        }
        return into.subarray(0, filled)
      },
      close: () => file.close(),
    }
  }
  // They are in memory in any case.
  const chunks = [...source.chunks]
  let [next, offset] = [0, 0]
  return {
    size: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    async fill(into) {
      let filled = 0
      while (filled < into.length && next < chunks.length) {
        const rest = chunks[next]!.subarray(offset)
        const taken = rest.subarray(0, into.length - filled)
        into.set(taken, filled)
        filled += taken.length
        offset += taken.length
        if (taken.length < rest.length) break
        next++
        offset = 0
      }
      return into.subarray(0, filled)
    },
    close: async () => {},
  }
}

/** `count` buffers of `size` bytes, made when they are first needed. A caller that holds none waits for one. */
export function createBuffers(count: number, size: number) {
  const free: Buffer[] = []
  const waiting: ((buffer: Buffer) => void)[] = []
  let made = 0
  return {
    async take(): Promise<Buffer> {
      const buffer = free.pop()
      if (buffer) return buffer
      if (made < count) {
        made++
        return Buffer.allocUnsafeSlow(size)
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    give(buffer: Buffer): void {
      const next = waiting.shift()
      if (next) return next(buffer)
      // While no caller holds or waits for a buffer, the memory goes back.
      if (free.length + 1 < made) free.push(buffer)
      else {
        free.length = 0
        made = 0
      }
    },
  }
}
