// Checks whether the model server responds. Every status counts, because a mirror need not serve its front page.
import { request as tlsRequest } from 'node:https'
import { request as plainRequest } from '#shared/runtime/builtin/http.ts'

/** Never rejects. Sends no token. */
export const reaches = (address: string, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const url = new URL(address)
    const call = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, {
      method: 'HEAD',
      headers: { connection: 'close' }, // an agent without keep-alive would not use the proxy
      signal: AbortSignal.timeout(timeoutMs),
    })
    call.once('response', (answer) => {
      answer.destroy()
      resolve(true)
    })
    call.on('error', () => resolve(false))
    // The only event of a server that switches to another protocol.
    call.once('close', () => resolve(false))
    call.end()
  })
