// Speak: text to sound. The form, the state of the last generation, the selected take, and the earlier takes.

import type { Address } from '#control-plane/web/frame/address.ts'
import { isBusy, prepareSpeaking, useGeneration } from '#control-plane/web/frame/generation.ts'
import { useObjectName } from '#control-plane/web/frame/object-name.ts'
import { get, messageOf } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useMemo, useState } from '#control-plane/web/lib/html.ts'
import { LATER_MS, whenOpened } from '#control-plane/web/lib/later.tsx'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useMachineChange } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { useIsNarrow } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/speak.ts'
import { playTake } from '../speak-sound/play-take.ts'
import { Transport } from '../speak-sound/transport.tsx'
import { DraftState } from '../speak-text/drafts.tsx'
import { draftKeeper, keepDraft, nameOfDraft } from '../speak-text/kept.ts'
import { useTakeParts } from '../speak-text/take-parts.ts'
import { changeDraft, engineOf, TAKE_CHARS, useDraft } from './draft.ts'
import { SpeakForm } from './form.tsx'
import type { Take } from './request.ts'
import { takeOf } from './request.ts'
import { Takes } from './takes.tsx'

const State = whenOpened(() => import('./status.tsx').then(({ Status }) => Status), { isQuiet: true, isSoon: true })

/** Screens on which the takes are a sheet, as in the style sheet. */
const STACKED = '(max-width: 1200px)'
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
  const isNarrow = useIsNarrow(STACKED)
  useEffect(() => {
    const { take } = generation
    // What is selected is no longer what sounds.
    if (generation.phase === 'waiting') setSelected(null)
    if (take === null) return
    setSelected(take)
    void takes.again()
  }, [generation.take, generation.phase === 'waiting'])
  useEffect(() => {
    const timer = setTimeout(prepareSpeaking, LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  const opened = address.query.get('draft')
  useEffect(() => {
    if (opened === null) return void keepDraft()
    const failed = (error: unknown) => notify(messageOf(error), 'error')
    // What is on the page is kept also if that one is gone.
    void draftKeeper.open(opened).catch(failed).then(keepDraft)
  }, [opened])
  // The machines decide which engines exist.
  useMachineChange(live, engines.again)
  // Engines of this machine are available a moment after the studio has started, for which there is no event.
  const isMissing = engineOf(engines.value, draft.engine)?.available === false
  useEffect(() => {
    if (!isMissing) return
    const timer = setInterval(() => document.hidden || void engines.again(), MISSING_MS)
    return () => clearInterval(timer)
  }, [isMissing])

  const play = (take: HistoryTake) => {
    if (busy) return notify(strings.busy, 'error')
    setSelected({ ...takeOf(take), autoplay: true })
  }
  const wanted = address.query.get('take')
  useEffect(() => {
    if (wanted === null || busy || takes.value === null) return
    const show = (take: HistoryTake) => setSelected(takeOf(take))
    const take = takes.value.find(({ id }) => id === wanted)
    if (take) show(take)
    // An older one; a deleted one is not shown.
    else get(`/history/${encodeURIComponent(wanted)}` as `/history/${string}`).then(show, () => {})
  }, [wanted, takes.value === null])
  const name = nameOfDraft(draft)
  useObjectName(name)
  // The newest take that begins like the draft is there to be heard.
  useEffect(() => {
    if (selected !== null || wanted !== null || generation.phase !== 'idle') return
    const take = name && takes.value?.find((one) => nameOfDraft(one) === name)
    if (take) setSelected(takeOf(take))
  }, [name, takes.value, selected === null, generation.phase])
  const changed = async () => {
    await takes.again()
    const kept = await get('/history')
    setSelected((old) => (old?.id && !kept.some(({ id }) => id === old.id) ? null : old))
  }
  const parts = useTakeParts(selected, draft, ({ audio_path: file, id }, at) => {
    const next = { ...(selected ?? { text: '' }), id, file, url: `/audio/${file}`, autoplay: false }
    setSelected(next)
    void playTake(next, { from: at })
    void takes.again()
  })
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
    <div class="speak-page">
      <div class="speak-work">
        <SpeakForm
          draft={draft}
          onChange={changeDraft}
          tts={engines.value}
          profiles={profiles}
          generation={generation}
          onEngine={engines.again}
          parts={parts}
          url={selected?.url ?? ''}
          onPlay={(at) => selected && playTake(selected, { from: at })}
        >
          {error && (
            <p class="callout bad" role="alert">
              {error}
            </p>
          )}
          <div class="state-line">
            {parts.changes > 0 && !busy ? (
              <p class="changes" role="status">
                {strings.changedSentences(parts.changes)}
              </p>
            ) : (
              generation.phase !== 'idle' && <State.View generation={generation} />
            )}
            <p class="caption number length" id="speak-length">
              {strings.length(draft.text.length, TAKE_CHARS)}
            </p>
            <DraftState />
          </div>
        </SpeakForm>
        <Transport take={selected} parts={parts}>
          {isNarrow && (
            <button type="button" class="quiet" popovertarget="takes">
              {strings.takesCount(takes.value?.length ?? 0)}
              <Icon of="right" />
            </button>
          )}
        </Transport>
      </div>
      {isNarrow ? (
        <div id="takes" class="popover takes-sheet" popover="auto" aria-label={strings.takes}>
          {list}
        </div>
      ) : (
        list
      )}
    </div>
  )
}
