// The first run: what works now, what one press installs, and what this machine is checked for.
import { get } from '../api.js'
import { html, useCallback, useEffect } from '../html.js'
import { Checks } from '../parts/start-checks.js'
import { useDownloads } from '../parts/start-downloads.js'
import { Catalogue, Recommended } from '../parts/start-models.js'
import { Now } from '../parts/start-now.js'
import { useRead } from '../parts/use-read.js'

export function Start({ live }) {
  const engines = useRead(() => get('/engines'))
  const status = useRead(() => get('/setup/status'))
  const tools = useRead(() => get('/media-tools/status'))
  const models = useRead(() => get('/models'))
  const advice = useRead(() => get('/setup/recommendations'))
  const preflight = useRead(() => get('/setup/preflight'))
  const changed = useCallback(() => Promise.all([models, status, advice, engines].map(({ again }) => again())), [])
  const downloads = useDownloads(changed)
  const ready = live.fleet?.workers.filter(({ state }) => state === 'ready').length ?? 0
  useEffect(() => void changed(), [ready, live.connected])

  const room = {
    freeGb: models.value?.disk_free_gb ?? null,
    keepGb: status.value?.min_free_gb ?? 0,
    // Of this machine; nothing is known here of a borrowed one.
    memoryGb: models.value?.hf_cache_dir ? (preflight.value?.device.ram_gb ?? null) : null,
  }
  const errors = [...new Set([engines, status, tools, models, advice].map(({ error }) => error).filter(Boolean))]
  const server = preflight.value?.checks.find(({ id }) => id === 'network')
  const shared = { downloads, room, onChanged: changed }
  return html`
    ${errors.map((error) => html`<p key=${error} class="callout bad text" role="alert">${error}</p>`)}
    <${Now} engines=${engines.value} status=${status.value} tools=${tools.value} preflight=${preflight.value} />
    ${server?.mirror_reachable === false && html`<p class="callout text"><strong>Nothing can be installed now. </strong>${server.detail} ${server.fix}</p>`}
    ${advice.value && models.value && html`<${Recommended} advice=${advice.value} models=${models.value.models} ...${shared} />`}
    ${models.value && html`<${Catalogue} list=${models.value} ...${shared} />`}
    <${Checks} preflight=${preflight.value} error=${preflight.error} reading=${preflight.reading} onAgain=${preflight.again} />`
}
