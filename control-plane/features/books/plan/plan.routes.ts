import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { planContracts } from './plan.contract.ts'
import { planOf } from './plan.rules.ts'

export const planRoutes = (): Route[] => [handle(planContracts.plan, ({ body }) => planOf(body.text, body.default_voice || null))]
