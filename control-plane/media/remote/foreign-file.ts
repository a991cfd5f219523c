// One GET of a media file that a stranger publishes: every redirect and every address is checked, and size and time have limits.
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as safeRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { request as plainRequest } from '#shared/runtime/builtin/http.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { isDiskError } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { createHostAddresses, type ForeignNetwork, fixedLookup, type HostAddresses } from './foreign-network.ts'

export type ForeignFileRequest = {
  readonly url: string
  /** The file that is written. It may be incomplete after a failure. */
  readonly to: string
  readonly network: ForeignNetwork
  readonly mostBytes: number
  /** Time limit for the whole file. */
  readonly limitMs: number
  /** Receives the bytes so far, and of the whole file; null when the server does not say. */
  readonly progress: (bytes: number, whole: number | null) => void
}
const REDIRECTS = 5
/** Between two pieces. */
const SILENCE_MS = 60_000
const refusal = (message: string, cause?: unknown) => new Failure('DOWNLOAD_REFUSED', message, { cause })

/**
 * Resolves with the address that the file came from after redirects. Throws DOWNLOAD_REFUSED, STORAGE_FULL for more than `mostBytes`, disk errors, and
 * the reason of the signal.
 */
export async function fetchForeignFile(wanted: ForeignFileRequest, clock: Clock, signal: AbortSignal): Promise<string> {
  const { url: address, to, network, mostBytes, limitMs, progress } = wanted
  const late = new AbortController()
  const end = (message: string) => () => late.abort(refusal(message))
  const forget = clock.after(limitMs, end(`The file did not arrive within ${Math.round(limitMs / 1000)} seconds.`))
  const watch = () => clock.after(SILENCE_MS, end(`The server sent nothing for ${SILENCE_MS / 1000} seconds.`))
  let forgetSilence = watch()
  const either = AbortSignal.any([signal, late.signal])
  try {
    const { answer, url } = await answerOf(address, createHostAddresses(network), either)
    const announced = Number(answer.headers['content-length'])
    const whole = Number.isSafeInteger(announced) && announced > 0 ? announced : null
    if (whole !== null && whole > mostBytes) throw tooLarge(mostBytes)
    let bytes = 0
    const counted = async function* () {
      for await (const piece of answer as AsyncIterable<Buffer>) {
        forgetSilence()
        forgetSilence = watch()
        bytes += piece.length
        if (bytes > mostBytes) throw tooLarge(mostBytes)
        progress(bytes, whole)
        yield piece
      }
    }
    await pipeline(counted, createWriteStream(to, { mode: 0o600, flush: true }), { signal: either })
    return url
  } catch (error) {
    signal.throwIfAborted()
    late.signal.throwIfAborted()
    if (error instanceof Failure || isDiskError(error)) throw error
    throw refusal('The file could not be fetched: the connection broke off.', error)
  } finally {
    forget()
    forgetSilence()
  }
}

async function answerOf(address: string, addressesOf: HostAddresses, signal: AbortSignal) {
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    const answer = await open(url, addressesOf, signal)
    const { statusCode: status = 0, headers } = answer
    if (status === 200) {
      if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw refused(answer, 'The server sent a compressed file.')
      if (headers['content-type']?.startsWith('text/html')) throw refused(answer, 'The address is a page and no media file.')
      return { answer, url: url.href }
    }
    if (status < 300 || status >= 400) throw refused(answer, `${url.hostname} answered with status ${status}.`)
    const next = URL.parse(headers.location ?? '', url.href)
    if (next === null || !['http:', 'https:'].includes(next.protocol))
      throw refused(answer, 'The server redirected to an unusable address.')
    if (redirects >= REDIRECTS) throw refused(answer, `The server redirected more than ${REDIRECTS} times.`)
    answer.destroy()
    url = next
  }
}

const refused = (answer: IncomingMessage, message: string): Failure => {
  answer.destroy()
  return refusal(message)
}

async function open(url: URL, addressesOf: HostAddresses, signal: AbortSignal): Promise<IncomingMessage> {
  const lookup = fixedLookup(await addressesOf(url.hostname))
  signal.throwIfAborted()
  const request = url.protocol === 'https:' ? safeRequest : plainRequest
  return await new Promise((resolve, reject) => {
    const headers = { 'user-agent': 'voice-studio', 'accept-encoding': 'identity', connection: 'close' }
    const call = request(url, { headers, agent: false, lookup, signal }, resolve)
    call.once('error', (cause) => reject(refusal(`${url.hostname} did not answer: ${cause.message}.`, cause)))
    // The only event of a server that switches to another protocol: Node closes the connection.
    call.once('close', () => reject(refusal(`${url.hostname} did not answer: it closed the connection.`)))
    call.end()
  })
}

const tooLarge = (mostBytes: number) =>
  new Failure('STORAGE_FULL', `The file is larger than the ${shortBytes(mostBytes)} that may be used for it.`)
