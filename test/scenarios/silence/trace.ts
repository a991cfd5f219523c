// Reads the lines of strace: who tried to reach another machine, and who created a file.

/** The name of the process that may: it shows that the trace sees such attempts. */
export const LOUD = 'loud-process'

/** The calls to be traced. */
export const CALLS = 'connect,sendto,sendmsg,sendmmsg,open,openat,creat,mkdir,mkdirat,symlink,symlinkat,rename,renameat,renameat2'

const HERE = /inet_addr\("(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0)"|inet_pton\(AF_INET6, "(?:::1|::|::ffff:127\.[\d.]+)"/
/** A connection or a datagram to another machine, such as a question to a name server; or a question to a resolver of the system. */
export const isReport = (line: string): boolean =>
  /\b(?:connect|sendto|sendmsg|sendmmsg)\(/.test(line) &&
  (/inet_addr|inet_pton/.test(line) ? !HERE.test(line) : /\/run\/systemd\/resolve|Resolve/.test(line))

const FOLDER_CALL = /\b(?:mkdir|symlink)(?:at)?\(|\bcreat\(|\brename(?:at2?)?\(/
/** Path of the file, folder or link that a line created; null for other lines and for failures. */
export function createdPath(line: string): string | null {
  const isCreation = FOLDER_CALL.test(line) || (/\bopen(?:at)?\(/.test(line) && line.includes('O_CREAT'))
  if (!isCreation || / = -1 E/.test(line)) return null
  const path = [...line.matchAll(/"([^"]*)"/g)].at(-1)?.[1]
  if (path === undefined) return null
  if (path.startsWith('/')) return path
  const folder = /(?:AT_FDCWD|\d+)<([^<>]*)>, "[^"]*"[^<]*$/.exec(line)?.[1] ?? '(unknown folder)'
  return `${folder}/${path}`
}
