// One HTTP request to a provider of language models: no redirects, so that a key stays with the server it belongs to, no headers about this
// machine, and a limited response.

/** A response is longer than allowed. */
export class ResponseTooLarge extends Error {}

export type Sent = { readonly method: 'GET' | 'POST'; readonly apiKey: string | null; readonly body?: object }
/** `text`: '' for a status outside 2xx. */
export type Received = { readonly status: number; readonly retryAfter: string | null; readonly text: string }

const RESPONSE_BYTES = 8 * 1024 * 1024

/** Rejects with ResponseTooLarge, the reason of `signal`, or the TypeError of fetch when the connection fails or ends early. */
export async function requestText(
  url: string,
  { method, apiKey, body }: Sent,
  { userAgent, signal }: { readonly userAgent: string; readonly signal: AbortSignal },
): Promise<Received> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      // A server may close a connection that was kept at the moment when the next call uses it, and calls are not repeated.
      connection: 'close',
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  // Only the status counts, and the text of a provider is never shown: a body that does not end must not hide it.
  if (!response.ok) {
    await response.body?.cancel().catch(() => {})
    return { status, retryAfter: headers.get('retry-after'), text: '' }
  }
  const text = response.body === null ? '' : await new Response(response.body.pipeThrough(limited(RESPONSE_BYTES))).text()
  return { status, retryAfter: headers.get('retry-after'), text }
}

function limited(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(piece, controller) {
      size += piece.length
      if (size > maxBytes) throw new ResponseTooLarge(`The response is longer than ${maxBytes} bytes.`)
      controller.enqueue(piece)
    },
  })
}
