// A bucket as a store of artifacts, against the suite that every body has to pass, and what only a store on the network can do wrong.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { type BucketCredentials, parseBucketAddress } from '#control-plane/store/s3/address.ts'
import { createS3Artifacts, PART_BYTES } from '#control-plane/store/s3/artifacts.ts'
import { openBucket } from '#control-plane/store/s3/bucket.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { collectGarbage } from '#shared/runtime/memory/collect-garbage.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { openFaultyRelay } from '#test/support/services/faulty-relay.ts'
import { NO_SWIFT, SWIFT_KEY, startSwift } from '#test/support/services/swift.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { createArtifactRows } from './artifact-rows.ts'
import { artifactsSuite, bytesOf, collect, refusingSuite, sha256 } from './suite.ts'

const HOUR_MS = 3600_000
const skip = NO_SWIFT
let started: Promise<{ readonly endpoint: string }> | null = null
let buckets = 0
/** Started by the first test, ended after the last one. */
const endings: (() => Promise<void>)[] = []
after(() => Promise.all(endings.map((end) => end())))
const swift = () => (started ??= startSwift({ after: (end) => endings.push(end) }))

async function createBucket(endpoint: string): Promise<string> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: SWIFT_KEY })
  const name = `bucket-${++buckets}`
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  return name
}
type Opening = {
  readonly credentials?: BucketCredentials
  readonly attempts?: number
  readonly idleMs?: number
  readonly clock?: Clock
}
/** A bucket of its own, behind a relay that may fail. */
async function openS3(t: TestContext, { credentials = SWIFT_KEY, attempts = 4, idleMs = 10_000, clock = systemClock }: Opening = {}) {
  const { endpoint } = await swift()
  const name = await createBucket(endpoint)
  const relay = await openFaultyRelay(t, endpoint)
  const place = `${relay.endpoint}/${name}`
  const open = (at: string) => openBucket({ address: parseBucketAddress(at), credentials: () => credentials, clock, idleMs })
  const [bucket, direct] = [await open(place), await open(`${endpoint}/${name}`)]
  t.after(() => {
    bucket.close()
    direct.close()
  })
  const rows = createArtifactRows()
  const limits = { attempts, firstWaitMs: 10, longestWaitMs: 40, totalMs: 20_000 }
  const artifacts = createS3Artifacts({ bucket, rows, cell: 'main', place, clock, random, limits })
  return {
    artifacts,
    rows,
    relay,
    bucket,
    direct,
    name,
    endpoint,
    folder: temporaryFolder(t),
    keptAt: async (digest: string, at: number) => void rows.table.set(digest, { ...rows.table.get(digest)!, keptUntil: at + HOUR_MS }),
    names: async () => (await direct.list('', '')).map(({ key }) => key.slice('main/00/'.length)),
  }
}

artifactsSuite('S3', (t) => openS3(t), { skip })
for (const [fault, code] of [
  [503, 'STORAGE_UNAVAILABLE'],
  [507, 'STORAGE_FULL'],
] as const)
  refusingSuite(
    `S3 with status ${fault}`,
    async (t) => {
      const opened = await openS3(t)
      opened.relay.failAll(fault)
      return { ...opened, codes: [code] }
    },
    skip,
  )

test('a store that fails for a moment is asked again, and an answer that is lost does no harm', { skip }, async (t) => {
  const { artifacts, relay, names, rows } = await openS3(t, { idleMs: 1_000 })
  const digests: string[] = []
  for (const [index, faults] of ([[500, 503], ['lost'], ['silent'], [429, 'lost', 500]] as const).entries()) {
    const bytes = bytesOf(100_000, index + 1)
    digests.push(sha256(bytes))
    relay.fail('PUT', ...faults)
    await artifacts.keep(sha256(bytes), { chunks: [bytes] })
    relay.fail('GET', ...(faults.length > 2 ? [503] : faults))
    assert.ok((await collect(artifacts.read(sha256(bytes)))).equals(bytes), `${faults}`)
  }
  assert.deepEqual((await names()).sort(), digests.sort())
  relay.fail('DELETE', 503, 'lost')
  await artifacts.remove(digests[0]!)
  assert.deepEqual([(await names()).length, rows.table.size], [3, 3])
})

test('a read goes on behind the last byte when the connection breaks', { skip }, async (t) => {
  const { artifacts, relay } = await openS3(t)
  const bytes = bytesOf(3_000_000)
  await artifacts.keep(sha256(bytes), { chunks: [bytes] })
  relay.fail('GET', 'cut', 'cut', 500, 'cut')
  assert.ok((await collect(artifacts.read(sha256(bytes)))).equals(bytes))
  relay.fail('GET', 'cut')
  assert.ok((await collect(artifacts.read(sha256(bytes), 1_000_000, 1_999_999))).equals(bytes.subarray(1_000_000, 2_000_000)))
})

test('a store that stays away is a failure that says so, without credentials, and nothing is lost', { skip }, async (t) => {
  const { artifacts, relay, rows, keptAt, names } = await openS3(t, { attempts: 3 })
  const kept = sha256('kept')
  await artifacts.keep(kept, { chunks: [Buffer.from('kept')] })
  relay.failAll(500)
  const failed = async (request: Promise<unknown>) => {
    const error = await request.then(
      () => assert.fail('it succeeded'),
      (reason: Error & { code: string }) => reason,
    )
    assert.equal(error.code, 'STORAGE_UNAVAILABLE')
    assert.match(error.message, /^The store did not [a-z ]+ \(.*500\)\.$/)
    assert.ok(!JSON.stringify([error.message, error.stack, String(error.cause)]).includes(SWIFT_KEY.secretAccessKey))
  }
  relay.seen.length = 0
  await failed(collect(artifacts.read(kept)))
  assert.equal(relay.seen.length, 3)
  await failed(artifacts.keep(sha256('new'), { chunks: [Buffer.from('new')] }))
  await failed(artifacts.remove(kept))
  await keptAt(kept, 1)
  artifacts.addNamer(async () => new Set())
  await failed(artifacts.sweep(2))
  assert.equal(rows.table.get(kept)?.isLeaving, true)
  relay.failAll(null)
  assert.equal(await artifacts.renew(kept, 4), false, 'its object may be gone')
  await artifacts.keep(kept, { chunks: [Buffer.from('kept')] })
  assert.equal(rows.table.get(kept)?.isLeaving, false)
  assert.equal(await artifacts.sweep(2), 0)
  assert.deepEqual(await names(), [kept])
})

test('what a crash left is removed: a row that was leaving, and an object without a row', { skip }, async (t) => {
  const ahead = { ...systemClock, now: () => Date.now() + 2 * 24 * HOUR_MS }
  const { artifacts, rows, names, direct } = await openS3(t, { clock: { ...systemClock, now: () => ahead.now() } })
  const [leaving, named] = ['leaving', 'named'].map(sha256)
  for (const text of ['leaving', 'named']) await artifacts.keep(sha256(text), { chunks: [Buffer.from(text)] })
  rows.table.set(leaving!, { ...rows.table.get(leaving!)!, isLeaving: true })
  const orphan = `00${'7'.repeat(62)}`
  await direct.put(`main/00/${orphan}`, Buffer.from('x'), sha256('x'))
  await direct.put('main/00/other', Buffer.from('x'), sha256('x'))
  artifacts.addNamer(async (digests) => new Set(digests.filter((digest) => digest === named)))
  assert.equal(await artifacts.sweep(1), 2)
  assert.deepEqual((await names()).sort(), ['other', named].sort())
})

test('bytes that were changed in the bucket are not returned as whole', { skip }, async (t) => {
  const { artifacts, direct } = await openS3(t)
  const digest = sha256('right')
  await artifacts.keep(digest, { chunks: [Buffer.from('right')] })
  await direct.put(`main/${digest.slice(0, 2)}/${digest}`, Buffer.from('wrong'), sha256('wrong'))
  await assert.rejects(collect(artifacts.read(digest)), { code: 'DIGEST_MISMATCH' })
  await assert.rejects(artifacts.keep('../x', { chunks: [] }), /is not the name of an artifact/)
  await assert.rejects(
    direct.put('main/x', Buffer.from('a'), sha256('b')),
    (error) => (error as { $metadata: { httpStatusCode: number } }).$metadata.httpStatusCode === 400,
  )
})

test('a wrong key, and a bucket that is not there, are said at once', { skip }, async (t) => {
  const wrong = await openS3(t, { credentials: { ...SWIFT_KEY, secretAccessKey: 'another' } })
  await assert.rejects(wrong.artifacts.keep(sha256('a'), { chunks: [Buffer.from('a')] }), {
    code: 'STORAGE_UNAVAILABLE',
    message: 'The store did not keep a file (SignatureDoesNotMatch, 403).',
  })
  assert.equal(wrong.relay.seen.length, 1)
  const { endpoint } = await swift()
  const bucket = await openBucket({
    address: parseBucketAddress(`${endpoint}/nowhere`),
    credentials: () => SWIFT_KEY,
    clock: systemClock,
    idleMs: 5_000,
  })
  t.after(() => bucket.close())
  const artifacts = createS3Artifacts({ bucket, rows: createArtifactRows(), cell: 'main', place: '', clock: systemClock, random })
  const refused = { code: 'STORAGE_UNAVAILABLE', message: /NoSuchBucket, 404/ }
  await assert.rejects(artifacts.keep(sha256('a'), { chunks: [Buffer.from('a')] }), refused)
  await assert.rejects(collect(artifacts.read(sha256('a'))), refused)
})

test('large bytes are sent in parts, also through faults, and a wrong digest leaves no upload behind', { skip }, async (t) => {
  const { artifacts, relay, folder, names, endpoint, name } = await openS3(t)
  const bytes = bytesOf(2 * PART_BYTES + 5_000_000)
  const digest = sha256(bytes)
  const file = join(folder, 'large')
  writeFileSync(file, bytes)
  await assert.rejects(artifacts.keep(sha256('other'), { file }), { code: 'DIGEST_MISMATCH' })
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: SWIFT_KEY })
  t.after(() => client.destroy())
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }))
  assert.deepEqual([await names(), existsSync(file), Uploads], [[], true, []])

  relay.fail('PUT', 500, 'lost', 503)
  relay.fail('POST', 500, 'lost')
  await artifacts.keep(digest, { file })
  assert.deepEqual([await names(), existsSync(file)], [[digest], false])
  assert.ok((await collect(artifacts.read(digest))).equals(bytes))
  assert.ok((await collect(artifacts.read(digest, PART_BYTES - 2, PART_BYTES + 1))).equals(bytes.subarray(PART_BYTES - 2, PART_BYTES + 2)))
  relay.fail('POST', 'lost')
  await artifacts.keep(digest, { chunks: [bytes.subarray(0, 20_000_000), bytes.subarray(20_000_000)] })
  assert.ok((await collect(artifacts.read(digest))).equals(bytes))
})

test('256 MiB need at most 80 MB of memory', { skip: skip || (isLongRun ? false : 'a long test: ./studio test --long') }, async (t) => {
  const { artifacts, folder } = await openS3(t)
  const bytes = bytesOf(256 * 1024 * 1024)
  const digest = sha256(bytes)
  const file = join(folder, 'large')
  writeFileSync(file, bytes)
  bytes.fill(0)
  // What the SDK loads and compiles with its first requests stays and is no part of the figure.
  const first = bytesOf(PART_BYTES + 1)
  await artifacts.keep(sha256(first), { chunks: [first] })
  await collect(artifacts.read(sha256(first)))
  collectGarbage()
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)
  t.after(() => clearInterval(timer))
  const sentAt = performance.now()
  await artifacts.keep(digest, { file })
  const sent = (peak - before) / 1e6
  const readAt = performance.now()
  peak = process.memoryUsage.rss()
  let size = 0
  for await (const piece of artifacts.read(digest)) size += piece.length
  t.diagnostic(
    `kept: ${sent.toFixed(0)} MB more, ${(readAt - sentAt).toFixed(0)} ms; read: ${((peak - before) / 1e6).toFixed(0)} MB more, ${(performance.now() - readAt).toFixed(0)} ms`,
  )
  assert.equal(size, 256 * 1024 * 1024)
  assert.ok(sent <= 80, `${sent} MB`)
})
