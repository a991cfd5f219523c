// Small files of the user that no other user may change, or read.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { Misuse } from '../command.ts'

/** A named pipe without a writer would block the open. Windows has no such flag. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

type Wanted = {
  /** The file, for messages. */ readonly title: string
  readonly maxBytes: number /** True: no other user may read it. */
  readonly isSecret: boolean
}

/** The text of the file; null if there is none. Throws a Misuse for one that others can change, that is too large, or that cannot be read. */
export function readPrivateText(path: string, { title, maxBytes, isSecret }: Wanted): string | null {
  let file: number
  try {
    file = openSync(path, WITHOUT_WAITING)
  } catch (error) {
    const { code = 'an unknown reason' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new Misuse(`${title} ${path} cannot be read (${code}).`)
  }
  try {
    const { mode, uid, size } = fstatSync(file)
    if ((mode & 0o170000) !== 0o100000) throw new Misuse(`${title} ${path} is not a file.`)
    const user = process.getuid?.()
    if (user !== undefined) {
      if (uid !== user && uid !== 0) throw new Misuse(`${title} ${path} belongs to another user.`)
      const others = isSecret ? 0o077 : 0o022
      if ((mode & others) !== 0)
        throw new Misuse(
          `${title} ${path} is open to other users (mode ${(mode & 0o777).toString(8)}). Run: chmod ${isSecret ? '600' : 'go-w'} '${path}'`,
        )
    }
    if (size > maxBytes) throw new Misuse(`${title} ${path} is larger than ${maxBytes} bytes.`)
    const bytes = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null)
    if (length > maxBytes) throw new Misuse(`${title} ${path} is larger than ${maxBytes} bytes.`)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}
