// A service that answers requests with JSON, such as a language model or a translator.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ending } from '../world/process.ts'

/** `answer` receives the body and the Authorization header of each request. Resolves with the address of the service. */
export async function playService(
  t: Ending,
  answer: (body: any, response: ServerResponse, authorization: string) => void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    answer(JSON.parse(Buffer.concat(parts).toString()), response, request.headers.authorization ?? '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const sendJson = (response: ServerResponse, value: unknown): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(value))

/** Answers as a language model of the OpenAI interface does. */
export const sendChat = (response: ServerResponse, value: unknown): void =>
  sendJson(response, { model: 'm', choices: [{ message: { role: 'assistant', content: JSON.stringify(value) } }] })
