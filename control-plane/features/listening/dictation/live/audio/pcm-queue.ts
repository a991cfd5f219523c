// Audio that has arrived and is not recognised yet. A full queue makes the writer wait, and with it the client.

export type PcmQueue = ReturnType<typeof createPcmQueue>
/** `quiet`: nothing arrived in time. */
export type Arrival = 'enough' | 'ended' | 'quiet'

/** `after` is that of a clock. */
export function createPcmQueue(mostBytes: number, after: (ms: number, fn: () => void) => () => void) {
  let chunks: Buffer[] = []
  let length = 0
  let isEnded = false
  let changed = () => {}
  let hasRoom = () => {}

  return {
    /** Bytes that wait. */
    length: () => length,
    /** Resolves when there is room for more. Bytes after the end are dropped. */
    async push(bytes: Buffer): Promise<void> {
      if (isEnded || bytes.length === 0) return
      chunks.push(bytes)
      length += bytes.length
      changed()
      if (length < mostBytes) return
      await new Promise<void>((resolve) => {
        hasRoom = resolve
      })
    },
    end(): void {
      isEnded = true
      changed()
      hasRoom()
    },
    /** Waits until `bytes` are there; without any arrival for `quietMs` it stops waiting. */
    async wait(bytes: number, quietMs: number): Promise<Arrival> {
      while (length < bytes && !isEnded) {
        const isQuiet = await new Promise<boolean>((resolve) => {
          const forget = after(quietMs, () => resolve(true))
          changed = () => {
            forget()
            resolve(false)
          }
        })
        if (isQuiet) return 'quiet'
      }
      return length >= bytes ? 'enough' : 'ended'
    },
    /** At most `bytes`, whole samples. */
    take(bytes: number): Buffer {
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      const count = Math.min(bytes, all.length) & ~1
      const rest = all.subarray(count)
      chunks = rest.length > 0 ? [rest] : []
      length = rest.length
      if (length < mostBytes) hasRoom()
      return all.subarray(0, count)
    },
  }
}
