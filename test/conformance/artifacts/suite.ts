// The contract of every store of artifacts, in a folder or on another machine.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Artifacts } from '#control-plane/store/artifact.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

export type ArtifactsUnderTest = {
  readonly artifacts: Artifacts
  /** A folder from which files can be moved into the store. */
  readonly folder: string
  /** Makes the file as old as if it had been kept at that time, epoch milliseconds. */
  readonly keptAt: (digest: string, at: number) => Promise<void>
  /** Names of everything in the store, whole or not. */
  readonly names: () => Promise<string[]>
}
export type ArtifactsFactory = (t: TestContext) => Promise<ArtifactsUnderTest>
/** A store that has no room or does not answer, and the codes of the errors that `keep` may then have. */
export type RefusingFactory = (t: TestContext) => Promise<ArtifactsUnderTest & { readonly codes: readonly string[] }>

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const bytes of body) pieces.push(bytes)
  return Buffer.concat(pieces)
}
/** Bytes that are the same for the same seed; no two pieces of them are equal. */
export function bytesOf(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0, state = seed; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}
const keepAll = async (artifacts: Artifacts, ...texts: string[]): Promise<string[]> => {
  for (const text of texts) await artifacts.keep(sha256(text), { chunks: [Buffer.from(text)] })
  return texts.map(sha256)
}
const LONG_AGO = 1_000_000
const SOON = 2_000_000

export function artifactsSuite(name: string, open: ArtifactsFactory, options: { readonly skip?: string | false } = {}): void {
  const check = (title: string, run: (opened: ArtifactsUnderTest, t: TestContext) => Promise<void>) =>
    test(`${name}: ${title}`, options, async (t) => run(await open(t), t))

  check('bytes from memory and from a file are kept under their digest and read back', async ({ artifacts, folder, names }) => {
    const short = sha256('one two')
    await artifacts.keep(short, { chunks: [Buffer.from('one '), Buffer.from('two')] })
    const long = bytesOf(600_000)
    writeFileSync(join(folder, 'spilled'), long)
    await artifacts.keep(sha256(long), { file: join(folder, 'spilled') })
    const empty = sha256('')
    await artifacts.keep(empty, { chunks: [] })

    assert.equal((await collect(artifacts.read(short))).toString(), 'one two')
    assert.deepEqual(await collect(artifacts.read(sha256(long))), long)
    assert.deepEqual(await collect(artifacts.read(empty)), Buffer.alloc(0))
    assert.equal(existsSync(join(folder, 'spilled')), false, 'moved, not copied')
    assert.deepEqual((await names()).sort(), [short, sha256(long), empty].sort())
    assert.ok(artifacts.addressOf(short).endsWith(short))
  })

  check('a removed file is not there, and is removed again without an error', async ({ artifacts }) => {
    const [digest = ''] = await keepAll(artifacts, 'short')
    await artifacts.remove(digest)
    await artifacts.remove(digest)
    await assert.rejects(collect(artifacts.read(digest)), { code: 'ENOENT' })
    assert.equal(await artifacts.renew(digest, 5), false)
  })

  check('a source that fails leaves nothing behind, and does not damage the earlier file', async ({ artifacts, folder, names }) => {
    const [digest = ''] = await keepAll(artifacts, 'good')
    const broken = function* () {
      yield Buffer.from('half')
      throw new Error('the spool is gone')
    }
    await assert.rejects(artifacts.keep(digest, { chunks: broken() }), /the spool is gone/)
    await assert.rejects(artifacts.keep(sha256('e'), { file: join(folder, 'missing') }), { code: 'ENOENT' })
    assert.deepEqual(await names(), [digest])
    assert.equal((await collect(artifacts.read(digest))).toString(), 'good')
  })

  check('bytes with another digest are refused', async ({ artifacts, names }) => {
    const [digest = ''] = await keepAll(artifacts, 'good')
    for (const name of [digest, sha256('other')])
      await assert.rejects(artifacts.keep(name, { chunks: [Buffer.from('bad')] }), { code: 'DIGEST_MISMATCH' })
    assert.deepEqual(await names(), [digest])
    assert.equal((await collect(artifacts.read(digest))).toString(), 'good')
  })

  check('equal bytes of several callers are one file', async ({ artifacts, names }) => {
    const bytes = bytesOf(300_000)
    const digest = sha256(bytes)
    await Promise.all([1, 2, 3].map(() => artifacts.keep(digest, { chunks: [bytes] })))
    await artifacts.keep(digest, { chunks: [bytes.subarray(0, 7), bytes.subarray(7)] })
    assert.deepEqual(await names(), [digest])
    assert.deepEqual(await collect(artifacts.read(digest)), bytes)
  })

  check('a part of a file is read from any byte to any byte', async ({ artifacts }) => {
    const bytes = bytesOf(400_000)
    const digest = sha256(bytes)
    await artifacts.keep(digest, { chunks: [bytes] })
    for (const [from, to] of [
      [0, 0],
      [1, 9],
      [262_143, 262_145],
      [399_999, 399_999],
      [100_000, undefined],
      [399_990, 500_000],
      [400_000, undefined],
      [900_000, undefined],
    ] as const) {
      const part = await collect(artifacts.read(digest, from, to))
      assert.ok(part.equals(bytes.subarray(from, to === undefined ? undefined : to + 1)), `${from} to ${to}: ${part.length} bytes`)
    }
  })

  check('a reader may stop before the end', async ({ artifacts }) => {
    const bytes = bytesOf(2_000_000)
    await artifacts.keep(sha256(bytes), { chunks: [bytes] })
    for await (const piece of artifacts.read(sha256(bytes))) {
      assert.ok(piece.equals(bytes.subarray(0, piece.length)))
      break
    }
  })

  check('a file is renewed if it has the size that was named', async ({ artifacts, keptAt, names }) => {
    const [digest = '', other = ''] = await keepAll(artifacts, 'renewed', 'old')
    await keptAt(digest, LONG_AGO)
    await keptAt(other, LONG_AGO)
    assert.equal(await artifacts.renew(digest, 8), false)
    assert.equal(await artifacts.renew(digest, 7), true)
    assert.equal(await artifacts.renew(sha256('missing'), 7), false)
    artifacts.addNamer(async () => new Set())
    assert.equal(await artifacts.sweep(SOON), 1)
    assert.deepEqual(await names(), [digest])
  })

  check('the sweep removes old files that no namer needs', async ({ artifacts, keptAt, names }) => {
    const [named = '', old = '', young = '', ahead = ''] = await keepAll(artifacts, 'named', 'old', 'young', 'ahead')
    await keptAt(named, LONG_AGO)
    await keptAt(old, LONG_AGO)
    await keptAt(young, SOON)
    await keptAt(ahead, 4 * SOON)
    assert.equal(await artifacts.sweep(SOON, 3 * SOON), 0, 'without a namer nothing is removed')
    artifacts.addNamer(async (digests) => new Set(digests.filter((digest) => digest === named)))
    artifacts.addNamer(async () => new Set())
    assert.equal(await artifacts.sweep(SOON, 3 * SOON), 2)
    assert.deepEqual((await names()).sort(), [named, young].sort(), 'one was kept before the clock was set back')
    assert.equal(await artifacts.sweep(SOON, 3 * SOON), 0)
  })

  check('a file that is kept or renewed while the sweep asks is not removed', async ({ artifacts, keptAt, names }) => {
    const [kept = '', renewed = '', old = ''] = await keepAll(artifacts, 'kept', 'renewed', 'old')
    for (const digest of [kept, renewed, old]) await keptAt(digest, LONG_AGO)
    artifacts.addNamer(async () => {
      await keepAll(artifacts, 'kept')
      assert.equal(await artifacts.renew(renewed, 7), true)
      return new Set()
    })
    assert.equal(await artifacts.sweep(SOON), 1)
    assert.deepEqual((await names()).sort(), [kept, renewed].sort())
  })

  check('a file that is kept while it is removed is there afterwards', async ({ artifacts, keptAt, names }) => {
    const [digest = ''] = await keepAll(artifacts, 'again')
    let ask = () => {}
    artifacts.addNamer(async () => {
      ask()
      return new Set()
    })
    for (let turns = 0; turns < 8; turns++) {
      await keptAt(digest, LONG_AGO)
      const asked = new Promise<void>((resolve) => (ask = resolve))
      const sweep = artifacts.sweep(SOON)
      await asked
      // After the answers of the namers, a few turns into the removal.
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await keepAll(artifacts, 'again')
      await sweep
      assert.deepEqual(await names(), [digest], `${turns} turns`)
      assert.equal((await collect(artifacts.read(digest))).toString(), 'again')
    }
  })
}

/** A store that refuses says so, and nothing half is left in it. */
export function refusingSuite(name: string, open: RefusingFactory, skip: string | false = false): void {
  test(`${name}: bytes that the store refuses are not there, and their file stays`, { skip }, async (t) => {
    const { artifacts, names, codes } = await open(t)
    const bytes = bytesOf(200_000)
    const isExpected = (error: unknown) => codes.includes((error as { code: string }).code)
    await assert.rejects(artifacts.keep(sha256(bytes), { chunks: [bytes] }), isExpected)
    assert.deepEqual(await names(), [])
    const file = join(temporaryFolder(t), 'spilled')
    writeFileSync(file, bytes)
    await assert.rejects(artifacts.keep(sha256(bytes), { file }))
    assert.deepEqual([await names(), existsSync(file)], [[], true])
  })
}
