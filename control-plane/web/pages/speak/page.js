// @ts-check
// Speak: text to sound. The form, the state of the last generation, the selected take, and the earlier takes.

import { isBusy, useGeneration } from '../../frame/generation.js'
import { get } from '../../lib/api.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { usableMachines } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { useDraft } from './draft.js'
import { Unavailable } from './engines.js'
import { SpeakForm } from './form.js'
import { Status } from './status.js'
import { strings } from './strings.js'
import { Takes } from './takes.js'
import { Wave } from './wave.js'

/** @import { HistoryTake } from '../../lib/api-types.ts' */
/** @import { Live } from '../../lib/live.js' */
/** @import { Address } from '../../frame/address.js' */
/** @import { Take } from './request.js' */

/** @param {{ live: Live, address: Address }} props address: with `take`, the id of a take that is shown */
export function Speak({ live, address }) {
  const [draft, change] = useDraft()
  const engines = useRead('/engines/tts')
  const voices = useRead('/v1/audio/voices')
  const takes = useRead('/history')
  const [selected, setSelected] = useState(/** @type {Take | null} */ (null))
  const profiles = voices.value?.voices.filter((voice) => voice.type === 'profile') ?? []
  const generation = useGeneration()
  const busy = isBusy(generation)
  useEffect(() => {
    const { take } = generation
    if (take === null) return
    setSelected((old) => {
      if (old && old.url !== take.url && old.url.startsWith('blob:')) URL.revokeObjectURL(old.url)
      return take
    })
    if (take.id !== null) void takes.again()
  }, [generation.take])
  // The machines decide which engines exist.
  useEffect(() => void engines.again(), [usableMachines(live), live.connected])

  const play = (/** @type {HistoryTake} */ { id, audio_path: file, text }) => {
    if (busy) return notify(strings.busy, 'error')
    setSelected({ id, url: `/audio/${file}`, file, text, autoplay: true })
  }
  const wanted = address.query.get('take')
  useEffect(() => {
    const take = takes.value?.find(({ id }) => id === wanted)
    if (take && !busy)
      setSelected({ id: take.id, url: `/audio/${take.audio_path}`, file: take.audio_path, text: take.text, autoplay: false })
  }, [wanted, takes.value === null])
  const changed = async () => {
    await takes.again()
    const kept = await get('/history')
    setSelected((old) => (old?.id && !kept.some(({ id }) => id === old.id) ? null : old))
  }
  const error = engines.error || voices.error
  const substitutes = engines.value?.backends.flatMap(({ hint }) => hint || []) ?? []
  return html`
    ${error && html`<p class="callout bad" role="alert">${error}</p>`}
    <div class="speak-page">
    <div>
    <${SpeakForm} draft=${draft} onChange=${change} tts=${engines.value} profiles=${profiles} generation=${generation} onEngine=${engines.again} />
    <${Status} generation=${generation} />
    ${selected && html`<${Wave} take=${selected} />`}
    <${Unavailable} tts=${engines.value} />
    </div>
    <${Takes} takes=${takes.value} substitutes=${substitutes} error=${takes.error} selectedId=${selected?.id ?? null} onPlay=${play} onChanged=${changed} />
    </div>`
}
