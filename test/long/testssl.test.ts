// Both TLS servers checked with testssl.sh from Debian (apt-get install testssl.sh): TLS 1.3 only, and no finding above LOW except those that
// follow from a private authority. This version of testssl.sh does not report that sessions require a client certificate;
// test/shared/link/server/agent-endpoint.test.ts tests that.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { RATES } from '#shared/link/port/admission.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import { createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { sharedCertificates } from '../support/doubles/link-certificates.ts'
import { createFakeAgent } from '../support/doubles/link-pair.ts'
import { openWorld, temporaryFolder } from '../support/world/world.ts'

const testssl = findProgram('testssl', process.env['PATH']) ?? findProgram('testssl.sh', process.env['PATH'])
const skip = !testssl && 'testssl.sh is not installed'

/** Findings that do not apply, because they assume a public web site. */
const EXPECTED: Readonly<Record<string, string>> = {
  cert_trust: 'names no host: peers verify the key by its pin, and the address may change',
  cert_chain_of_trust: 'is signed by a private, pinned authority',
  cert_expirationStatus: 'expires soon: certificates are short-lived and renewed after half of their validity',
  cert_notAfter: 'see cert_expirationStatus',
  cert_revocation: 'contains no list: every connection checks the database and the pins',
}
const OLD = ['SSLv2', 'SSLv3', 'TLS1', 'TLS1_1', 'TLS1_2']
type Finding = { readonly id: string; readonly severity: string; readonly finding: string }

async function examine(t: TestContext, port: number): Promise<Finding[]> {
  const file = join(temporaryFolder(t), 'findings.json')
  // Protocols, preferences, defaults, ciphers of TLS 1.3, and every known attack.
  const what = ['-p', '-s', '-P', '-S', '-U', '--nodns', 'none', '--warnings', 'batch', '--quiet', '--jsonfile', file]
  const program = spawn(testssl!, [...what, `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => program.kill())
  let said = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += chunk))
  await once(program, 'close')
  const findings = JSON.parse(readFileSync(file, 'utf8')) as Finding[]
  assert.ok(findings.length > 40, said)
  return findings
}

function judge(findings: readonly Finding[]): void {
  const of = (id: string) => findings.find((finding) => finding.id === id)?.finding ?? 'was not looked at'
  for (const id of OLD) assert.match(of(id), /^not offered/, id)
  assert.match(of('TLS1_3'), /^offered/)
  assert.doesNotMatch(of('cert_expirationStatus'), /^expired/)
  const worse = findings.filter(({ id, severity }) => ['MEDIUM', 'HIGH', 'CRITICAL', 'FATAL'].includes(severity) && !(id in EXPECTED))
  assert.deepEqual(worse, [])
}

test("the studio's agent port", { skip }, async (t) => {
  const world = await openWorld(t, { remote: true })
  const { endpoint } = (await world.get('/workers')).json() as { endpoint: string }
  judge(await examine(t, Number(endpoint.split(':').at(-1))))
})

test('a session, after its preamble', { skip }, async (t) => {
  const { agent, authority, studio } = await sharedCertificates()
  const endpoint = createAgentEndpoint({
    ...agent,
    authority: authority.certificatePem,
    studioPins: () => new Set([studio.pin]),
    service: createFakeAgent(),
    log,
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
    // testssl.sh connects more often than a real machine.
    limits: { rates: { ...RATES, sessionsPerWorker: { burst: 10_000, perMinute: 10_000 } } },
  })
  t.after(async () => {
    listener.close()
    await endpoint.stop(0)
  })
  const address = await listener.listen({ host: '127.0.0.1', port: 0 })
  // testssl.sh starts with TLS, so a proxy sends the preamble for it.
  const front = createServer(async (client) => {
    client.on('error', () => {})
    const session = await dialStudio(address, 'panel-1', { clock, timeoutMs: 5_000 })
    session.on('error', () => {}).on('close', () => client.end())
    client.on('close', () => session.destroy())
    client.pipe(session).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  t.after(() => front.close())
  judge(await examine(t, (front.address() as AddressInfo).port))
})
