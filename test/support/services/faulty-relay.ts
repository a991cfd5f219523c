// A relay before an HTTP server that fails as a test says: an answer of its own, silence, or a connection that is cut.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/**
 * A number is the status of the answer, without asking the server. `lost`: the server is asked, and its answer is lost. `cut`: the connection
 * breaks in the middle of the answer. `silent`: no answer.
 */
export type HttpFault = number | 'lost' | 'cut' | 'silent'

export async function openFaultyRelay(t: Pick<TestContext, 'after'>, to: string) {
  const target = new URL(to)
  const faults: { readonly method: string; readonly fault: HttpFault }[] = []
  const seen: string[] = []
  let allFail: HttpFault | null = null
  const server = createServer((incoming, outgoing) => {
    const method = incoming.method ?? ''
    seen.push(`${method} ${incoming.url}`)
    const at = faults.findIndex((one) => one.method === method)
    const fault = at >= 0 ? faults.splice(at, 1)[0]!.fault : allFail
    if (typeof fault === 'number') {
      incoming.resume().once('end', () => outgoing.writeHead(fault).end())
      return
    }
    if (fault === 'silent') return void incoming.resume()
    const onward = request(
      { host: target.hostname, port: target.port, method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        if (fault === 'lost') return void answer.resume().once('end', () => outgoing.destroy())
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        if (fault !== 'cut') return void answer.pipe(outgoing)
        answer.once('data', (bytes: Buffer) => {
          outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy())
          answer.destroy()
        })
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.on('error', () => onward.destroy())
    incoming.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** The next requests with this method fail, one for each. */
    fail: (method: string, ...next: HttpFault[]) => faults.push(...next.map((fault) => ({ method, fault }))),
    failAll: (fault: HttpFault | null) => {
      allFail = fault
    },
  }
}
