// How a machine becomes a worker and stays one: a join code and a signing request in, a certificate out. The key never leaves the
// machine. Renewal needs only the key that was bound at the first time, however old the certificate is; only removal is final.
import type { EnrolmentService, Identity, RedeemRequest } from '#shared/link/definitions.ts'
import { PROTOCOL_VERSION } from '#shared/link/definitions.ts'
import { samePin } from '#shared/pki/pin.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { StudioIdentity } from './authority.ts'
import type { JoinTokens } from './join-token.store.ts'
import { LOCAL, type Worker, type WorkerStore } from './worker.store.ts'

type Deps = {
  readonly identity: StudioIdentity
  readonly workers: WorkerStore
  readonly tokens: JoinTokens
  readonly random: Random
  readonly log: Log
  readonly studioName: string
  readonly onEnrolled: (worker: Worker) => void
}

export function createEnrolment({ identity, workers, tokens, random, log, studioName, onEnrolled }: Deps): EnrolmentService {
  const certify = (worker: Worker, publicKeyPem: string): Identity => ({
    worker_id: worker.id,
    certificate_pem: identity.issue(worker.id, publicKeyPem),
    authority_pem: identity.authority.certificatePem,
    studio_pins: [identity.studioPin],
    studio_name: studioName,
    generation: worker.generation,
  })

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
      log.info({ workerId: worker.id, address }, 'a certificate was renewed')
      return certify(worker, publicKeyPem)
    },
  }
}

/** Names come from strangers: no control characters, no more than a line. */
const cleanName = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 120)
