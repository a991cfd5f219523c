// How a panel comes to use this machine: a connection string and a signing request in, a certificate out.
import type { EnrolmentService } from '#shared/link/rpc.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Identity, PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { MachineAuthority } from './authority.ts'
import type { PanelKey, PanelKeys } from './controller-keys.ts'
import type { Throttle } from './throttle.ts'

type Deps = {
  readonly authority: MachineAuthority
  readonly keys: PanelKeys
  readonly throttle: Throttle
  readonly machineName: string
  readonly log: Log
  readonly onRejected: (peer: string, label: string, why: string) => void
}

export function createPanelEnrolment({ authority, keys, throttle, machineName, log, onRejected }: Deps): EnrolmentService {
  const certify = ({ id }: PanelKey, publicKeyPem: string): Identity => ({
    worker_id: id,
    certificate_pem: authority.issue(id, publicKeyPem),
    authority_pem: authority.authorityPem,
    studio_pins: [authority.machinePin],
    studio_name: machineName,
    generation: 0,
  })
  /** Tells the owner; the panel hears the error itself, of which only a Failure leaves this machine in words. */
  const tell = (error: unknown, id: string, address: string): void =>
    onRejected(address, keys.get(id)?.label ?? '', error instanceof Failure ? error.message : 'a fault on this machine; its log says more')

  return {
    async redeem(request, { address }) {
      if (request.protocol !== PROTOCOL_VERSION)
        throw new Failure('UPGRADE_REQUIRED', `the panel speaks protocol ${request.protocol}, this machine ${PROTOCOL_VERSION}`)
      throttle.check(address)
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      try {
        const key = keys.redeem(request.token_id, request.secret, pin)
        log.info({ keyId: key.id, address }, 'a panel was enrolled')
        return certify(key, publicKeyPem)
      } catch (error) {
        tell(error, request.token_id, address)
        if (error instanceof Failure && (error.detail as { reason?: string } | undefined)?.reason === 'wrong-key') throttle.wrong(address)
        throw error
      }
    },

    async renew(request, { address }) {
      const { publicKeyPem, pin } = readRequest(request.csr_pem)
      try {
        return certify(keys.renew(request.worker_id, pin), publicKeyPem)
      } catch (error) {
        tell(error, request.worker_id, address)
        throw error
      }
    },
  }
}
