// Objects of one bucket: the few requests that artifacts need, over the SDK, which is loaded when a bucket is opened.
import type { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { Clock } from '#shared/runtime/clock.ts'
import type { BucketAddress, BucketCredentials } from './address.ts'

export type UploadedPart = { readonly number: number; readonly tag: string }
export type Bucket = {
  /** `sha256`: of the bytes, in hexadecimal digits. It is signed, and a server that checks signatures refuses other bytes. */
  readonly put: (key: string, bytes: Buffer, sha256: string) => Promise<void>
  /** Bytes from `from`; `to` is the last one. */
  readonly get: (key: string, from: number, to: number) => Promise<Readable>
  /** Null if there is no object. */
  readonly sizeOf: (key: string) => Promise<number | null>
  readonly remove: (key: string) => Promise<void>
  readonly begin: (key: string) => Promise<string>
  readonly putPart: (key: string, upload: string, number: number, bytes: Buffer, sha256: string) => Promise<UploadedPart>
  readonly complete: (key: string, upload: string, parts: readonly UploadedPart[]) => Promise<void>
  readonly abort: (key: string, upload: string) => Promise<void>
  /** The first 1,000 objects whose keys begin with `prefix` and come after `after`, in the order of their keys. */
  readonly list: (prefix: string, after: string) => Promise<readonly { readonly key: string; readonly changedAt: number }[]>
  readonly close: () => void
}
type Options = {
  readonly address: BucketAddress
  /** Asked again every five minutes, so that a mounted file may change. Null: the chain of the SDK, for pods and machines with a role. */
  readonly credentials: (() => BucketCredentials) | null
  readonly clock: Pick<Clock, 'now'>
  /** Milliseconds in which no byte moves. */
  readonly idleMs: number
}

const CONNECT_MS = 5_000
const CREDENTIALS_MS = 5 * 60_000

export async function openBucket({ address, credentials, clock, idleMs }: Options): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3')
  const { bucket: Bucket } = address
  const config: S3ClientConfig = {
    region: address.region,
    ...(address.endpoint !== null && { endpoint: address.endpoint, forcePathStyle: true }),
    ...(credentials && { credentials: async () => ({ ...credentials(), expiration: new Date(clock.now() + CREDENTIALS_MS) }) }),
    // Retries are ours, so that all of them have one bound.
    maxAttempts: 1,
    // The default adds a checksum as a trailer, which other servers than Amazon's refuse. The signed digest covers the same bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: idleMs,
      httpAgent: { keepAlive: true },
      httpsAgent: { keepAlive: true },
    },
  }
  const client = new sdk.S3Client(config)
  /** The digest that is known saves the signer a second pass over the bytes. */
  const signed = <C extends { readonly middlewareStack: { add: (...args: never[]) => void } }>(command: C, sha256: string): C => {
    const add = command.middlewareStack.add as unknown as (
      middleware: (next: (args: object) => unknown) => (args: { request: { headers: Record<string, string> } }) => unknown,
      options: object,
    ) => void
    add.call(
      command.middlewareStack,
      (next) => (args) => {
        args.request.headers['x-amz-content-sha256'] = sha256
        return next(args)
      },
      { step: 'build', name: 'knownDigest' },
    )
    return command
  }

  return {
    async put(Key, Body, sha256) {
      await client.send(signed(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }), sha256))
    },
    async get(Key, from, to) {
      const Range = from === 0 && to === Number.POSITIVE_INFINITY ? undefined : `bytes=${from}-${Number.isFinite(to) ? to : ''}`
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key, ...(Range !== undefined && { Range }) }))
      return Body as Readable
    },
    async sizeOf(Key) {
      try {
        return (await client.send(new sdk.HeadObjectCommand({ Bucket, Key }))).ContentLength ?? null
      } catch (error) {
        if (error instanceof sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return null
        throw error
      }
    },
    async remove(Key) {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
    },
    async begin(Key) {
      return (await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }))).UploadId!
    },
    async putPart(Key, UploadId, number, Body, sha256) {
      const command = new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber: number, Body, ContentLength: Body.length })
      const { ETag } = await client.send(signed(command, sha256))
      return { number, tag: ETag! }
    },
    async complete(Key, UploadId, parts) {
      const Parts = parts.map(({ number, tag }) => ({ PartNumber: number, ETag: tag }))
      await client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
    },
    async abort(Key, UploadId) {
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    },
    async list(Prefix, StartAfter) {
      const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, StartAfter }))
      return Contents.flatMap(({ Key, LastModified }) => (Key === undefined ? [] : [{ key: Key, changedAt: LastModified?.getTime() ?? 0 }]))
    },
    close: () => client.destroy(),
  }
}
