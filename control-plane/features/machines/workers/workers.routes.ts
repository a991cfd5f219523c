import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Endpoints } from '#control-plane/trust/endpoints.ts'
import type { Rotation } from '#control-plane/trust/rotation.ts'
import type { FleetService } from './fleet.service.ts'
import type { Target } from './target.service.ts'
import { workersContracts } from './workers.contract.ts'

export type WorkersParts = {
  readonly fleet: FleetService
  readonly target: Target
  readonly rotation: Rotation
  readonly endpoints: Endpoints
}

export const workersRoutes = ({ fleet, target, rotation, endpoints }: WorkersParts): Route[] => [
  handle(workersContracts.list, () => fleet.fleet()),
  handle(workersContracts.readOwn, () => fleet.own()),
  handle(workersContracts.readTarget, ({ query }) => target.view(query.op, query.limit)),
  handle(workersContracts.chooseTarget, async ({ body }) => {
    await target.choose(body.target)
    return target.view('')
  }),
  handle(workersContracts.setEnabled, ({ body }) => fleet.setEnabled(body.enabled)),
  handle(workersContracts.createEnrollment, ({ body }) =>
    fleet.enrol({ label: body.label, endpoint: body.endpoint, ttlSeconds: body.ttl_seconds }),
  ),
  handle(workersContracts.readEndpoints, () => endpoints.view()),
  handle(workersContracts.nameEndpoints, ({ body }) => endpoints.name(body.endpoints)),
  handle(workersContracts.readAuthority, () => rotation.view()),
  handle(workersContracts.rotateAuthority, ({ body }) => rotation.take(body.step, body.force)),
  handle(workersContracts.change, ({ params, body }) => fleet.patch(params.worker_id, body)),
  handle(workersContracts.remove, ({ params }) => fleet.remove(params.worker_id)),
  handle(workersContracts.grantConsent, ({ params, query }) => fleet.grant(params.worker_id, query.terms)),
  handle(workersContracts.withdrawConsent, ({ params }) => fleet.withdraw(params.worker_id)),
  handle(workersContracts.readPool, ({ params }) => fleet.pool(params.worker_id)),
  handle(workersContracts.resume, ({ params }) => fleet.resume(params.worker_id)),
  handle(workersContracts.drain, ({ params, body }) =>
    fleet.drain(params.worker_id, { drain: body.drain, deadlineSeconds: body.deadline_seconds }),
  ),
  handle(workersContracts.release, ({ params }) => fleet.readmit(params.worker_id)),
]
