// Artifacts as objects of a bucket. The bytes are put first and their row second, so a crash leaves an object without a row, never a row
// without bytes. Equal names have equal bytes: a second write is harmless, and no request needs a condition, which some stores refuse (0030).
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { ArtifactNamer, ArtifactSource, Artifacts } from '../artifact.ts'
import type { Bucket, UploadedPart } from './bucket.ts'
import { createBuffers, type OpenSource, openSource } from './pieces.ts'
import { failureOf, type RetryLimits, repeatedly, statusOf, storeReasonOf, USUAL_RETRIES } from './retry.ts'

export type ArtifactRow = {
  readonly digest: string
  readonly bytes: number
  /** Epoch milliseconds until which no namer has to name it. */
  readonly keptUntil: number
  /** The sweep has decided to remove the object; a crash may have come between. */
  readonly isLeaving: boolean
}
/** The table of artifacts of one cell. A change is durable when it resolves. */
export type ArtifactRows = {
  readonly find: (digest: string) => Promise<ArtifactRow | null>
  /** Adds the row, or replaces the one with this digest. */
  readonly put: (row: ArtifactRow) => Promise<void>
  readonly remove: (digest: string) => Promise<void>
  /** Rows that are leaving, and those with `keptUntil` before `from` or after `to`; at most `limit`. */
  readonly beyond: (from: number, to: number, limit: number) => Promise<readonly ArtifactRow[]>
  /** Those of `digests` that have a row. */
  readonly among: (digests: readonly string[]) => Promise<ReadonlySet<string>>
}
export type S3ArtifactsDeps = {
  readonly bucket: Bucket
  readonly rows: ArtifactRows
  /** The first part of each key; several cells may share a bucket. */
  readonly cell: string
  /** Address of the bucket for people, without credentials. */
  readonly place: string
  readonly clock: Clock
  readonly random: Random
  readonly limits?: RetryLimits
}

const MIB = 1024 * 1024
/** Larger bytes are sent in parts of this size, of which this many are in memory and on their way, for all callers together. */
export const PART_BYTES = 16 * MIB
const PARTS_AT_ONCE = 4
/** Bytes that need no turn among the large ones. */
const SMALL_BYTES = MIB
const KEPT_MS = 3600_000
const ASKED_AT_ONCE = 1_000
/** Older objects without a row are of a keeper that was interrupted. */
const ORPHAN_MS = 24 * 3600_000
const DIGEST = /^[0-9a-f]{64}$/
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

// Long factory: keepers, the sweep and removals share what is arriving and what is leaving.
export function createS3Artifacts({ bucket, rows, cell, place, clock, random, limits = USUAL_RETRIES }: S3ArtifactsDeps): Artifacts {
  const namers: ArtifactNamer[] = []
  const buffers = createBuffers(PARTS_AT_ONCE, PART_BYTES)
  // As in the folder: a digest that arrives is not removed, and waits for a removal under way.
  const arriving: string[] = []
  const renewing: string[] = []
  const removing = new Map<string, Promise<void>>()
  let keptMeanwhile: Set<string> | null = null
  let orphanPrefix = 0

  const retried = <T>(request: () => Promise<T>) => repeatedly(request, { clock, random, limits })
  function keyOf(digest: string): string {
    if (!DIGEST.test(digest)) throw new Error(`${JSON.stringify(digest.slice(0, 100))} is not the name of an artifact.`)
    return `${cell}/${digest.slice(0, 2)}/${digest}`
  }
  /** Sends a request to the store. Rejects with a Failure for an error of the store; any other error is thrown unchanged. */
  const storing = <T>(request: () => Promise<T>): Promise<T> =>
    retried(request).catch((error: unknown) => {
      throw failureOf(error, 'keep a file')
    })
  const mismatch = (digest: string) => new Failure('DIGEST_MISMATCH', `The bytes are not those of ${digest}.`)

  async function putWhole(digest: string, source: OpenSource, buffer: Buffer): Promise<void> {
    const bytes = await source.fill(buffer)
    if (bytes.length !== source.size || sha256Of(bytes) !== digest) throw mismatch(digest)
    await storing(() => bucket.put(keyOf(digest), bytes, digest))
  }

  async function putParts(digest: string, source: OpenSource): Promise<void> {
    const key = keyOf(digest)
    const upload = await storing(() => bucket.begin(key))
    const sending = new Set<Promise<void>>()
    const parts: UploadedPart[] = []
    let problem: { readonly error: unknown } | null = null
    const send = async (number: number, bytes: Buffer, buffer: Buffer) => {
      try {
        parts.push(await storing(() => bucket.putPart(key, upload, number, bytes, sha256Of(bytes))))
      } catch (error) {
        problem ??= { error }
      } finally {
        buffers.give(buffer)
      }
    }
    try {
      const hash = createHash('sha256')
      for (let number = 1, sent = 0; sent < source.size && !problem; number++) {
        const buffer = await buffers.take()
        const bytes = await source.fill(buffer).catch((error: unknown) => {
          buffers.give(buffer)
          throw error
        })
        if (bytes.length === 0) {
          buffers.give(buffer)
          throw mismatch(digest)
        }
        hash.update(bytes)
        sent += bytes.length
        const part = send(number, bytes, buffer).finally(() => sending.delete(part))
        sending.add(part)
      }
      await Promise.all(sending)
      if (problem) throw (problem as { error: unknown }).error
      if (hash.digest('hex') !== digest) throw mismatch(digest)
      parts.sort((one, other) => one.number - other.number)
      await storing(async () => {
        try {
          await bucket.complete(key, upload, parts)
        } catch (error) {
          // A repeated request after a lost answer: the upload has become the object.
          if (statusOf(error) !== 404 || (await bucket.sizeOf(key)) !== source.size) throw error
        }
      })
    } catch (error) {
      await Promise.all(sending)
      // Where this fails too, a rule of the bucket ends uploads that were begun a day ago.
      await bucket.abort(key, upload).catch(() => {})
      throw error
    }
  }

  async function put(digest: string, source: ArtifactSource): Promise<number> {
    keyOf(digest) // throws before anything is read
    const opened = await openSource(source)
    try {
      if (opened.size > PART_BYTES) await putParts(digest, opened)
      else if (opened.size <= SMALL_BYTES) await putWhole(digest, opened, Buffer.allocUnsafe(opened.size))
      else {
        const buffer = await buffers.take()
        await putWhole(digest, opened, buffer).finally(() => buffers.give(buffer))
      }
      return opened.size
    } finally {
      await opened.close()
    }
  }

  /** Goes on behind the last byte when the connection breaks. Whole bytes are compared with the digest. */
  async function* read(digest: string, from: number, to: number): AsyncGenerator<Buffer> {
    const key = keyOf(digest)
    const hash = from === 0 && to === Number.POSITIVE_INFINITY ? createHash('sha256') : null
    let at = from
    let breaks = 0
    for (;;) {
      let body: Awaited<ReturnType<Bucket['get']>>
      try {
        body = await retried(() => bucket.get(key, at, to))
      } catch (error) {
        // Behind the last byte.
        if (statusOf(error) === 416) break
        if (statusOf(error) === 404 && storeReasonOf(error) !== 'NoSuchBucket')
          throw Object.assign(new Error(`There is no artifact ${digest}.`, { cause: error }), { code: 'ENOENT' })
        throw failureOf(error, 'return a file')
      }
      const before = at
      try {
        for await (const bytes of body as AsyncIterable<Buffer>) {
          at += bytes.length
          hash?.update(bytes)
          yield bytes
        }
        break
      } catch (error) {
        breaks = at > before ? 0 : breaks + 1
        if (breaks >= limits.attempts) throw failureOf(error, 'return a whole file')
      } finally {
        body.destroy()
      }
    }
    if (hash && hash.digest('hex') !== digest)
      throw new Failure('DIGEST_MISMATCH', `The store returned other bytes than those of ${digest}.`, {
        hint: 'The object was changed in the bucket. Restore it, or make the result again.',
      })
  }

  /** `row`: marked before its object goes. A caller that keeps the digest waits from now on, before anything is sent. */
  async function removeObject(digest: string, row: ArtifactRow | null = null): Promise<void> {
    const removal = (async () => {
      if (row && !row.isLeaving) await rows.put({ ...row, isLeaving: true })
      await retried(() => bucket.remove(keyOf(digest))).catch((error: unknown) => {
        throw failureOf(error, 'remove a file')
      })
      await rows.remove(digest)
    })()
    // A caller that keeps it again waits, and need not fail because the removal did.
    removing.set(
      digest,
      removal.catch(() => {}),
    )
    await removal.finally(() => removing.delete(digest))
  }

  async function isFree(digests: readonly string[]): Promise<(digest: string) => boolean> {
    const needed = await Promise.all(namers.map((namer) => namer(digests)))
    return (digest) => !needed.some((set) => set.has(digest)) && !keptMeanwhile?.has(digest)
  }

  /** Objects that a crash left without a row; one of 256 prefixes each time. */
  async function sweepOrphans(): Promise<number> {
    const prefix = `${cell}/${(orphanPrefix++ % 256).toString(16).padStart(2, '0')}/`
    let removed = 0
    for (let after = ''; ; ) {
      const page = await retried(() => bucket.list(prefix, after))
      const old = page.flatMap(({ key, changedAt }) => {
        const digest = key.slice(prefix.length)
        return DIGEST.test(digest) && changedAt < clock.now() - ORPHAN_MS ? [digest] : []
      })
      const known = old.length === 0 ? new Set<string>() : await rows.among(old)
      const free = await isFree(old.filter((digest) => !known.has(digest)))
      for (const digest of old) {
        if (known.has(digest) || !free(digest)) continue
        await removeObject(digest)
        removed++
      }
      if (page.length < ASKED_AT_ONCE) return removed
      after = page.at(-1)!.key
    }
  }

  return {
    addressOf: (digest) => `${place}/${keyOf(digest)}`,
    async keep(digest, source) {
      arriving.push(digest)
      keptMeanwhile?.add(digest)
      try {
        await removing.get(digest)
        const bytes = await put(digest, source)
        await rows.put({ digest, bytes, keptUntil: clock.now() + KEPT_MS, isLeaving: false })
        if ('file' in source) await rm(source.file, { force: true })
      } finally {
        arriving.splice(arriving.indexOf(digest), 1)
      }
    },
    async renew(digest, bytes) {
      if (arriving.includes(digest)) return false
      keptMeanwhile?.add(digest)
      renewing.push(digest)
      try {
        await removing.get(digest)
        const row = await rows.find(digest)
        // The object of one that is leaving may be gone.
        if (!row || row.isLeaving) return false
        await rows.put({ ...row, keptUntil: clock.now() + KEPT_MS })
        return row.bytes === bytes
      } finally {
        renewing.splice(renewing.indexOf(digest), 1)
      }
    },
    read: (digest, from = 0, to = Number.POSITIVE_INFINITY) => read(digest, from, to),
    remove: (digest) => removeObject(digest),
    addNamer: (namer) => void namers.push(namer),
    async sweep(from, to = Number.POSITIVE_INFINITY) {
      if (namers.length === 0) return 0
      keptMeanwhile = new Set([...arriving, ...renewing])
      let removed = 0
      try {
        for (const seen = new Set<string>(); ; ) {
          const old = await rows.beyond(from + KEPT_MS, to + KEPT_MS, ASKED_AT_ONCE + seen.size)
          const unseen = old.filter(({ digest }) => !seen.has(digest)).slice(0, ASKED_AT_ONCE)
          if (unseen.length === 0) break
          const free = await isFree(unseen.map(({ digest }) => digest))
          for (const row of unseen) {
            seen.add(row.digest)
            if (!free(row.digest)) continue
            await removeObject(row.digest, row)
            removed++
          }
        }
        return removed + (await sweepOrphans())
      } catch (error) {
        throw failureOf(error, 'list its files')
      } finally {
        keptMeanwhile = null
      }
    },
  }
}
