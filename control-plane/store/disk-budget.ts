// The disk that temporary files of callers may use together, and the space that always stays free: a full disk would stop the database.
import { statfs } from 'node:fs/promises'
import { type Client, currentClient } from '#control-plane/clients/client.ts'
import { createPlaces } from '#control-plane/clients/places.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

/** Bytes on the disk that are free for this user, and its size. */
export type DiskSpace = { readonly free: number; readonly size: number }
/** Disk space of one request. */
export type DiskShare = {
  /** Rejects like `take` if this many bytes cannot follow; takes nothing. */
  readonly expect: (bytes: number) => Promise<void>
  /** Call before writing. Rejects with QUEUE_FULL, QUOTA_EXCEEDED or STORAGE_FULL; what was taken before stays taken. */
  readonly take: (bytes: number) => Promise<void>
  /** Call after the files were removed. */
  readonly release: () => void
}
export type DiskBudget = ReturnType<typeof createDiskBudget>
/** Limits of single clients for what they keep on the disk. */
export type DiskQuota = {
  /** Rejects with QUOTA_EXCEEDED if the client may not store so many bytes beside those that it has taken. */
  readonly expect: (client: Client, bytes: number) => Promise<void>
  /** Rejects with QUOTA_EXCEEDED, and then takes nothing. */
  readonly take: (client: Client, bytes: number) => Promise<void>
  readonly giveBack: (client: Client, bytes: number) => void
}
type Deps = {
  /** A folder on the disk that is used. */
  readonly folder: string
  /** Limit for the files of one client. Default 4 GiB. */
  readonly bytesPerClient?: number
  /** Stays free, or a twentieth of the disk where that is less. Default 1 GiB. */
  readonly reserveBytes?: number
  /** Default: without. */
  readonly quota?: DiskQuota
  readonly spaceOf?: (folder: string) => Promise<DiskSpace>
}

const BYTES_PER_CLIENT = 4 * 1024 ** 3
const RESERVE_BYTES = 1024 ** 3
/** Share of the disk that stays free, if that is less than the reserve. */
const RESERVE_SHARE = 0.05
/** The free space is read again after this many bytes. */
const CHECKED_BYTES = 16 * 1024 ** 2

export function createDiskBudget({ folder, quota, ...options }: Deps) {
  const { bytesPerClient = BYTES_PER_CLIENT, reserveBytes = RESERVE_BYTES, spaceOf = readSpace } = options
  const places = createPlaces({ perClient: bytesPerClient, what: 'uploads in progress', areBytes: true })
  /** Bytes that could be written when the free space was read, and bytes that were taken since. */
  let available = 0
  let takenSince = 0
  let reserve = 0
  let checking: Promise<void> | null = null

  async function check(): Promise<void> {
    const { free, size } = await spaceOf(folder)
    reserve = reserveOf(size, reserveBytes)
    available = free - reserve
    takenSince = 0
  }
  const checked = (): Promise<void> => {
    checking ??= check().finally(() => {
      checking = null
    })
    return checking
  }

  const full = (bytes: number) => {
    const [wanted, usable, kept] = [bytes, Math.max(0, available - takenSince), reserve].map(shortBytes)
    return new Failure(
      'STORAGE_FULL',
      `The disk of the studio has too little free space for this upload: it needs ${wanted}, ${usable} may be used, and ${kept} stay free.`,
    )
  }

  return {
    /** Opens a share for the current client. */
    open(): DiskShare {
      const client = currentClient()
      const holding = places.open(client)
      let own = 0
      let counted = 0
      return {
        async expect(bytes) {
          const refused = places.refusal(client, bytes)
          if (refused) throw refused
          await quota?.expect(client, bytes)
          if (bytes <= CHECKED_BYTES) return
          await checked()
          if (bytes > available) throw full(bytes)
        },
        async take(bytes) {
          holding.take(bytes)
          own += bytes
          if (quota) {
            await quota.take(client, bytes)
            counted += bytes
          }
          if (takenSince + bytes > Math.min(available, CHECKED_BYTES)) await checked()
          if (takenSince + bytes > available) throw full(own)
          takenSince += bytes
        },
        release() {
          holding.giveBack()
          quota?.giveBack(client, counted)
          counted = 0
          own = 0
        },
      }
    },
  }
}

/** Bytes of a disk of this size that always stay free. */
export const reserveOf = (size: number, mostBytes = RESERVE_BYTES): number => Math.min(mostBytes, size * RESERVE_SHARE)

export async function readSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}
