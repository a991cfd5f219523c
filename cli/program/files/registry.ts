// The packages of the newest release: the registry has their bytes, and the release the list of their digests, which its key has signed. Without a
// valid signature nothing of the registry is read.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { isRelease } from '#shared/protocol/version.ts'
import { MAX_SUMS_BYTES, MAX_TARBALL_BYTES, type Packages, SUMS, sumsOf, tarballName } from './packages.ts'

/** Addresses of the releases, and their key. */
export type ReleaseSource = {
  /** Address of the package registry, without a slash at its end. */
  readonly registry: string
  /** Address of a folder for each version, with `SHA256SUMS` and `SHA256SUMS.sig`. */
  readonly files: string
  /** The public Ed25519 key of the releases in PEM. */
  readonly key: string
  /** Milliseconds for a step of an answer. */
  readonly patienceMs?: number
}

const MAX_TAGS_BYTES = 8 * 1024
const SIGNATURE_BYTES = 64
/** At least so many bytes, or the rest of the answer, come in this time: an answer that trickles would hold the lock for weeks. */
const STEP_BYTES = 64 * 1024
const STEP_MS = 60_000
const USER_AGENT = 'voice-studio'
const Tags = z.object({ latest: z.string().max(64).refine(isRelease) })

/** Throws REMOTE_SERVICE_FAILED if the addresses cannot be reached, DIGEST_MISMATCH without a valid signature, and NOT_FOUND if the release lacks the program. */
export async function releasePackages(source: ReleaseSource, name: string, signal: AbortSignal): Promise<Packages> {
  const { registry, files, key, patienceMs = STEP_MS } = source
  const get = (url: string, most: number, redirect: 'error' | 'follow' = 'error') => read(url, most, { redirect, patienceMs, signal })
  const version = latestIn(await get(`${registry}/-/package/${name}/dist-tags`, MAX_TAGS_BYTES))
  // A release may keep its files behind a redirect; their signature is what counts.
  const list = await get(`${files}/${version}/${SUMS}`, MAX_SUMS_BYTES, 'follow')
  const signature = await get(`${files}/${version}/${SUMS}.sig`, SIGNATURE_BYTES, 'follow')
  if (!verify(null, list, createPublicKey(key), signature))
    throw new Failure(
      'DIGEST_MISMATCH',
      `The list of digests of version ${version} is not signed by the key of the releases. Nothing was installed.`,
    )
  const sums = sumsOf(list.toString('utf8'))
  // The list of an older release, which is signed as well, does not name this version.
  if (!sums.has(tarballName(name, version)))
    throw new Failure('NOT_FOUND', `The signed list of version ${version} does not name ${tarballName(name, version)}.`)
  return {
    version,
    place: registry,
    async fetch(wanted, its) {
      const file = tarballName(wanted, its)
      const sum = sums.get(file)
      if (sum === undefined) return null
      const bytes = await get(`${registry}/${wanted}/-/${wanted.split('/').at(-1)}-${its}.tgz`, MAX_TARBALL_BYTES)
      if (createHash('sha256').update(bytes).digest('hex') !== sum)
        throw new Failure(
          'DIGEST_MISMATCH',
          `${file} of ${registry} is not the file of the release: its digest differs. Nothing was installed.`,
        )
      return bytes
    },
  }
}

function latestIn(bytes: Buffer): string {
  try {
    return Tags.parse(parseJson(bytes, { bytes: MAX_TAGS_BYTES })).latest
  } catch (cause) {
    throw new Failure('REMOTE_SERVICE_FAILED', 'The package registry does not say which version is the newest.', { cause })
  }
}

type Reading = { readonly redirect: 'error' | 'follow'; readonly patienceMs: number; readonly signal: AbortSignal }
/** The bytes at an address, `most` at most. */
async function read(url: string, most: number, { redirect, patienceMs, signal }: Reading): Promise<Buffer> {
  const still = new AbortController()
  const limit = AbortSignal.any([signal, still.signal])
  const wait = () => setTimeout(() => still.abort(new Error(`less than ${STEP_BYTES} bytes came in ${patienceMs / 1000} s`)), patienceMs)
  let timer = wait()
  try {
    const response = await fetch(url, { headers: { 'user-agent': USER_AGENT }, credentials: 'omit', redirect, signal: limit })
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    const pieces: Uint8Array[] = []
    let bytes = 0
    let step = 0
    for await (const piece of response.body) {
      bytes += piece.length
      if (bytes - step >= STEP_BYTES) {
        step = bytes
        clearTimeout(timer)
        timer = wait()
      }
      if (bytes > most) throw new Error(`more than ${most} bytes`)
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } catch (cause) {
    signal.throwIfAborted()
    const inner = (cause as Error).cause
    const why = inner instanceof Error ? inner.message : (cause as Error).message
    throw new Failure(
      'REMOTE_SERVICE_FAILED',
      `${url} could not be read: ${why.replace(/\.$/, '')}. Try again later, or name a folder with --from.`,
      {
        cause,
      },
    )
  } finally {
    clearTimeout(timer)
    still.abort()
  }
}
