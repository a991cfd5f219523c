// Where this machine listens: what is stored of it, what others can reach, and how a panel finds it.
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
    /** A damaged file means closed: nothing listens that nobody asked for. */
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

/** Others than this machine can reach it. */
export const isExposed = (bind: string): boolean => !['127.0.0.1', 'localhost', '::1'].includes(bind)

/** What connection strings name: the bind, or for one that means "everywhere" an address of this machine in its network. */
export function reachableHost(bind: string, interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): string {
  if (!['0.0.0.0', '::', '*'].includes(bind)) return bind
  const addresses = Object.values(interfaces).flatMap((list) => list ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
