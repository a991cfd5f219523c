// The listening address of this machine: the stored setting, whether others can reach it, and the host that connection strings contain.
import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const ListeningAddress = z.strictObject({
  enabled: z.boolean(),
  bind: z.string().min(1).max(253),
  port: z.int().min(0).max(65_535),
})
export type ListeningAddress = z.output<typeof ListeningAddress>
export type ListeningAddressFile = ReturnType<typeof createListeningAddressFile>
const DEFAULT: ListeningAddress = { enabled: false, bind: '127.0.0.1', port: 7444 }

export function createListeningAddressFile(folder: string) {
  const path = join(privateFolder(folder), 'listen.json')
  return {
    /** A damaged file means closed: the machine must not listen without a request of its owner. */
    read(): ListeningAddress {
      try {
        if (existsSync(path)) return ListeningAddress.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        // Replaced by the next change.
      }
      return DEFAULT
    },
    write: (where: ListeningAddress): void => writeAtomic(path, `${JSON.stringify(where)}\n`),
  }
}

/** Other machines can reach this address. */
export const isExposed = (bind: string): boolean => !['127.0.0.1', 'localhost', '::1'].includes(bind)

/** The host for connection strings: the bind address, or for a wildcard an IPv4 address of this machine in its network. */
export function reachableHost(bind: string, interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): string {
  if (!['0.0.0.0', '::', '*'].includes(bind)) return bind
  const addresses = Object.values(interfaces).flatMap((list) => list ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
