// Requests to the provider of identities, whose answers are foreign: limited in size and time, over TLS, and without redirects.
/** The parts of a request that openid-client sends. */
type Sent = {
  readonly body?: unknown
  readonly headers: Record<string, string>
  readonly method: string
  readonly signal?: AbortSignal | undefined
}

/** The reason why a provider gave no identity; the sign-in page has a sentence for each, and the log has the text. */
export class ProviderProblem extends Error {
  readonly reason: 'unreachable' | 'failed'
  constructor(reason: 'unreachable' | 'failed', message: string) {
    super(message)
    this.reason = reason
  }
}

export const TIMEOUT_MS = 10_000
const ANSWER_BYTES = 1024 * 1024

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/
export const isLoopbackUrl = ({ hostname }: URL): boolean => LOOPBACK.test(hostname)
/** True for https, and for http on this machine. */
export const isSafeUrl = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url))
/** True for an endpoint that a provider may name: over TLS, or, for a provider on this machine without TLS, on this machine. */
export const isEndpoint = (text: string, issuer: string): boolean => {
  const [url, from] = [URL.parse(text), URL.parse(issuer)]
  if (url === null || from === null) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url) && from.protocol === 'http:' && isLoopbackUrl(from))
}

async function bytesOf({ body }: Response, host: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    size += piece.length
    // Leaving the loop ends the connection.
    if (size > ANSWER_BYTES) throw new ProviderProblem('failed', `${host} answered with more than ${ANSWER_BYTES} bytes`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/** Throws a ProviderProblem for everything that is no answer. */
export const boundedFetch =
  (issuer: string) =>
  async (address: string, { body, headers, method, signal }: Sent): Promise<Response> => {
    const host = URL.parse(address)?.host ?? 'the provider'
    if (!isEndpoint(address, issuer)) throw new ProviderProblem('failed', `the provider names an address without TLS: ${host}`)
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const response = await fetch(address, {
        ...{ method, headers, redirect: 'manual', signal: signal ? AbortSignal.any([signal, limit]) : limit },
        ...(body !== undefined && { body: body as string | URLSearchParams | null }),
      })
      const bytes = await bytesOf(response, host)
      return new Response(response.status === 204 || response.status === 304 ? null : bytes, response)
    } catch (error) {
      if (error instanceof ProviderProblem) throw error
      const { name, cause } = error as Error
      const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? name
      throw new ProviderProblem('unreachable', `${host} gave no answer: ${code}`)
    }
  }
