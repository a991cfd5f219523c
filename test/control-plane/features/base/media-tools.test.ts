// Downloads of media programs from a local server: verified, resumed, and never used when anything is wrong.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createAcquisition } from '#control-plane/features/base/media-tools/acquisition.ts'
import { createMediaToolsService } from '#control-plane/features/base/media-tools/media-tools.service.ts'
import { mediaToolsSettings } from '#control-plane/features/base/media-tools/media-tools.settings.ts'
import { PINS } from '#control-plane/features/base/media-tools/pins.ts'
import { createVersions } from '#control-plane/features/base/media-tools/versions.ts'
import { createMediaPrograms, type MediaProgram } from '#control-plane/media/programs.ts'
import { createPathAuthorizations, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createLog } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const log = createLog('silent', 'test')
const script = (text: string) => Buffer.from(`#!/bin/sh\n${text}\n${'#'.repeat(5000)}\n`)
const PROGRAMS: Readonly<Record<MediaProgram, Buffer>> = {
  ffmpeg: script("echo 'ffmpeg version 9.1-test Copyright'"),
  ffprobe: script("echo 'ffprobe version 9.1-test Copyright'"),
  ytdlp: script('echo 2026.01.01'),
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

type Options = { readonly files?: Partial<Record<MediaProgram, Buffer>>; readonly free?: number }
async function open(t: TestContext, { files = {}, free = 10 ** 12 }: Options = {}) {
  const folder = temporaryFolder(t)
  const system = join(folder, 'bin')
  mkdirSync(system)
  const asked: { readonly url: string; readonly range: string | undefined }[] = []
  let answer = (name: MediaProgram, from: number, response: ServerResponse): void => {
    const bytes = PROGRAMS[name].subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${PROGRAMS[name].length - 1}/${PROGRAMS[name].length}` }),
    })
    response.end(bytes)
  }
  const server = createServer(({ url = '', headers: { range } }, response) => {
    asked.push({ url, range })
    answer(url.slice(1) as MediaProgram, Number(/=(\d+)-/.exec(range ?? '')?.[1] ?? 0), response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const settings = createOwnerSettings(createFakeSettings())
  const programs = createMediaPrograms({
    path: system,
    folder: join(folder, 'media-tools'),
    choiceOf: (program) => (program === 'ytdlp' ? { kind: 'auto' } : settings.read(mediaToolsSettings.choices)[program]),
  })
  const build = (name: MediaProgram, version: string) => {
    const bytes = files[name] ?? PROGRAMS[name]
    return { path: name, version, size: bytes.length, sha256: sha256(bytes) }
  }
  const versions = createVersions()
  const fetch = createFetch({ base, token: null, clock, version: '0', stallMs: 2_000 })
  const acquisition = () => createAcquisition({ programs, versions, base, fetch, freeDisk: async () => free, log })
  const [tools, ytdlp] = [acquisition(), acquisition()]
  t.after(() => Promise.all([tools.stop(), ytdlp.stop()]))
  const authorizationsFolder = join(folder, 'authorizations')
  const service = createMediaToolsService({
    programs,
    versions,
    tools,
    ytdlp,
    builds: { ffmpeg: build('ffmpeg', '9.1-test'), ffprobe: build('ffprobe', '9.1-test'), ytdlp: build('ytdlp', '2026.01.01') },
    platformKey: 'test',
    settings,
    authorizations: createPathAuthorizations({ folder: authorizationsFolder }),
  })
  const program = (path: string, text: string) => {
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return path
  }
  return {
    folder,
    system,
    service,
    programs,
    asked,
    tools,
    program,
    respond: (other: typeof answer) => {
      answer = other
    },
    authorize: (kind: 'ffmpeg' | 'ffprobe', path: string) => writePathAuthorization(authorizationsFolder, { kind, path }, random),
    /** The state after the download has ended. */
    ended: () =>
      eventually(async () => ((await service.status()).ops.acquire.state === 'running' ? null : (await service.status()).ops.acquire)),
  }
}
const NOTHING = { ok: false, path: null, version: null, origin: null }

test('every pin has a size, a digest and a path of its own, over https by default', () => {
  const builds = Object.values(PINS).flatMap((platform) => Object.values(platform))
  for (const { path, size, sha256: digest } of builds) {
    assert.match(path, /^[a-z0-9-]+\/[a-z0-9-]+\/releases\/download\/[a-z0-9.]+\/[a-z0-9_-]+$/)
    assert.match(digest, /^[0-9a-f]{64}$/)
    assert.ok(size > 10e6 && size < 200e6)
  }
  assert.equal(new Set(builds.map(({ sha256: digest }) => digest)).size, builds.length)
})

test('ffmpeg and ffprobe are downloaded once, verified and used at once', async (t) => {
  const { service, programs, asked, ended, folder } = await open(t)
  assert.deepEqual((await service.status()).tools.ffmpeg, { tool: 'ffmpeg', ...NOTHING })
  assert.equal(programs.usable('ffmpeg'), null)
  const [first, second] = await Promise.all([service.acquire(), service.acquire()])
  assert.deepEqual([first.state, second.state], ['running', 'running'])
  assert.deepEqual(await ended(), { state: 'done', progress: 1, error: null })
  const path = join(folder, 'media-tools/ffmpeg')
  const { ready, tools } = await service.status()
  assert.deepEqual([ready, tools.ffmpeg], [true, { tool: 'ffmpeg', ok: true, path, version: '9.1-test', origin: 'sidecar' }])
  assert.equal(tools.ffprobe.origin, 'sidecar')
  assert.equal(programs.usable('ffmpeg'), path)
  assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.equal(asked.length, 2)
  assert.deepEqual(await service.acquire(), { state: 'done', progress: 1, error: null })
  assert.equal(asked.length, 2)
})

test('a wrong byte, a wrong length, a refusal and a program that does not start install nothing', async (t) => {
  const broken = script('exit 1')
  const { service, respond, ended, folder } = await open(t, { files: { ffmpeg: broken } })
  const attempt = async (answer: (response: ServerResponse) => void): Promise<string> => {
    respond((_, __, response) => answer(response))
    await service.acquire()
    const { state, error } = await ended()
    assert.equal(state, 'error')
    assert.equal(existsSync(join(folder, 'media-tools/ffmpeg')), false)
    assert.equal((await service.status()).ready, false)
    return error!
  }
  const corrupt = Buffer.from(broken)
  corrupt[20]! ^= 1
  assert.match(await attempt((response) => response.end(corrupt)), /does not match its digest/)
  assert.match(await attempt((response) => response.end(broken.subarray(1))), /announced/)
  assert.match(await attempt((response) => response.writeHead(404).end()), /status 404/)
  assert.match(await attempt((response) => response.writeHead(302, { location: 'http://192.0.2.1/x' }).end()), /https only/)
  assert.match(await attempt((response) => response.destroy()), /could not be reached/)
  assert.match(await attempt((response) => response.end(broken)), /does not start/)
  assert.deepEqual(readdirSync(join(folder, 'media-tools/.parts')), [])
})

test('a download that was cut goes on where it ended', async (t) => {
  const { service, respond, ended, asked } = await open(t)
  const whole = PROGRAMS.ffmpeg
  let cut = true
  respond((name, from, response) => {
    const bytes = PROGRAMS[name].subarray(from)
    const total = PROGRAMS[name].length
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length, 'content-range': `bytes ${from}-${total - 1}/${total}` })
    if (!cut) return void response.end(bytes)
    cut = false
    response.write(bytes.subarray(0, 1000), () => setImmediate(() => response.destroy()))
  })
  await service.acquire()
  assert.equal((await ended()).state, 'error')
  await service.acquire()
  assert.equal((await ended()).state, 'done')
  const resumed = asked.find(({ range }) => range !== undefined)
  assert.match(resumed!.range!, /^bytes=\d+-$/)
  assert.ok(whole.length > 1000)
})

test('a disk without room is a clear error before the download', async (t) => {
  const { service, ended, asked } = await open(t, { free: 1_000_000 })
  await service.acquire()
  assert.match((await ended()).error!, /disk has 1 MB left/)
  assert.equal(asked.length, 0)
})

test('a stop ends a download', async (t) => {
  const { service, respond, tools } = await open(t)
  respond((_, __, response) => void response.writeHead(200, { 'content-length': PROGRAMS.ffmpeg.length }).write('#'))
  await service.acquire()
  await tools.stop()
  assert.equal((await service.status()).ops.acquire.state, 'error')
})

test('the owner chooses a program by a one-shot authorization, the one on PATH, or the default', async (t) => {
  const { service, programs, program, folder, system, authorize } = await open(t)
  const own = program(join(folder, 'my-ffmpeg'), "echo 'ffmpeg version 1-own'")
  const token = authorize('ffmpeg', own)
  const { tools } = await service.choosePath('ffmpeg', token)
  assert.deepEqual(tools.ffmpeg, { tool: 'ffmpeg', ok: true, path: own, version: '1-own', origin: 'custom' })
  assert.equal(programs.usable('ffmpeg'), own)
  await assert.rejects(service.choosePath('ffmpeg', token), { code: 'FORBIDDEN' }, 'used')
  await assert.rejects(service.choosePath('ffmpeg', authorize('ffprobe', own)), { code: 'FORBIDDEN' }, 'another kind')
  await assert.rejects(service.choosePath('ffmpeg', '../../etc/passwd'), { code: 'FORBIDDEN' })
  await assert.rejects(service.choosePath('ytdlp', authorize('ffmpeg', own)), { code: 'BAD_REQUEST' })
  const wrong = program(join(folder, 'other'), "echo 'something else'")
  for (const path of [wrong, folder, join(folder, 'missing'), 'relative', `${own}\n`, '/etc/hostname'])
    await assert.rejects(service.choosePath('ffmpeg', authorize('ffmpeg', path)), { code: 'BAD_REQUEST' }, path)
  assert.equal(programs.usable('ffmpeg'), own)

  await assert.rejects(service.useSystem('ffmpeg'), { code: 'NOT_FOUND' })
  await assert.rejects(service.useSystem('sh'), { code: 'BAD_REQUEST' })
  const onPath = program(join(system, 'ffmpeg'), "echo 'ffmpeg version 2-system'")
  assert.deepEqual((await service.useSystem('ffmpeg')).tools.ffmpeg.origin, 'system')
  assert.equal(programs.usable('ffmpeg'), onPath)
  assert.equal((await service.restore('ffmpeg')).tools.ffmpeg.path, onPath)
})

test('a custom program that is gone is shown as such, and an acquisition replaces it', async (t) => {
  const { service, programs, program, folder, authorize, ended } = await open(t)
  const own = program(join(folder, 'my-ffmpeg'), "echo 'ffmpeg version 1-own'")
  await service.choosePath('ffmpeg', authorize('ffmpeg', own))
  chmodSync(own, 0o644)
  const { ready, tools } = await service.status()
  assert.deepEqual([ready, tools.ffmpeg.path, tools.ffmpeg.origin], [false, own, 'custom'])
  assert.equal(programs.usable('ffmpeg'), null)
  await service.acquire()
  assert.equal((await ended()).state, 'done')
  assert.equal((await service.status()).tools.ffmpeg.origin, 'sidecar')
})

test('a custom program behind a loop of links is shown as missing', async (t) => {
  const { service, program, folder, authorize } = await open(t)
  const own = program(join(folder, 'my-ffmpeg'), "echo 'ffmpeg version 1-own'")
  await service.choosePath('ffmpeg', authorize('ffmpeg', own))
  rmSync(own)
  symlinkSync(own, own)
  const { tools } = await service.status()
  assert.deepEqual([tools.ffmpeg.ok, tools.ffmpeg.path, tools.ffmpeg.version], [false, own, null])
})

test('a request that finds nothing to download does not end a download that has begun meanwhile', async (t) => {
  const { service, respond, tools, program, system } = await open(t)
  respond((_, __, response) => void response.writeHead(200, { 'content-length': PROGRAMS.ffmpeg.length }).write('#'))
  const looked = service.acquire()
  tools.start([{ program: 'ffmpeg', build: { path: 'ffmpeg', version: '', size: PROGRAMS.ffmpeg.length, sha256: 'a'.repeat(64) } }])
  for (const name of ['ffmpeg', 'ffprobe']) program(join(system, name), `echo '${name} version 2-system'`)
  assert.equal((await looked).state, 'running')
  assert.equal(tools.done().state, 'running')
  assert.equal(tools.fail('x').state, 'running')
})

test('a downloaded yt-dlp covers the one on PATH until it is removed', async (t) => {
  const { service, program, system } = await open(t)
  program(join(system, 'yt-dlp'), 'echo 2024.12.31')
  const before = (await service.status()).tools.ytdlp
  assert.deepEqual(
    [before.version, before.overlay_version, before.baseline_version, before.origin],
    ['2024.12.31', null, '2024.12.31', 'system'],
  )
  await service.updateYtdlp()
  await eventually(async () => (await service.status()).ops.ytdlp_update.state === 'done')
  const after = (await service.status()).tools.ytdlp
  assert.deepEqual(
    [after.version, after.overlay_version, after.baseline_version, after.origin],
    ['2026.01.01', '2026.01.01', '2024.12.31', 'sidecar'],
  )
  assert.equal((await service.restoreYtdlp()).tools.ytdlp.version, '2024.12.31')
})

test('a program that never answers or floods its output has no version', async (t) => {
  const { service, program, folder, authorize } = await open(t)
  for (const [name, text] of [
    ['flood', 'exec yes "ffmpeg version 1"'],
    ['slow', 'exec sleep 60'],
  ] as const)
    await assert.rejects(service.choosePath('ffmpeg', authorize('ffmpeg', program(join(folder, name), text))), { code: 'BAD_REQUEST' })
})
