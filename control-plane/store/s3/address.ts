// The address of a bucket, and the credentials for it, as an operator gives them.
import { readFileSync } from 'node:fs'
import { Failure } from '#shared/protocol/failure.ts'

export type BucketAddress = {
  /** Null for the service of Amazon in `region`. */
  readonly endpoint: string | null
  readonly bucket: string
  readonly region: string
}
export type BucketCredentials = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,40}$/
const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]']
const CREDENTIALS_BYTES = 8_192

/**
 * `s3://BUCKET?region=REGION` for Amazon, `https://HOST/BUCKET` for other services; `http:` on this machine only. Throws BAD_REQUEST with the
 * reason. Credentials do not belong into an address, which is shown and logged.
 */
export function parseBucketAddress(text: string): BucketAddress {
  const refused = (reason: string) => new Failure('BAD_REQUEST', `The address of the bucket ${reason}.`)
  if (text.length > 500 || !URL.canParse(text)) throw refused('is not a URL such as https://storage.example.com/bucket')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refused('contains credentials. Put them into a file')
  const isAmazon = url.protocol === 's3:'
  const isPlain = url.protocol === 'http:'
  if (!isAmazon && !isPlain && url.protocol !== 'https:') throw refused('does not begin with https: or s3:')
  if (isPlain && !THIS_MACHINE.includes(url.hostname)) throw refused('must begin with https:, because other machines can read http:')
  const bucket = isAmazon ? url.hostname : url.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (!BUCKET.test(bucket)) throw refused('has no valid name of a bucket')
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!REGION.test(region)) throw refused('has no valid region')
  return { endpoint: isAmazon ? null : url.origin, bucket, region }
}

/** Lines of a mounted file: id of the key, secret, and for temporary ones the token. Throws AUTH_FAILED without the text of the file. */
export function readBucketCredentials(path: string): BucketCredentials {
  const refused = (reason: string) =>
    new Failure('AUTH_FAILED', `The file of credentials ${path} ${reason}.`, {
      hint: 'The first line is the id of the access key, the second one its secret.',
    })
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw refused(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  if (text.length > CREDENTIALS_BYTES) throw refused('is too long')
  const [accessKeyId, secretAccessKey, sessionToken, ...more] = text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  if (!accessKeyId || !secretAccessKey || more.length > 0) throw refused('does not have two or three lines')
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}
