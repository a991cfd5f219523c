// Speak: text to sound. The form, the state of the last generation, the selected take, and the earlier takes.

import type { Address } from '#control-plane/web/frame/address.ts'
import { isBusy, prepareSpeaking, useGeneration } from '#control-plane/web/frame/generation.ts'
import { get } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useMemo, useState } from '#control-plane/web/lib/html.ts'
import { LATER_MS, whenOpened } from '#control-plane/web/lib/later.tsx'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useMachineChange } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/create/speak.ts'
import { changeDraft, useDraft } from './draft.ts'
import { engineOf, Unavailable } from './engines.tsx'
import { SpeakForm } from './form.tsx'
import type { Take } from './request.ts'
import { Takes } from './takes.tsx'

const State = whenOpened(() => import('./status.tsx').then(({ Status }) => Status), { isQuiet: true, isSoon: true })
const Selected = whenOpened(() => import('./wave.tsx').then(({ Wave }) => Wave), { isQuiet: true, isSoon: true })

/** An engine that is not available is looked for again after this time. */
const MISSING_MS = 5000

/** `address`: with `take`, the id of a take that is shown */
export function Speak({ live, address }: { live: Live; address: Address }) {
  const draft = useDraft()
  const engines = useRead('/engines/tts')
  const voices = useRead('/v1/audio/voices')
  const takes = useRead('/history')
  const [selected, setSelected] = useState<Take | null>(null)
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

  const play = ({ id, audio_path: file, text }: HistoryTake) => {
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
    return (
      <Takes
        takes={takes.value}
        substitutes={substitutes}
        error={takes.error}
        selectedId={selected?.id ?? null}
        onPlay={play}
        onChanged={changed}
      />
    )
  }, [takes.value, takes.error, engines.value, selected, busy, live.version])
  return (
    <>
      {error && (
        <p class="callout bad" role="alert">
          {error}
        </p>
      )}
      <div class="speak-page">
        <div>
          <SpeakForm
            draft={draft}
            onChange={changeDraft}
            tts={engines.value}
            profiles={profiles}
            generation={generation}
            onEngine={engines.again}
          />
          {generation.phase !== 'idle' && <State.View generation={generation} />}
          {selected && <Selected.View take={selected} />}
          <Unavailable tts={engines.value} onChosen={engines.again} />
        </div>
        {list}
      </div>
    </>
  )
}
