// @ts-check
// Speak: text to sound. The form, the state of the last generation, the selected take, and the earlier takes.

import { isBusy, prepareSpeaking, useGeneration } from '../../frame/generation.js'
import { get } from '../../lib/api.js'
import { html, useEffect, useMemo, useState } from '../../lib/html.js'
import { LATER_MS, whenOpened } from '../../lib/later.js'
import { useMachineChange } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { changeDraft, useDraft } from './draft.js'
import { engineOf, Unavailable } from './engines.js'
import { SpeakForm } from './form.js'
import { strings } from './strings.js'
import { Takes } from './takes.js'

/** @import { HistoryTake } from '../../lib/api-types.ts' */
/** @import { Live } from '../../lib/live.js' */
/** @import { Address } from '../../frame/address.js' */
/** @import { Take } from './request.js' */

const State = whenOpened(() => import('./status.js').then(({ Status }) => Status), { isQuiet: true, isSoon: true })
const Selected = whenOpened(() => import('./wave.js').then(({ Wave }) => Wave), { isQuiet: true, isSoon: true })

/** An engine that is not available is looked for again after this time. */
const MISSING_MS = 5000

/** @param {{ live: Live, address: Address }} props address: with `take`, the id of a take that is shown */
export function Speak({ live, address }) {
  const draft = useDraft()
  const engines = useRead('/engines/tts')
  const voices = useRead('/v1/audio/voices')
  const takes = useRead('/history')
  const [selected, setSelected] = useState(/** @type {Take | null} */ (null))
  const profiles = useMemo(() => voices.value?.voices.filter((voice) => voice.type === 'profile') ?? [], [voices.value])
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
  useEffect(() => {
    const timer = setTimeout(prepareSpeaking, LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  // The machines decide which engines exist.
  useMachineChange(live, engines.again)
  // Engines of this machine are available a moment after the studio has started, for which there is no event.
  const isMissing = engineOf(engines.value, draft.engine)?.available === false
  useEffect(() => {
    if (!isMissing) return
    const timer = setInterval(() => document.hidden || void engines.again(), MISSING_MS)
    return () => clearInterval(timer)
  }, [isMissing])

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
  // Not drawn again with every key.
  const list = useMemo(() => {
    const substitutes = engines.value?.backends.flatMap(({ hint }) => hint || []) ?? []
    return html`<${Takes} takes=${takes.value} substitutes=${substitutes} error=${takes.error} selectedId=${selected?.id ?? null} onPlay=${play} onChanged=${changed} />`
  }, [takes.value, takes.error, engines.value, selected, busy, live.version])
  return html`
    ${error && html`<p class="callout bad" role="alert">${error}</p>`}
    <div class="speak-page">
    <div>
    <${SpeakForm} draft=${draft} onChange=${changeDraft} tts=${engines.value} profiles=${profiles} generation=${generation} onEngine=${engines.again} />
    ${generation.phase !== 'idle' && html`<${State.View} generation=${generation} />`}
    ${selected && html`<${Selected.View} take=${selected} />`}
    <${Unavailable} tts=${engines.value} />
    </div>
    ${list}
    </div>`
}
