// A machine that listens for studios, over the real listener, certificates and links; its enrolment and its work are played.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createAgentListener, type ListenerDeps } from '#shared/link/port/listener.ts'
import type { SessionRefusal } from '#shared/link/port/preamble.ts'
import { createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import { createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { readRequest } from '#shared/pki/request.ts'
import { formatConnectionString } from '#shared/protocol/codes/connection-string.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createTestAuthority, issueTestIdentity } from '#test/support/doubles/link-certificates.ts'
import { createFakeAgent } from '#test/support/doubles/link-pair.ts'

const secret = `svcnode_${'s'.repeat(43)}`
const keyId = createHash('sha256').update(secret).digest('hex').slice(0, 12)

type Options = Pick<Partial<ListenerDeps>, 'limits' | 'clock'> & {
  /** The pins that it names as its own, given its real one. */
  readonly claims?: (own: string) => string[]
}

export async function openListeningMachine(t: TestContext, { claims = (own) => [own], ...listening }: Options = {}) {
  const authority = await createTestAuthority('Authority of a GPU box')
  const leaf = await issueTestIdentity(authority, 'worker', 'machine')
  const bound = new Set<string>()
  const state = { redeemed: 0, renewals: 0, aheadMs: 0, refuse: null as Failure | null, answer: 'ok' as 'ok' | SessionRefusal }
  const endpoint = createAgentEndpoint({
    ...leaf,
    authority: authority.certificatePem,
    studioPins: () => bound,
    service: createFakeAgent(),
    log,
    clock,
  })
  const certify = async ({ csr_pem }: { readonly csr_pem: string }) => {
    const { publicKeyPem, pin } = readRequest(csr_pem)
    bound.add(pin)
    const serial = createSerial(random.hex(16))
    return {
      worker_id: keyId,
      certificate_pem: issueLeaf({
        authority,
        publicKeyPem,
        role: 'studio',
        id: keyId,
        now: clock.now() + state.aheadMs,
        hours: 1,
        serial,
      }),
      authority_pem: authority.certificatePem,
      studio_pins: claims(leaf.pin),
      studio_name: 'gpu-box',
      generation: 0,
      endpoints: [],
    }
  }
  const listener = createAgentListener({
    enrolment: {
      redeem: async (request) => {
        state.redeemed++
        if (state.refuse) throw state.refuse
        assert.deepEqual([request.token_id, request.secret], [keyId, secret])
        return certify(request)
      },
      renew: async (request) => {
        state.renewals++
        if (state.refuse) throw state.refuse
        return certify(request)
      },
    },
    enrolmentTls: { key: leaf.key, certificateChain: leaf.certificate + authority.certificatePem },
    admit: async () => state.answer,
    onSession: async (socket) => endpoint.inject(socket),
    log,
    clock,
    ...listening,
  })
  t.after(async () => {
    listener.close()
    await endpoint.stop(0)
  })
  const address = await listener.listen({ host: '127.0.0.1', port: 0 })
  const port = 'port' in address ? address.port : 0
  const text = (fingerprint = pinOf(authority.certificatePem)) => formatConnectionString({ secret, host: '127.0.0.1', port, fingerprint })
  return { text, leaf, state, endpoint: `127.0.0.1:${port}` }
}
