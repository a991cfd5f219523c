// Updates from a package registry: what is verified before anything is installed.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fillFrom } from '#cli/program/files/packages.ts'
import { releasePackages } from '#cli/program/files/registry.ts'
import { installSmall, smallProgram, tarball } from '#test/support/starting/small-program.ts'
import { runToEnd } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const NEWER = tarball(smallProgram('1.1.0'))
const SUMS = `${sumOf(NEWER)}  small-1.1.0.tgz\n`
const WHOLE: Readonly<Record<string, Buffer | string>> = {
  '/-/package/small/dist-tags': '{"latest":"1.1.0"}',
  '/files/1.1.0/SHA256SUMS': SUMS,
  '/files/1.1.0/SHA256SUMS.sig': sign(null, Buffer.from(SUMS), privateKey),
  '/small/-/small-1.1.0.tgz': NEWER,
}

/** A registry and the files of a release in one server. */
async function serve(t: TestContext, change: Readonly<Record<string, Buffer | string>> = {}) {
  const files = { ...WHOLE, ...change }
  const server = createServer(({ url = '' }, reply) => {
    const body = files[url]
    if (typeof body === 'string' && body.startsWith('-> ')) reply.writeHead(302, { location: body.slice(3) }).end()
    else reply.writeHead(body === undefined ? 404 : 200).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const source = { registry, files: `${registry}/files`, key: KEY }
  const find = () => releasePackages(source, 'small', new AbortController().signal)
  const fill = async () => {
    const folder = temporaryFolder(t)
    await fillFrom({ packages: await find(), name: 'small', current: folder }, join(folder, 'to'))
  }
  return { find, fill, source }
}

test('a release whose list is signed is installed, also when its files are behind a redirect', async (t) => {
  const { find, fill } = await serve(t)
  assert.equal((await find()).version, '1.1.0')
  await fill()
  const moved = await serve(t, { '/files/1.1.0/SHA256SUMS': '-> /elsewhere', '/elsewhere': SUMS })
  await moved.fill()
})

test('nothing is installed of a release that is not signed, is an older one, or has other bytes', async (t) => {
  const other = generateKeyPairSync('ed25519').privateKey
  const old = `${sumOf(NEWER)}  small-1.0.0.tgz\n`
  const cases: readonly (readonly [Record<string, Buffer | string>, RegExp])[] = [
    [
      { '/files/1.1.0/SHA256SUMS.sig': sign(null, Buffer.from(SUMS), other) },
      /is not signed by the key of the releases\. Nothing was installed/,
    ],
    [{ '/files/1.1.0/SHA256SUMS.sig': '' }, /is not signed by the key/],
    [{ '/files/1.1.0/SHA256SUMS': `${SUMS}\n` }, /is not signed by the key/],
    [
      { '/files/1.1.0/SHA256SUMS': old, '/files/1.1.0/SHA256SUMS.sig': sign(null, Buffer.from(old), privateKey) },
      /does not name small-1\.1\.0\.tgz/,
    ],
    [{ '/small/-/small-1.1.0.tgz': tarball(smallProgram('1.1.1')) }, /its digest differs\. Nothing was installed/],
    [{ '/small/-/small-1.1.0.tgz': '-> /files/1.1.0/SHA256SUMS' }, /could not be read: .*name a folder with --from/],
    [{ '/files/1.1.0/SHA256SUMS.sig': Buffer.alloc(1000) }, /could not be read: more than 64 bytes/],
    [{ '/files/1.1.0/SHA256SUMS': 'x'.repeat(100_000) }, /could not be read: more than 65536 bytes/],
    [{ '/-/package/small/dist-tags': '{"latest":"../../1.1.0"}' }, /does not say which version is the newest/],
    [{ '/-/package/small/dist-tags': `{"latest":"1.1.0","x":"${'x'.repeat(10_000)}"}` }, /could not be read: more than 8192 bytes/],
    [{ '/-/package/small/dist-tags': '-> /elsewhere' }, /could not be read/],
  ]
  for (const [change, message] of cases) await assert.rejects((await serve(t, change)).fill(), message)
})

test('a registry that cannot be reached is a sentence with the way out', async () => {
  const source = { registry: 'http://127.0.0.1:9', files: 'http://127.0.0.1:9', key: KEY }
  await assert.rejects(releasePackages(source, 'small', new AbortController().signal), {
    code: 'REMOTE_SERVICE_FAILED',
    message: /could not be read: .*--from/,
  })
  await assert.rejects(releasePackages(source, 'small', AbortSignal.abort(new Error('interrupted'))), /interrupted/)
})

test('an answer that trickles ends', async (t) => {
  const server = createServer((_request, reply) => {
    reply.writeHead(200)
    const trickle = setInterval(() => reply.write(' '), 10)
    reply.once('close', () => clearInterval(trickle))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await assert.rejects(releasePackages({ registry, files: registry, key: KEY, patienceMs: 200 }, 'small', t.signal), {
    message: /could not be read: less than 65536 bytes came in 0\.2 s/,
  })
})

test('`update` without a folder takes the newest release, and says why it cannot', async (t) => {
  const { source } = await serve(t)
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data/database'), '1 made by 1.0.0')
  const command = installSmall(join(folder, 'npm'), '1.0.0')
  const env = { STUDIO_DATA_DIR: join(folder, 'data'), HOME: folder }
  const run = (words: readonly string[], more: Record<string, string> = {}) =>
    runToEnd(process.execPath, [command, ...words], { env: { ...env, ...more }, cwd: folder })
  assert.match((await run(['start', 'once'])).output, /Small 1\.0\.0 runs/)
  assert.match((await run(['update'])).errors, /No version is published yet\. Name the folder .* with --from/)
  const updated = await run(['update'], { SMALL_RELEASE: JSON.stringify(source) })
  assert.equal(updated.code, 0, updated.errors)
  assert.match((await run(['start', 'once'])).output, /Small 1\.1\.0 runs/)
  assert.match((await run(['update'], { SMALL_RELEASE: JSON.stringify(source) })).output, /Version 1\.1\.0 is the current one already/)
})
