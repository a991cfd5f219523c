// Installing the CUDA parts from a folder, an index and pip, with archives of a few bytes.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { CudaSet } from '#agent/gpu/cuda-parts.ts'
import { downloadedBytes, gpuEnvironment, gpuRoot, installedGpu, otherVersions, removeGpu } from '#agent/gpu/folder.ts'
import { installGpu } from '#agent/gpu/install.ts'
import { fromFolder, fromIndex, fromPip, type PartSource } from '#agent/gpu/sources.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { gpuCause } from '#shared/protocol/fields/gpu-causes.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { smallSet } from './small-set.ts'

const { signal } = new AbortController()
type Place = { readonly dataDir: string; readonly wheels: string; readonly runtime: string; readonly set: CudaSet }

async function open(t: TestContext): Promise<Place> {
  const home = temporaryFolder(t)
  const [dataDir, wheels, runtime] = [join(home, 'data'), join(home, 'wheels'), join(home, 'libonnxruntime.so.1')]
  for (const folder of [dataDir, wheels]) mkdirSync(folder, { mode: 0o700 })
  writeFileSync(runtime, 'runtime')
  return { dataDir, wheels, runtime, set: await smallSet(wheels) }
}
const install = (
  { dataDir, set, runtime }: Place,
  source: PartSource,
  trial: Parameters<typeof installGpu>[0]['trial'] = async () => null,
) => installGpu({ dataDir, set, runtime, source, trial, signal })
const failsWith = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && message.test(error.message)
const leftIn = (dataDir: string) => readdirSync(gpuRoot(dataDir)).sort()

test('parts from a folder are unpacked, tried and used by engine hosts; remove leaves nothing', async (t) => {
  const place = await open(t)
  const { dataDir, set } = place
  const tried: string[] = []
  const cause = await install(place, fromFolder(place.wheels), async (folder) => {
    tried.push(...readdirSync(folder).sort())
    return null
  })
  assert.equal(cause, null)
  const files = [
    'libcublas.so.13',
    'libcublasLt.so.13',
    'libonnxruntime.so.1',
    'libonnxruntime_providers_cuda.so',
    'libonnxruntime_providers_shared.so',
    'maker-cublas-license.txt',
    'provider-gpu-license',
  ]
  assert.deepEqual(tried, files)
  const folder = installedGpu(dataDir, set)!
  assert.deepEqual([basename(folder.path), folder.lost, leftIn(dataDir)], ['ort-9.9.9-cuda13', [], ['ort-9.9.9-cuda13']])
  assert.equal(statSync(folder.path).mode & 0o077, 0)
  const env = { PATH: '/bin', LD_LIBRARY_PATH: '/mine' }
  assert.deepEqual(gpuEnvironment(env, dataDir, 'auto', set), { PATH: '/bin', LD_LIBRARY_PATH: `${folder.path}:/mine` })
  assert.equal(gpuEnvironment(env, dataDir, 'cpu', set), env, 'the owner chose the CPU')
  // Another version of the program does not use it.
  const newer = { ...set, runtime: '9.9.10' }
  assert.deepEqual([installedGpu(dataDir, newer), otherVersions(dataDir, newer)], [null, ['ort-9.9.9-cuda13']])
  assert.equal(gpuEnvironment(env, dataDir, 'auto', newer), env)
  truncateSync(join(folder.path, 'libcublas.so.13'), 1)
  assert.deepEqual(installedGpu(dataDir, set)!.lost, ['libcublas.so.13'])
  assert.equal(await install(place, fromFolder(place.wheels)), null)
  assert.deepEqual(installedGpu(dataDir, set)!.lost, [])
  assert.deepEqual([removeGpu(dataDir), leftIn(dataDir), removeGpu(dataDir)], [true, [], false])
})

test('what is missing, damaged or not pinned is refused, and a device that fails its trial leaves the folder as it was', async (t) => {
  const place = await open(t)
  const { dataDir, set, wheels } = place
  const cause = gpuCause('no-device')
  assert.deepEqual(await install(place, fromFolder(wheels), async () => cause), cause)
  assert.deepEqual([installedGpu(dataDir, set), leftIn(dataDir)], [null, []])
  assert.equal(await install(place, fromFolder(wheels)), null)
  const before = readFileSync(join(installedGpu(dataDir, set)!.path, 'gpu.json'), 'utf8')

  const [first, second] = set.parts.map(({ file }) => join(wheels, file)) as [string, string]
  const bytes = readFileSync(second)
  writeFileSync(second, Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]))
  await assert.rejects(install(place, fromFolder(wheels)), failsWith('DIGEST_MISMATCH', /maker-cublas.*digest differs/))
  writeFileSync(second, 'short')
  await assert.rejects(install(place, fromFolder(wheels)), failsWith('DIGEST_MISMATCH', /must have \d+/))
  await assert.rejects(install(place, fromFolder(join(wheels, 'none'))), failsWith('NOT_FOUND', /is not in/))
  const unpinned = { ...place, set: { ...set, parts: set.parts.map((part) => ({ ...part, sha256: null })) } }
  await assert.rejects(install(unpinned, fromFolder(wheels)), failsWith('DOWNLOAD_REFUSED', /no digest/))
  writeFileSync(second, bytes)
  const without = { ...place, set: { ...set, parts: set.parts.map((part) => ({ ...part, libraries: /^absent$/ })) } }
  await assert.rejects(install(without, fromFolder(wheels)), failsWith('BAD_REQUEST', /none of its libraries/))
  assert.ok(existsSync(first))
  assert.deepEqual(
    [readFileSync(join(installedGpu(dataDir, set)!.path, 'gpu.json'), 'utf8'), leftIn(dataDir)],
    [before, ['ort-9.9.9-cuda13']],
  )
})

test('an index is asked for each package; a download that was cut goes on where it ended', async (t) => {
  const place = await open(t)
  const { dataDir, set, wheels } = place
  const asked: string[] = []
  let cuts = 1
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost')
    asked.push(`${pathname} ${request.headers.range ?? ''}`.trim())
    const file = set.parts.find((part) => pathname === `/files/${part.file}`)
    if (!file) {
      const part = set.parts.find(({ name }) => pathname === `/simple/${name}/`)
      response.statusCode = part ? 200 : 404
      return response.end(part && `<a href="../../files/other.whl">x</a><a href="../../files/${part.file}#sha256=${part.sha256}">y</a>`)
    }
    const bytes = readFileSync(join(wheels, file.file))
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    if (cuts-- <= 0) return response.end(bytes.subarray(from))
    return response.write(bytes.subarray(0, 20), () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const index = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`)
  const source = fromIndex(index, createFetch({ base: index, token: null, clock: systemClock, version: 'test', stallMs: 10_000 }))
  await assert.rejects(install(place, source))
  assert.equal(downloadedBytes(dataDir), 20)
  assert.equal(await install(place, source), null)
  assert.deepEqual(
    asked.filter((line) => line.startsWith('/files/')),
    [`/files/${set.parts[0]!.file}`, `/files/${set.parts[0]!.file} bytes=20-`, `/files/${set.parts[1]!.file}`],
  )
  assert.deepEqual([leftIn(dataDir), downloadedBytes(dataDir)], [['ort-9.9.9-cuda13'], 0])
  const absent = { ...place, set: { ...set, parts: [{ ...set.parts[0]!, name: 'unknown' }] } }
  await assert.rejects(install(absent, source), failsWith('NOT_FOUND', /no package unknown/))
})

test('pip gets the version and the digest of each package, and what it brings is verified', async (t) => {
  const place = await open(t)
  const calls: string[] = []
  const source = fromPip(async (args) => {
    const list = readFileSync(args[args.indexOf('--requirement') + 1]!, 'utf8')
    calls.push(list.trim())
    const part = place.set.parts.find(({ name }) => list.startsWith(`${name}==1.0 `))!
    assert.ok(args.includes('--require-hashes') && args.includes('--no-deps'))
    copyFileSync(join(place.wheels, part.file), join(args[args.indexOf('--dest') + 1]!, part.file))
    return { code: 0, text: '' }
  })
  assert.equal(await install(place, source), null)
  assert.deepEqual(
    calls,
    place.set.parts.map(({ name, sha256 }) => `${name}==1.0 --hash=sha256:${sha256}`),
  )
  removeGpu(place.dataDir)
  const failing = fromPip(async () => ({ code: 1, text: 'ERROR: No matching distribution found.\n' }))
  await assert.rejects(install(place, failing), failsWith('PROGRAM_FAILED', /No matching distribution found\. Name an index/))
  const wrong = fromPip(async (args) => {
    writeFileSync(join(args[args.indexOf('--dest') + 1]!, place.set.parts[0]!.file), 'x')
    return { code: 0, text: '' }
  })
  await assert.rejects(install(place, wrong), failsWith('DIGEST_MISMATCH', /must have/))
  assert.equal(downloadedBytes(place.dataDir), 0)
})

test('a process that is killed leaves the old folder or none, and the next installation clears what it left', {
  skip: process.platform === 'win32',
}, async (t) => {
  const place = await open(t)
  const { dataDir, set, wheels, runtime } = place
  const killed = async () => {
    const child = fork(fileURLToPath(new URL('./installing.ts', import.meta.url)), [dataDir, wheels, runtime], { execArgv: [] })
    await once(child, 'message')
    await assert.rejects(install(place, fromFolder(wheels)), failsWith('CONFLICT', /is running/))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await killed()
  assert.deepEqual([installedGpu(dataDir, set), leftIn(dataDir).length], [null, 1])
  assert.equal(await install(place, fromFolder(wheels)), null)
  await killed()
  assert.deepEqual(installedGpu(dataDir, set)!.lost, [])
  assert.equal(await install(place, fromFolder(wheels)), null)
  assert.deepEqual(leftIn(dataDir), ['ort-9.9.9-cuda13'])
})
