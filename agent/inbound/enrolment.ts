// Enrols a controller: a connection string and a signing request in, a certificate out.

import type { EnrolmentService } from '#shared/link/rpc.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { MachineAuthority } from './authority.ts'
import type { ControllerKey, ControllerKeys } from './controller-keys.ts'
import type { Throttle } from './throttle.ts'

type Deps = {
  readonly authority: MachineAuthority
  readonly keys: ControllerKeys
  readonly throttle: Throttle
  readonly machineName: string
  readonly log: Log
  readonly onRejected: (peer: string, label: string, why: string) => void
}

export function createControllerEnrolment({ authority, keys, throttle, machineName, log, onRejected }: Deps): EnrolmentService {
  const certify = ({ id }: ControllerKey, publicKeyPem: string): Wire<'Identity'> => ({
    worker_id: id,
    certificate_pem: authority.issue(id, publicKeyPem),
    authority_pem: authority.authorityPem,
    studio_pins: [authority.machinePin],
    studio_name: machineName,
    endpoints: [],
    generation: 0,
  })
  /** Records the rejection for the owner. Only the message of a Failure is shown; other errors may contain private details. */
  const reportRejection = (error: unknown, id: string, address: string): void =>
    onRejected(
      address,
      keys.get(id)?.label ?? '',
      error instanceof Failure ? error.message : 'An unexpected fault on this machine; see its log.',
    )

  return {
    async redeem(request, { address }) {
      if (request.protocol !== PROTOCOL_VERSION)
        throw new Failure(
          'UPGRADE_REQUIRED',
          `The studio speaks protocol ${request.protocol}, this machine ${PROTOCOL_VERSION}. Update the older one.`,
        )
      throttle.check(address)
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      try {
        const key = await keys.redeem(request.token_id, request.secret, pin)
        log.info({ keyId: key.id, address }, 'controller enrolled')
        return certify(key, publicKeyPem)
      } catch (error) {
        reportRejection(error, request.token_id, address)
        if (error instanceof Failure && (error.detail as { reason?: string } | undefined)?.reason === 'wrong-key')
          throttle.recordFailure(address)
        throw error
      }
    },

    async renew(request, { address }) {
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      try {
        return certify(keys.renew(request.worker_id, pin), publicKeyPem)
      } catch (error) {
        reportRejection(error, request.worker_id, address)
        throw error
      }
    },
  }
}
