// The user at the other end of a loopback connection, from the kernel's tables of TCP sockets. Every local user reaches a loopback port,
// but only the user of the studio (and root, which can become that user) may administer it without the key.
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { endianness } from 'node:os'
import { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { PeerConnection } from '../contract/caller.ts'

type Parts = {
  readonly platform: NodeJS.Platform
  /** User id of this process. */
  readonly uid: number
  readonly readTable: (path: string) => Promise<string>
  readonly log: Log
}
export type IsOurUser = (connection: PeerConnection) => Promise<boolean>
export type LocalUsers = {
  readonly isOurs: IsOurUser
  /** Null for the user of the studio, for root, and where the system has no table; 'unknown' once the other end has closed the connection. */
  readonly otherUser: (connection: PeerConnection) => Promise<number | 'unknown' | null>
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
/** Errors of a system that has no such table, or hides it. Any other error may be an attack, such as one that exhausts descriptors. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']
const ROOT = 0
/** A table changes while it is read, and a row may be missed. */
const READS = 3
const LISTENING = '0A'

/** The parts of the running program. */
export const systemPeers = (log: Log): Parts => ({
  platform: process.platform,
  uid: process.geteuid?.() ?? -1,
  readTable: (path) => readFile(path, 'latin1'),
  log,
})

/**
 * The users of loopback connections. The answer is kept for each connection. Where the system has no such table, all connections count as
 * those of the studio's user, and the log says so once.
 */
export function createLocalUsers({ platform, uid, readTable, log }: Parts): LocalUsers {
  const answers = new WeakMap<PeerConnection, ReturnType<typeof find>>()
  let isListed = false
  let isSkipped = false

  function skip(reason: string): null {
    if (!isSkipped) log.warn({ reason }, 'local users are not told apart: every user of this machine can administer the studio')
    isSkipped = true
    return null
  }

  async function find(connection: PeerConnection): Promise<number | 'unknown' | null> {
    if (platform !== 'linux') return skip(`there is no table of TCP sockets on ${platform}`)
    for (let reads = 0; reads < READS; reads++) {
      let tables = 0
      for (const path of TABLES) {
        // The kernel walks all its buckets for a table, which takes milliseconds, so the second one is read only if needed.
        const table = await readTable(path).catch(absent)
        if (table === null) continue
        tables++
        const peer = peerUid(table, connection)
        if (peer !== null) return peer === uid || peer === ROOT ? null : peer
        // Our own listener is in every complete table. Some systems (WSL 1) have tables without rows.
        isListed ||= isPortListed(table, connection.localPort ?? 0)
      }
      if (tables === 0) return skip('the tables of TCP sockets cannot be read')
    }
    // Without a row the other end has closed the connection, if the tables are complete.
    return isListed ? 'unknown' : skip('the tables of TCP sockets do not list the port of the studio')
  }

  async function otherUser(connection: PeerConnection): Promise<number | 'unknown' | null> {
    if (isSkipped) return null
    const answer = answers.get(connection) ?? find(connection)
    answers.set(connection, answer)
    return answer.catch((error: unknown) => {
      answers.delete(connection)
      throw new Failure('NOT_READY', 'The user of this connection cannot be determined at the moment.', { cause: error })
    })
  }
  return { otherUser, isOurs: async (connection) => (await otherUser(connection)) === null }
}

function absent(error: unknown): null {
  if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) return null
  throw error
}

/** User id of the socket at the other end; null if no process holds it. Pure. */
export function peerUid(tables: string, connection: PeerConnection): number | null {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = connection
  // The other end is an IPv4 or an IPv6 socket, whichever its program has opened.
  for (const write of [ipv4, mapped, ipv6]) {
    const [theirs, ours] = [write(remoteAddress), write(localAddress)]
    if (theirs === null || ours === null) continue
    const pair = `: ${theirs}:${hex(remotePort, 4)} ${ours}:${hex(localPort, 4)} `
    const at = tables.indexOf(pair)
    if (at === -1) continue
    // State, queues, timer, retransmits, uid, timeout, inode.
    const [, , , , uid, , inode] = tables
      .slice(at + pair.length, at + pair.length + 120)
      .trim()
      .split(/\s+/)
    // Inode 0: the process has closed it and the kernel is finishing the connection. The uid of such a row is 0, which is not root.
    if (inode !== undefined && inode !== '0') return Number(uid)
  }
  return null
}

const isPortListed = (tables: string, port: number): boolean =>
  tables.split('\n').some((row) => {
    const [, local, , state] = row.trim().split(/\s+/)
    return state === LISTENING && local?.endsWith(`:${hex(port, 4)}`)
  })

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

/** The kernel prints an address as 32-bit words in the byte order of the machine. */
function words(bytes: Buffer): string {
  if (endianness() === 'LE') for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse()
  return bytes.toString('hex').toUpperCase()
}
const plain = (address: string): string => address.replace(/^::ffff:/, '')
const quad = (address: string): Buffer => Buffer.from(plain(address).split('.').map(Number))
const ipv4 = (address: string): string | null => (isIPv4(plain(address)) ? words(quad(address)) : null)
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')
const mapped = (address: string): string | null => (isIPv4(plain(address)) ? words(Buffer.concat([MAPPED, quad(address)])) : null)
/** Loopback has one IPv6 address. */
const ipv6 = (address: string): string | null => (address === '::1' ? words(Buffer.from(`${'00'.repeat(15)}01`, 'hex')) : null)
