// Setup: what works now, the models to install, and the checks of this machine.
import { useCallback } from '#control-plane/web/lib/html.ts'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useMachineChange } from '#control-plane/web/lib/live.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/start/setup.ts'
import { Catalogue, Recommended } from './catalogue.tsx'
import { Checks } from './checks.tsx'
import { useDownloads } from './downloads.ts'
import type { Room } from './fit.ts'
import { WorksNow } from './works-now.tsx'

export function Setup({ live }: { live: Live }) {
  const engines = useRead('/engines')
  const status = useRead('/setup/status')
  const tools = useRead('/media-tools/status')
  const models = useRead('/models')
  const advice = useRead('/setup/recommendations')
  const preflight = useRead('/setup/preflight')
  const changed = useCallback(() => Promise.all([models, status, advice, engines].map(({ again }) => again())), [])
  const downloads = useDownloads(changed)
  // The machines decide which engines and models exist.
  useMachineChange(live, changed)

  const room: Room = {
    freeGb: models.value?.disk_free_gb ?? null,
    reserveGb: status.value?.min_free_gb ?? 0,
    // The memory of this machine; a borrowed machine has no folder in the list, and its memory is unknown here.
    memoryGb: models.value?.hf_cache_dir ? (preflight.value?.device.ram_gb ?? null) : null,
  }
  const errors = [...new Set([engines, status, tools, models, advice].map(({ error }) => error).filter(Boolean))]
  const server = preflight.value?.checks.find(({ id }) => id === 'network')
  const shared = { downloads, room, onChanged: changed }
  return (
    <>
      {errors.map((error) => (
        <p key={error} class="callout bad text" role="alert">
          {error}
        </p>
      ))}
      <WorksNow engines={engines.value} status={status.value} tools={tools.value} preflight={preflight.value} />
      {server?.mirror_reachable === false && (
        <p class="callout text">
          <strong>{strings.offline}</strong>
          {server.detail} {server.fix}
        </p>
      )}
      {advice.value && models.value && <Recommended advice={advice.value} models={models.value.models} {...shared} />}
      {models.value && <Catalogue list={models.value} {...shared} />}
      <Checks preflight={preflight.value} error={preflight.error} reading={preflight.reading} onAgain={preflight.again} />
    </>
  )
}
