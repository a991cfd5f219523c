// Setup, which is no gate: this machine speaks a sentence, one bundle of models suits it, and a sentence can be heard from the first second.
import { useCallback } from '#control-plane/web/lib/html.ts'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useMachineChange } from '#control-plane/web/lib/live.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/start/setup.ts'
import { Bundle } from './bundle.tsx'
import { useDownloads } from './downloads.ts'
import type { Room } from './fit.ts'
import { memoryGbOf } from './fit.ts'
import { hardwareOf } from './hardware.ts'
import { Hear } from './hear.tsx'
import { ThisMachine } from './this-machine.tsx'

export function Setup({ live }: { live: Live }) {
  const engines = useRead('/engines')
  const routing = useRead('/workers/target?op=tts&limit=0')
  const own = useRead('/workers/local')
  const tools = useRead('/media-tools/status')
  const models = useRead('/models?target=local')
  const preflight = useRead('/setup/preflight?network=false')
  const status = useRead('/setup/status')
  const changed = useCallback(() => Promise.all([models, engines, routing].map(({ again }) => again())), [])
  const look = useCallback(() => Promise.all([own, tools, preflight, models, routing].map(({ again }) => again())), [])
  const downloads = useDownloads(changed)
  // The machines decide which engines and models exist.
  useMachineChange(live, changed)
  const found = hardwareOf(own.value)
  const room: Room = {
    freeGb: models.value?.disk_free_gb ?? null,
    reserveGb: status.value?.min_free_gb ?? 0,
    memoryGb: memoryGbOf(own.value),
  }
  const errors = [...new Set([engines, routing, own, tools, models, preflight].map(({ error }) => error).filter(Boolean))]
  return (
    <div class="setup">
      <h2 class="display">{strings.title}</h2>
      <p class="soft">{strings.lead}</p>
      <ThisMachine
        engines={engines.value}
        routing={routing.value}
        own={own.value}
        tools={tools.value}
        preflight={preflight.value}
        onAgain={look}
      />
      <Bundle
        list={models.value}
        downloads={downloads}
        room={room}
        hasCard={found ? found.card !== '' : null}
        engines={engines.value}
        onChanged={changed}
      />
      <Hear />
      {errors.map((error) => (
        <p key={error} class="callout bad text" role="alert">
          {error}
        </p>
      ))}
      <p class="soft">{strings.stays}</p>
    </div>
  )
}
