import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { endianness } from 'node:os'
import { type TestContext, test } from 'node:test'
import { createLocalUsers, peerUid, systemPeers } from '#control-plane/http/access/peer-user.ts'
import { createLog } from '#shared/runtime/log.ts'

const log = createLog('silent', 'test')
const OURS = 1000
const NOT_LINUX = process.platform !== 'linux' && 'the tables of sockets are those of Linux'

/** Rows as the kernel of a little-endian machine prints them. */
const row = (local: string, remote: string, state: string, uid: number, inode: number) =>
  `   3: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 00000000aa 20 4 30 10 -1`
const listener = row('0100007F:0F3C', '00000000:0000', '0A', OURS, 11)
const V4 = { remoteAddress: '127.0.0.1', remotePort: 0xa1b2, localAddress: '127.0.0.1', localPort: 0x0f3c }
const MAPPED = '0000000000000000FFFF00000100007F'
const V6 = '00000000000000000000000001000000'

test('the user of the other end is read from its row', { skip: endianness() !== 'LE' && 'the rows here are little-endian' }, () => {
  const client = row('0100007F:A1B2', '0100007F:0F3C', '01', 1001, 12)
  const server = row('0100007F:0F3C', '0100007F:A1B2', '01', OURS, 13)
  assert.equal(peerUid([listener, server, client].join('\n'), V4), 1001)
  assert.equal(peerUid([listener, server].join('\n'), V4), null)
  const other = { ...V4, remotePort: 0xa1b3 }
  assert.equal(peerUid([listener, server, client].join('\n'), other), null)
  // An IPv6 socket on either side, with IPv4 addresses.
  const mapped = { ...V4, remoteAddress: '::ffff:127.0.0.1', localAddress: '::ffff:127.0.0.1' }
  assert.equal(peerUid(client, mapped), 1001)
  assert.equal(peerUid(row(`${MAPPED}:A1B2`, `${MAPPED}:0F3C`, '01', 1002, 12), V4), 1002)
  const six = { ...V4, remoteAddress: '::1', localAddress: '::1' }
  assert.equal(peerUid(row(`${V6}:A1B2`, `${V6}:0F3C`, '01', 1003, 12), six), 1003)
})

test('a connection that its program has closed has no user: the kernel shows uid 0 for it', () => {
  assert.equal(peerUid(row('0100007F:A1B2', '0100007F:0F3C', '06', 0, 0), V4), null)
})

const checkOf = (tables: () => Promise<string>, platform: NodeJS.Platform = 'linux') =>
  createLocalUsers({ platform, uid: OURS, readTable: tables, log }).isOurs
const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code })
}

test('our own user and root may administer, others may not', {
  skip: endianness() !== 'LE' && 'the rows here are little-endian',
}, async () => {
  for (const [uid, expected] of [
    [OURS, true],
    [0, true],
    [1001, false],
    [65_534, false],
  ] as const) {
    const client = row('0100007F:A1B2', '0100007F:0F3C', '01', uid, 12)
    assert.equal(await checkOf(async () => `${listener}\n${client}`)({ ...V4 }), expected, String(uid))
  }
  assert.equal(await checkOf(async () => listener)({ ...V4 }), false, 'the other end is gone')
})

test('another user is told by its id', { skip: endianness() !== 'LE' && 'the rows here are little-endian' }, async () => {
  const userOf = (rows: readonly string[]) =>
    createLocalUsers({ platform: 'linux', uid: OURS, readTable: async () => rows.join('\n'), log }).otherUser({ ...V4 })
  const client = (uid: number) => row('0100007F:A1B2', '0100007F:0F3C', '01', uid, 12)
  assert.equal(await userOf([listener, client(1001)]), 1001)
  assert.equal(await userOf([listener, client(OURS)]), null)
  assert.equal(await userOf([listener]), 'unknown')
})

test('without tables the check is skipped; an error that an attacker could cause refuses', async () => {
  assert.equal(await checkOf(failing('ENOENT'))({ ...V4 }), true)
  assert.equal(await checkOf(failing('EACCES'))({ ...V4 }), true)
  assert.equal(await checkOf(async () => '', 'darwin')({ ...V4 }), true)
  assert.equal(await checkOf(async () => '')({ ...V4 }), true, 'tables without rows')
  const full = checkOf(failing('EMFILE'))
  const connection = { ...V4 }
  await assert.rejects(full(connection), { code: 'NOT_READY' })
})

test('the answer is read once for each connection', { skip: endianness() !== 'LE' && 'the rows here are little-endian' }, async () => {
  let reads = 0
  const check = checkOf(async () => {
    reads++
    return `${listener}\n${row('0100007F:A1B2', '0100007F:0F3C', '01', OURS, 12)}`
  })
  const connection = { ...V4 }
  await Promise.all([check(connection), check(connection), check(connection)])
  assert.equal(reads, 1)
})

/** A real connection to a listener at `host`, seen from the listener. */
async function connection(t: TestContext, host: string, to: string): Promise<{ readonly accepted: Socket; readonly client: Socket }> {
  const server = createServer().listen({ port: 0, host })
  await once(server, 'listening')
  const accepting = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, to)
  const [accepted] = await accepting
  t.after(() => {
    client.destroy()
    accepted.destroy()
    server.close()
  })
  return { accepted, client }
}

test('real connections by IPv4, IPv6 and both together belong to this user', { skip: NOT_LINUX }, async (t) => {
  const uid = process.geteuid!()
  const foreign = uid + 1
  const cases = [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.2'],
    ['::', '127.0.0.1'],
    ['::1', '::1'],
  ] as const
  for (const [host, to] of cases) {
    const opened = await connection(t, host, to).catch((error: NodeJS.ErrnoException) => error)
    if (opened instanceof Error) {
      assert.ok(host.includes(':'), `${host}: ${opened.message}`) // a machine without IPv6
      continue
    }
    const { accepted } = opened
    assert.equal(await createLocalUsers(systemPeers(log)).isOurs(accepted), true, `${to} at ${host}`)
    // The same connection, for a studio of another user; root is always let in.
    if (uid !== 0) assert.equal(await createLocalUsers({ ...systemPeers(log), uid: foreign }).isOurs(accepted), false, `${to} at ${host}`)
  }
})
