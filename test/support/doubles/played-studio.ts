// A stand-in for the studio on a port of its own: answers by method and path, keeps what it was asked.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { type Ended, studio } from '../world/cli.ts'

/** A value is answered as JSON with 200; `refused` with its status; a string as it is. */
export type Answers = Readonly<Record<string, unknown>>
export const refused = (status: number, body: object) => ({ refusedWith: status, body })

export async function playStudio(t: TestContext, answers: Answers) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const key = `${request.method} ${request.url}`
    const body = await text(request)
    asked.push(body ? `${key} ${body}` : key)
    const answer = answers[key] as { refusedWith?: number; body?: object } | string | undefined
    if (answer === undefined) return response.writeHead(404).end('{"detail":"Not Found"}')
    if (typeof answer === 'string') return response.writeHead(200).end(answer)
    response.writeHead(answer.refusedWith ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.refusedWith ? answer.body : answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port), STUDIO_API_KEY: '' }
  return { asked, run: (...args: string[]): Promise<Ended> => studio(args, { env }) }
}
