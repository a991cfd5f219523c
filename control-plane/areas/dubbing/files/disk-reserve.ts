// The space on the disk of dubs that always stays free, so that a film does not stop the database.
import { statfs } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'

export type DiskReserve = ReturnType<typeof createDiskReserve>
const MOST_RESERVE_BYTES = 10e9
/** Of the disk, where that is less than `MOST_RESERVE_BYTES`. */
const RESERVE_SHARE = 0.05
const GIGABYTE = 1e9

export function createDiskReserve(folder: string) {
  async function room(): Promise<{ readonly usable: number; readonly reserve: number }> {
    const { bavail, blocks, bsize } = await statfs(folder)
    const reserve = Math.min(MOST_RESERVE_BYTES, blocks * bsize * RESERVE_SHARE)
    return { usable: Math.max(0, bavail * bsize - reserve), reserve }
  }
  return {
    /** Bytes that may be written now. */
    usableBytes: async (): Promise<number> => (await room()).usable,
    /** Throws STORAGE_FULL with the numbers when `bytes` would use the reserve. `purpose`: a noun. */
    async require(bytes: number, purpose: string): Promise<void> {
      const { usable, reserve } = await room()
      if (bytes <= usable) return
      const figures = [bytes, usable, reserve].map((value) => (value / GIGABYTE).toFixed(1))
      throw new Failure(
        'STORAGE_FULL',
        `The ${purpose} needs ${figures[0]} GB of disk space. ${figures[1]} GB may be used now: ${figures[2]} GB always stay free.`,
      )
    },
  }
}
