// How a machine becomes a worker and stays one: a join code and a signing request in, a certificate out. The key never leaves the
// machine. Renewal needs only the key that was bound at the first time, however old the certificate is; only removal is final.

import { createBuckets } from '#shared/link/port/bucket.ts'
import type { EnrolmentService } from '#shared/link/rpc.ts'
import { samePin } from '#shared/pki/pin.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Identity, RedeemRequest, RenewRequest } from '#shared/protocol/messages.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { LOCAL, type Worker, type WorkerStore } from '../workers/worker.store.ts'
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
  /** Two machines hold this worker's key. */
  readonly onCopied: (worker: Worker, reason: string) => void
}
/** Each renewal is written to the table and to the audit log for good. */
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
  onCopied,
}: Deps): EnrolmentService {
  const renewals = createBuckets({ ...RENEWALS, clock })
  const certify = (worker: Worker, publicKeyPem: string): Identity => {
    const certificatePem = identity.issue(worker.id, publicKeyPem)
    workers.certified(worker.id, identity.authorityPin, identity.newestPin())
    return {
      worker_id: worker.id,
      certificate_pem: certificatePem,
      authority_pem: identity.trustPem(),
      studio_pins: identity.studioPins(),
      studio_name: studioName,
      generation: worker.generation,
    }
  }

  function enrol(request: RedeemRequest, pin: string): Worker {
    try {
      return tokens.redeem(
        request.token_id,
        request.secret,
        ({ label, endpoint, workerId }) => {
          // A key that was removed once stays removed, whatever code comes with it.
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
    } catch (error) {
      workers.rolledBack()
      throw error
    }
  }

  /** The worker with the generation its new certificate has; throws for a copy. */
  function count(worker: Worker, { generation, nonce }: RenewRequest): Worker {
    if (!Number.isSafeInteger(generation) || generation < 0 || generation > MAX_GENERATION || !/^[0-9a-f]{0,64}$/.test(nonce))
      throw new Failure('BAD_REQUEST', 'The renewal names no generation or nonce that there can be.')
    const verdict = worker.id === LOCAL ? 'next' : judgeRenewal(worker, { generation, nonce })
    if (verdict === 'again') return worker
    if (verdict === 'next') return workers.renewed(worker.id, nextGeneration(worker, { generation, nonce }), nonce)
    onCopied(worker, `a copy of this machine renewed its key: it was at renewal ${generation}, the newest is ${worker.generation}`)
    throw setAside()
  }

  return {
    async redeem(request, { address }) {
      if (request.protocol !== PROTOCOL_VERSION)
        throw new Failure('UPGRADE_REQUIRED', `the agent speaks protocol ${request.protocol}, this studio ${PROTOCOL_VERSION}`)
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      const worker = enrol(request, pin)
      log.info({ workerId: worker.id, address, local: worker.id === LOCAL }, 'a machine was enrolled')
      onEnrolled(worker)
      return certify(worker, publicKeyPem)
    },

    async renew(request, { address }) {
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      const worker = workers.get(request.worker_id)
      if (!worker || !samePin(worker.pin, pin)) throw new Failure('AUTH_FAILED', 'This studio does not know that machine with that key.')
      if (worker.revokedAt !== null) throw new Failure('WORKER_REVOKED', 'This machine was removed from the studio.')
      if (worker.quarantine !== null) throw setAside()
      if (!renewals.take(worker.id)) throw new Failure('QUEUE_FULL', 'This machine renews too often; wait a minute.')
      const renewed = count(worker, request)
      log.info({ workerId: worker.id, address, generation: renewed.generation }, 'a certificate was renewed')
      return certify(renewed, publicKeyPem)
    },
  }
}

const setAside = () =>
  new Failure('NOT_READY', 'Two machines use the key of this one; the owner of the studio must decide.', {
    detail: { reason: 'quarantined' },
  })

/** Names come from strangers: no control characters, no more than a line. */
const cleanName = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 120)
