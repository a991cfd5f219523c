// A listening machine after the preamble: callers without a certificate of its authority are refused before any call.
import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { dialStudio } from '#shared/link/port/dial.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import { createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type Log, silentLog as log } from '#shared/runtime/log.ts'
import { issueTestIdentity, sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { createFakeAgent, eventually } from '#test/support/doubles/link-pair.ts'

async function openMachine(t: TestContext) {
  const { agent, authority, studio } = await sharedCertificates()
  const refusals: string[] = []
  const asked: string[] = []
  const watching: Log = { ...log, warn: (fields) => void refusals.push((fields as { reason: string }).reason) }
  const service = createFakeAgent({
    async describe() {
      asked.push('describe')
      throw new Error('unused')
    },
  })
  const endpoint = createAgentEndpoint({
    ...agent,
    authority: authority.certificatePem,
    studioPins: () => new Set([studio.pin]),
    service,
    log: watching,
    clock,
  })
  const refuse = () => Promise.reject(new Error('unused'))
  const listener = createAgentListener({
    enrolment: { redeem: refuse, renew: refuse },
    enrolmentTls: { key: agent.key, certificateChain: agent.certificate },
    admit: async () => 'ok',
    onSession: async (socket) => endpoint.inject(socket),
    log,
    clock,
  })
  t.after(async () => {
    listener.close()
    await endpoint.stop(0)
  })
  const address = await listener.listen({ host: '127.0.0.1', port: 0 })

  /** Asks the machine to describe itself, and answers with how that ended: an HTTP/2 status, or `cut`. */
  async function ask(options: tls.ConnectionOptions): Promise<string> {
    const raw = await dialStudio(address, 'panel-1', { clock, timeoutMs: 5_000 })
    const socket = tls.connect({ socket: raw, ALPNProtocols: ['h2'], rejectUnauthorized: false, ...options })
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    const session = http2.connect('https://machine', { createConnection: () => socket }).on('error', () => {})
    const stream = session.request({
      ':method': 'POST',
      ':path': '/voice.agent.v1.Agent/Describe',
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const heard: string[] = []
    stream.on('response', (headers) => heard.push(String(headers[':status']))).on('error', () => {})
    stream.end(Buffer.alloc(5))
    stream.resume()
    await eventually('the connection or the call is over', () => socket.closed || stream.closed)
    session.destroy()
    return heard[0] ?? 'cut'
  }
  return { ask, refusals, asked }
}

test('a valid client certificate of the right authority is required', async (t) => {
  const { authority, stranger, studio } = await sharedCertificates()
  const { ask, refusals, asked } = await openMachine(t)
  const of = ({ key, certificate }: { key: string; certificate: string }) => ({ key, cert: certificate })
  const expired = await issueTestIdentity(authority, 'studio', 'studio', { key: studio.key, hoursAgo: 48 })
  const strangers: Record<string, tls.ConnectionOptions> = {
    'no certificate': {},
    'of another authority': of(await issueTestIdentity(stranger, 'studio', 'studio')),
    'with the right key, signed by another authority': of(await issueTestIdentity(stranger, 'studio', 'studio', { key: studio.key })),
    expired: of(expired),
    'signed by itself': { key: stranger.keyPem, cert: stranger.certificatePem },
    'TLS 1.2': { ...of(studio), minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
  }
  for (const [name, options] of Object.entries(strangers)) assert.equal(await ask(options), 'cut', name)
  assert.equal(refusals.length, Object.keys(strangers).length, refusals.join('; '))
  assert.deepEqual(asked, [])
  // The same question with the certificate that is wanted: so it was the certificate.
  assert.equal(await ask(of(studio)), '200')
  assert.deepEqual(asked, ['describe'])
})
