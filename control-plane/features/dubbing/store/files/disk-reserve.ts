// The space on the disk of dubs that always stays free, so that a film does not stop the database.
import { statfs } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'

export type DiskReserve = ReturnType<typeof createDiskReserve>
const MAX_RESERVE_BYTES = 10e9
/** Share of the disk that stays free, if that is less than `MAX_RESERVE_BYTES`. */
const RESERVE_SHARE = 0.05
const GIGABYTE = 1e9
const MEGABYTE = 1e6

/** Bytes of a microsecond of stereo sound with 16 bit, and of a voice with 32 bit, at 48 kHz. */
export const SOUND_BYTES_PER_US = 0.192

/** Size with one decimal, in megabytes below a gigabyte. */
export const sizeText = (bytes: number): string =>
  bytes < GIGABYTE ? `${(bytes / MEGABYTE).toFixed(1)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`

export function createDiskReserve(folder: string) {
  async function room(): Promise<{ readonly usable: number; readonly reserve: number }> {
    const { bavail, blocks, bsize } = await statfs(folder)
    const reserve = Math.min(MAX_RESERVE_BYTES, blocks * bsize * RESERVE_SHARE)
    return { usable: Math.max(0, bavail * bsize - reserve), reserve }
  }
  return {
    /** Bytes that may be written now. */
    usableBytes: async (): Promise<number> => (await room()).usable,
    /** Throws STORAGE_FULL with the numbers when `bytes` would use the reserve. `purpose`: a noun. */
    async require(bytes: number, purpose: string): Promise<void> {
      const { usable, reserve } = await room()
      if (bytes <= usable) return
      const [wanted, free, kept] = [bytes, usable, reserve].map(sizeText)
      throw new Failure(
        'STORAGE_FULL',
        `The ${purpose} needs ${wanted} of disk space, and ${free} may be used now: ${kept} always stay free. Free some space, then start again.`,
      )
    },
  }
}
