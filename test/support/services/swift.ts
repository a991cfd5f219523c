// A real store with the interface of S3 that checks signatures: Swift of Debian, five processes with a folder of their own, as another user.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '#shared/runtime/program.ts'
import { freePort } from '#test/support/world/world.ts'

const PROGRAMS = ['swift-proxy-server', 'swift-account-server', 'swift-container-server', 'swift-object-server', 'memcached']
const missing = PROGRAMS.filter((program) => findProgram(program, process.env['PATH']) === null)
/** The reason to skip; false where Swift can be started. */
export const NO_SWIFT: string | false =
  missing.length > 0 ? `no ${missing.join(', ')} on this machine; ./studio setup --tests installs them` : false

export const SWIFT_KEY = { accessKeyId: 'test:tester', secretAccessKey: 'testing-secret' }
/** The user without rights of every Debian. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }
const nameOf = (uid: number): string => new RegExp(`^([^:]+):[^:]*:${uid}:`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))?.[1] ?? ''
const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for kind, port in zip(('account', 'container', 'object'), sys.argv[2:]):
    ring = RingBuilder(4, 1, 0)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1,
                  'replication_ip': '127.0.0.1', 'replication_port': int(port), 'meta': ''})
    ring.rebalance()
    ring.get_ring().save('%s/%s.ring.gz' % (folder, kind))
`
const listening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Resolves with the address once it answers, after about six seconds. Ended with the test. */
export async function startSwift(t: { readonly after: (end: () => Promise<void>) => void }): Promise<{ readonly endpoint: string }> {
  const isRoot = process.getuid?.() === 0
  const folder = mkdtempSync(join(tmpdir(), 'studio-swift-'))
  chmodSync(folder, 0o755)
  for (const name of ['etc', 'srv', 'srv/d1']) {
    mkdirSync(join(folder, name))
    if (isRoot) chownSync(join(folder, name), UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  }
  const etc = join(folder, 'etc')
  const user = nameOf(isRoot ? UNPRIVILEGED.uid : process.getuid!())
  const [proxy, account, container, object, memcached] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nuser = ${user}\nswift_dir = ${etc}\nworkers = 0\nlog_address = /nowhere\n`
  const write = (name: string, text: string) => writeFileSync(join(etc, name), text)
  write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n')
  for (const [kind, port] of Object.entries({ account, container, object }))
    write(
      `${kind}-server.conf`,
      `${common(port!)}devices = ${join(folder, 'srv')}\nmount_check = false\nfallocate_reserve = 0\n[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    )
  write(
    'proxy-server.conf',
    `${common(proxy!)}[pipeline:main]
pipeline = catch_errors cache s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SWIFT_KEY.secretAccessKey} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`,
  )
  const log = openSync(join(folder, 'log'), 'a')
  const owner = isRoot ? UNPRIVILEGED : {}
  const start = (program: string, ...args: string[]) => spawn(program, args, { stdio: ['ignore', log, log], cwd: folder, ...owner })
  const children = [start('python3', '-c', RINGS, etc, ...[account, container, object].map(String))]
  t.after(async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const over = once(child, 'close')
        child.kill('SIGKILL')
        await over
      }),
    )
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  await once(children[0]!, 'close')
  if (!readdirSync(etc).includes('object.ring.gz')) throw new Error(`Swift has no rings: ${readFileSync(join(folder, 'log'), 'utf8')}`)
  children.push(start('memcached', '-l', '127.0.0.1', '-p', String(memcached), '-U', '0'))
  const ports = { account, container, object, proxy }
  for (const kind of Object.keys(ports)) children.push(start(`swift-${kind}-server`, join(etc, `${kind}-server.conf`)))
  // All of them: the proxy avoids for a minute what did not answer it once.
  for (const port of [...Object.values(ports), memcached])
    for (let tries = 0; !(await listening(port!)); tries++) {
      if (tries > 300) throw new Error(`Swift does not listen: ${readFileSync(join(folder, 'log'), 'utf8')}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  return { endpoint: `http://127.0.0.1:${proxy}` }
}
