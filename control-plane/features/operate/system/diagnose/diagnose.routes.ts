import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Bundles } from './bundle.service.ts'
import { diagnoseContracts } from './diagnose.contract.ts'
import type { Diagnose } from './diagnose.service.ts'

export const diagnoseRoutes = ({ diagnose, bundles }: { readonly diagnose: Diagnose; readonly bundles: Bundles }): Route[] => [
  handle(diagnoseContracts.diagnose, ({ query, signal }) => diagnose(query, signal)),
  handle(diagnoseContracts.writeBundle, ({ query, signal }) => bundles.write(query.network, signal)),
]
