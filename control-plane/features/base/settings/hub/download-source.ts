// Token and mirror together: the download source of the agent of this machine, sent again after every change.

import type { OwnerSettings } from '#control-plane/store/setting.ts'
import type { DownloadSource } from '#shared/protocol/agent-control.ts'
import { OWN_SOURCE_KEYS } from './hub.settings.ts'
import type { Mirror } from './mirror.service.ts'
import type { HubToken } from './token.service.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'onChange'>
  readonly token: Pick<HubToken, 'active'>
  readonly mirror: Pick<Mirror, 'effective'>
  readonly server: string
  readonly setDownloadSource: (source: DownloadSource) => void
}
export type DownloadSources = ReturnType<typeof followDownloadSource>

export function followDownloadSource({ settings, token, mirror, server, setDownloadSource }: Deps) {
  const listeners: (() => void)[] = []
  const current = (): DownloadSource => {
    const found = token.active()
    return { url: mirror.effective(), token: found?.token ?? null, tokenUrl: found?.server ?? server }
  }
  const refresh = () => setDownloadSource(current())
  settings.onChange((key) => {
    if (!OWN_SOURCE_KEYS.has(key)) return
    refresh()
    for (const listener of listeners) listener()
  })
  refresh()
  return {
    current,
    /** Reads the token file of the hub's programs again; other programs change it. */
    refresh,
    /** Calls back after each change of token or mirror. */
    onChange: (listener: () => void): void => void listeners.push(listener),
  }
}
