// Enrols machines and renews their certificates: a join code and a signing request in, a certificate out. The key never leaves the
// machine. Renewal needs only the key that was bound at enrolment, however old the certificate is; only removal is final.

import { LOCAL, type Worker, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { createBuckets } from '#shared/link/port/bucket.ts'
import type { EnrolmentService } from '#shared/link/rpc.ts'
import { samePin } from '#shared/pki/pin.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { StudioIdentity } from './authority.ts'
import { judgeRenewal, MAX_GENERATION, nextGeneration } from './generation.ts'
import type { JoinTokens } from './join-token.store.ts'

type Deps = {
  readonly identity: StudioIdentity
  readonly workers: WorkerStore
  readonly tokens: JoinTokens
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly studioName: string
  readonly onEnrolled: (worker: Worker) => void
  /** Addresses of the studio for an identity; none to leave those that the machine knows. */
  readonly announcedTo: (workerId: string) => string[]
  /** Two machines hold this worker's key. */
  readonly onCopied: (worker: Worker, reason: string) => void
}
/** Limit of renewals: each one is written to the table, and to the audit log permanently. */
const RENEWALS = { burst: 10, perMinute: 1 }

export function createEnrolment({
  identity,
  workers,
  tokens,
  clock,
  random,
  log,
  studioName,
  onEnrolled,
  announcedTo,
  onCopied,
}: Deps): EnrolmentService {
  const renewals = createBuckets({ ...RENEWALS, clock })
  const certify = (worker: Worker, publicKeyPem: string): Wire<'Identity'> => {
    const certificatePem = identity.issue(worker.id, publicKeyPem)
    workers.setCertificate(worker.id, identity.authorityPin, identity.newestPin())
    return {
      worker_id: worker.id,
      certificate_pem: certificatePem,
      authority_pem: identity.trustPem(),
      studio_pins: identity.studioPins(),
      studio_name: studioName,
      generation: worker.generation,
      endpoints: announcedTo(worker.id),
    }
  }

  function enrol(request: Wire<'RedeemRequest'>, pin: string): Worker {
    return tokens.redeem(
      request.token_id,
      request.secret,
      ({ label, endpoint, workerId }) => {
        // A key that was removed stays removed, with any code.
        const owner = workers.byPin(pin)
        if (owner?.revokedAt != null) throw new Failure('WORKER_REVOKED', 'This key was removed from the studio; start with a new key.')
        const id = workerId ?? owner?.id ?? random.hex(6)
        const name = label || cleanName(request.name || request.hostname) || id
        const value = workers.add({ id, name, pin, endpoint })
        return { workerId: value.id, value }
      },
      (usedBy) => {
        const owner = workers.get(usedBy)
        return owner && owner.revokedAt === null && samePin(owner.pin, pin) ? owner : null
      },
    )
  }

  /** The worker with the generation of its new certificate. Rejects with NOT_READY for a copy, once the quarantine is durable. */
  async function count(worker: Worker, { generation, nonce }: Wire<'RenewRequest'>): Promise<Worker> {
    if (!Number.isSafeInteger(generation) || generation < 0 || generation > MAX_GENERATION || !/^[0-9a-f]{0,64}$/.test(nonce))
      throw new Failure('BAD_REQUEST', 'The renewal has an invalid generation or nonce.')
    const renewal = worker.id === LOCAL ? 'next' : judgeRenewal(worker, { generation, nonce })
    if (renewal === 'again') return worker
    if (renewal === 'next') return workers.renewed(worker.id, nextGeneration(worker, { generation, nonce }), nonce)
    onCopied(worker, `a copy of this machine renewed its key: it was at renewal ${generation}, the newest is ${worker.generation}`)
    await workers.settled()
    throw quarantined()
  }

  return {
    async redeem(request, { address }) {
      if (request.protocol !== PROTOCOL_VERSION)
        throw new Failure('UPGRADE_REQUIRED', `The agent speaks protocol ${request.protocol}, this studio ${PROTOCOL_VERSION}.`)
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      const worker = enrol(request, pin)
      const isLocal = worker.id === LOCAL
      const notice = isLocal ? {} : { notice: `${worker.name} has joined. To approve it, run ${COMMAND} workers approve ${worker.id}.` }
      log.info({ workerId: worker.id, address, local: isLocal, ...notice }, 'a machine was enrolled')
      onEnrolled(worker)
      const certified = certify(worker, publicKeyPem)
      await workers.settled()
      return certified
    },

    async renew(request, { address }) {
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      const worker = workers.get(request.worker_id)
      if (!worker || !samePin(worker.pin, pin)) throw new Failure('AUTH_FAILED', 'No enrolled machine has this id and key.')
      if (worker.revokedAt !== null) throw new Failure('WORKER_REVOKED', 'The studio has removed this machine.')
      if (worker.quarantine !== null) throw quarantined()
      if (!renewals.take(worker.id)) throw new Failure('QUEUE_FULL', 'This machine renews too often; wait a minute.')
      const renewed = await count(worker, request)
      const certified = certify(renewed, publicKeyPem)
      await workers.settled()
      log.info({ workerId: worker.id, address, generation: renewed.generation }, 'a certificate was renewed')
      return certified
    },
  }
}

const quarantined = () =>
  new Failure('NOT_READY', 'Two machines use the same key. The owner of the studio must approve one of them.', {
    detail: { reason: 'quarantined' },
  })

/** Names come from strangers: no control characters, no more than a line. */
const cleanName = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 120)
