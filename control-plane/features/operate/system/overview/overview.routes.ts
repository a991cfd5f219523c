import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { overviewContracts, type StartupProgress, type SystemLoad, type SystemOverview } from './overview.contract.ts'

export type OverviewParts = {
  readonly info: () => Promise<SystemOverview>
  readonly load: () => SystemLoad
  readonly startup: () => StartupProgress
  readonly engines: Pick<EnginesApi, 'asr'>
  readonly hubToken: Pick<SettingsApi['hubToken'], 'state'>
}
const NOT_QUARANTINED = { quarantined: false, error_class: null, bundle_path: null }

export const overviewRoutes = ({ info, load, startup, engines, hubToken }: OverviewParts): Route[] => [
  handle(overviewContracts.readInfo, () => info()),
  handle(overviewContracts.readLoad, () => load()),
  handle(overviewContracts.readQuarantine, () => NOT_QUARANTINED),
  handle(overviewContracts.listRecognisers, () => {
    const { active, backends } = engines.asr()
    return { active, backends }
  }),
  handle(overviewContracts.readHubToken, () => hubToken.state(false)),
  handle(overviewContracts.readStartup, () => startup()),
]
