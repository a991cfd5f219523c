// The fetch function below the `openai` package: does not follow redirects, limits the response, and passes on only the headers that a
// call needs. The package adds others that describe this machine or come from the environment.

/** A response is longer than allowed. */
export class ResponseTooLarge extends Error {}

const PASSED_ON = ['accept', 'authorization', 'content-type']

export function createGuardedFetch({ maxBytes, userAgent }: { readonly maxBytes: number; readonly userAgent: string }): typeof fetch {
  return async (input, init) => {
    const given = new Headers(init?.headers)
    // A server may close a connection that was kept at the moment when the next call uses it, and calls are not repeated.
    const headers = new Headers({ 'user-agent': userAgent, connection: 'close' })
    for (const name of PASSED_ON) if (given.has(name)) headers.set(name, given.get(name)!)
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    const { status, statusText } = response
    if (response.body === null) return response
    return new Response(response.body.pipeThrough(limited(maxBytes)), { status, statusText, headers: response.headers })
  }
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
