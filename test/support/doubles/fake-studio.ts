// A fake studio on a free port: answers by method and path, and records the requests.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { type Ended, studio } from '../world/cli.ts'

/** A value is sent as JSON with 200, a `refusal` with its status, a string unchanged. */
export type Answers = Readonly<Record<string, unknown>>
export const refusal = (status: number, body: object) => ({ refusalStatus: status, body })

export async function openFakeStudio(t: TestContext, answers: Answers) {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const key = `${request.method} ${request.url}`
    const body = await text(request)
    requests.push(body ? `${key} ${body}` : key)
    const answer = answers[key] as { refusalStatus?: number; body?: object } | string | undefined
    if (answer === undefined) return response.writeHead(404).end('{"detail":"Not Found"}')
    if (typeof answer === 'string') return response.writeHead(200).end(answer)
    response.writeHead(answer.refusalStatus ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.refusalStatus ? answer.body : answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port), STUDIO_API_KEY: '' }
  return { requests, env, run: (...args: string[]): Promise<Ended> => studio(args, { env }) }
}
