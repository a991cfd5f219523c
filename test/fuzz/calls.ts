// Calls with arbitrary bytes over real connections: to the agent's server and the studio's enrolment server from an authorised client, and
// from a hostile agent to the studio's client.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import tls from 'node:tls'
import fc from 'fast-check'
import { createStudioLinks } from '#shared/link/client/studio-links.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import { UNPROVEN } from '#shared/link/port/unproven.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { CommitMessage, ConsentMessage, DescriptionMessage, DrainMessage, SnapshotMessage } from '#shared/protocol/messages.ts'
import { HeaderMessage } from '#shared/protocol/run-messages.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { sharedCertificates } from '../support/doubles/link-certificates.ts'
import { createFakeAgent, openPair } from '../support/doubles/link-pair.ts'
import { subjects } from './messages.ts'
import { damages, mutate } from './mutate.ts'
import { INPUT_LIMIT_MS, play } from './seed.ts'

/** One gRPC message; `lie` falsifies its length prefix. */
const framed = (bytes: Buffer, lie: number): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt8(lie === 1 ? 1 : 0)
  head.writeUInt32BE(lie === 2 ? 0xffff_ffff : lie === 3 ? bytes.length + 7 : bytes.length, 1)
  return Buffer.concat([head, bytes])
}
const INPUT = fc.record({
  /** Falsification of the length prefix, usually none. */
  lie: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
  list: damages,
})

async function openSession(t: TestContext, connect: () => tls.TLSSocket): Promise<() => Promise<http2.ClientHttp2Session>> {
  let session: http2.ClientHttp2Session | null = null
  t.after(() => session?.destroy())
  return async () => {
    if (session && !session.closed && !session.destroyed) return session
    const socket = connect().on('error', () => {})
    await once(socket, 'secureConnect')
    session = http2.connect('https://peer', { createConnection: () => socket }).on('error', () => {})
    return session
  }
}

/** The end of one call: its gRPC status, or how it was cut. */
async function ask(session: http2.ClientHttp2Session, path: string, body: Buffer): Promise<string> {
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' })
  let status = 'cut'
  const note = (headers: http2.IncomingHttpHeaders) => {
    if (headers['grpc-status'] !== undefined) status = String(headers['grpc-status'])
  }
  stream.on('response', note).on('trailers', note)
  stream.on('error', () => {}).resume()
  stream.end(body)
  // A watch does not end by itself, and an incomplete frame keeps the server waiting.
  const over = clock.after(200, () => stream.close(http2.constants.NGHTTP2_CANCEL))
  if (!stream.closed) await once(stream, 'close')
  over()
  return status
}

export async function callsToTheAgent(t: TestContext, runs: number): Promise<void> {
  const { studio } = await sharedCertificates()
  // Parses its input like the real service and does nothing else.
  const service = createFakeAgent({
    run: async (call) => {
      parseMessage(HeaderMessage, call.header, 'INVALID_TASK_PARAMS')
    },
    commit: async (request) => void parseMessage(CommitMessage, request, 'INVALID_TASK_PARAMS'),
    consent: async (request) => void parseMessage(ConsentMessage, request, 'INVALID_TASK_PARAMS'),
    drain: async (request) => ({ held: parseMessage(DrainMessage, request, 'INVALID_TASK_PARAMS').deadline_ms }),
  })
  const pair = await openPair(t, 'inbound', { service })
  const raw = await pair.openSocket()
  const session = await openSession(t, () =>
    tls.connect({
      socket: raw,
      key: studio.key,
      cert: studio.certificate,
      ca: studio.authority,
      ALPNProtocols: ['h2'],
      checkServerIdentity: () => undefined,
    }),
  )
  const requests = (await subjects()).filter(({ name }) => name.includes('.Agent/') && name.includes(' asks'))
  assert.ok(requests.length >= 6)
  const statuses = new Set<string>()
  for (const { name, encode, valid } of requests)
    await play(t, runs, fc.record({ message: valid, input: INPUT }), async ({ message, input }) => {
      statuses.add(await ask(await session(), name.split(' ')[0]!, framed(mutate(encode(message), input.list), input.lie)))
    })
  assert.ok(statuses.has('0') && statuses.size > 2, [...statuses].join())
  // It still serves the authorised client.
  const link = await pair.connect()
  assert.equal((await link.describe({ studio_version: '0', features: [] })).generation, 7)
}

export async function callsToTheStudio(t: TestContext, runs: number): Promise<void> {
  const { studio } = await sharedCertificates()
  const refuse = async ({ csr_pem }: { csr_pem: string }) => {
    readRequest(csr_pem)
    throw new Failure('AUTH_FAILED', 'unused')
  }
  const listener = createAgentListener({
    enrolment: { redeem: refuse, renew: refuse },
    enrolmentTls: { key: studio.key, certificateChain: studio.certificate + studio.authority },
    admit: async () => 'ok',
    onSession: async (socket) => void socket.destroy(),
    limits: { enrolmentBurst: 1e6, enrolmentBytes: 1e9, unproven: { ...UNPROVEN, deadlineMs: 600_000 } },
    log,
    clock,
  })
  t.after(() => listener.close())
  const { port } = (await listener.listen({ host: '127.0.0.1', port: 0 })) as { port: number }
  const session = await openSession(t, () =>
    tls.connect({ port, host: '127.0.0.1', servername: 'studio', ca: studio.authority, ALPNProtocols: ['h2'] }),
  )
  const requests = (await subjects()).filter(({ name }) => name.includes('.Enrolment/') && name.includes(' asks'))
  assert.equal(requests.length, 2)
  for (const { name, encode, valid } of requests)
    await play(t, runs, fc.record({ message: valid, input: INPUT }), async ({ message, input }) => {
      const status = await ask(await session(), name.split(' ')[0]!, framed(mutate(encode(message), input.list), input.lie))
      assert.notEqual(status, '0', 'no random request enrols a machine')
    })
  assert.notEqual(await ask(await session(), '/voice.enrolment.v1.Enrolment/Redeem', framed(Buffer.alloc(0), 0)), 'cut')
}

/** An agent with a valid certificate that answers every call with arbitrary bytes. */
export async function answersToTheStudio(t: TestContext, runs: number): Promise<void> {
  const { agent, authority, studio } = await sharedCertificates()
  let answer: Buffer = Buffer.alloc(0)
  const hostile = http2.createSecureServer({ key: agent.key, cert: agent.certificate, ca: authority.certificatePem, minVersion: 'TLSv1.3' })
  hostile.on('sessionError', () => {})
  hostile.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(answer)
  })
  hostile.listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  const links = createStudioLinks({ ...studio, authority: authority.certificatePem, log, clock })
  t.after(() => {
    links.close()
    hostile.close()
  })
  const { port } = hostile.address() as AddressInfo
  const dial = () => links.dial({ host: '127.0.0.1', port }, { workerId: 'gpu-1', pins: new Set([agent.pin]) })
  let link = await dial()
  const answered = (await subjects()).filter(({ name }) => / answers: (Description|Snapshot|DrainReply)$/.test(name))
  assert.equal(answered.length, 3)
  for (const { name, encode, valid } of answered)
    await play(t, runs, fc.record({ message: valid, input: INPUT }), async ({ message, input }) => {
      answer = framed(mutate(encode(message), input.list), input.lie)
      if (!link.isOpen) link = await dial()
      try {
        if (name.includes('Description')) parseMessage(DescriptionMessage, await link.describe({ studio_version: '0', features: [] }))
        else if (name.includes('DrainReply')) await link.drain({ drain: false, deadline_ms: 0 }, INPUT_LIMIT_MS)
        else
          for await (const snapshot of link.watch({ interval_ms: 0 }, AbortSignal.timeout(INPUT_LIMIT_MS)))
            parseMessage(SnapshotMessage, snapshot)
      } catch (error) {
        assert.ok(error instanceof Failure && isFailureCode(error.code), String(error))
      }
    })
}
