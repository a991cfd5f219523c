// The text with its settings, and the bar that sends it. Only the text scrolls.
import type { ComponentChildren } from 'preact'
import type { Generation } from '#control-plane/web/frame/generation.ts'
import { cancelSpeaking, isBusy, startSpeaking } from '#control-plane/web/frame/generation.ts'
import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { Action, Field, fieldValue, Popover } from '#control-plane/web/lib/controls.tsx'
import { useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'
import { strings as shared } from '#messages/shared.ts'
import { DraftConflict } from '../speak-text/drafts.tsx'
import { TextMenus } from '../speak-text/insert.tsx'
import { Script } from '../speak-text/script.tsx'
import type { PartsOfTake } from '../speak-text/take-parts.ts'
import type { Draft } from './draft.ts'
import { changeDraft, isSeed, readDraft, TAKE_CHARS } from './draft.ts'
import { Substitute, VoiceField } from './engines.tsx'

const Marks = whenOpened(() => import('../speak-text/marks.tsx').then(({ SentenceMarks }) => SentenceMarks), {
  isQuiet: true,
  isSoon: true,
})
const Choices = whenOpened(() => import('./more.tsx').then(({ MoreChoices }) => MoreChoices), { isSoon: true })

/** Reason why the draft cannot be spoken; '' when it can. */
function objection({ text, seed }: Draft) {
  if (text.length > TAKE_CHARS) return strings.tooLong(TAKE_CHARS)
  return isSeed(seed) ? '' : strings.badSeed
}
const isReady = (draft: Draft) => draft.text.trim() !== '' && objection(draft) === ''

/** Choices that few texts need. */
function More({
  draft,
  tts,
  set,
  onChange,
  onEngine,
}: {
  draft: Draft
  tts: SpeechEngines | null
  onChange: (more: Partial<Draft>) => void
  set: (name: keyof Draft) => (event: Event) => void
  /** an engine was installed */
  onEngine: () => Promise<unknown>
}) {
  const [isOpen, setOpen] = useState(false)
  const isChanged = draft.instruct !== '' || draft.seed !== '' || draft.language !== ''
  return (
    <Popover
      id="speak-more"
      label={strings.moreShort}
      title={strings.more}
      kind={isChanged ? 'tint large' : 'large'}
      look="more"
      onToggle={setOpen}
      face={
        <>
          <Icon of="settings" />
          <span class="wide-label">{strings.moreShort}</span>
        </>
      }
    >
      {isOpen && <Choices.View draft={draft} tts={tts} set={set} onChange={onChange} onEngine={onEngine} />}
    </Popover>
  )
}

export function SpeakForm({
  draft,
  onChange,
  tts,
  profiles,
  generation,
  onEngine,
  parts,
  url,
  onPlay,
  children,
}: {
  draft: Draft
  onChange: (more: Partial<Draft>) => void
  tts: SpeechEngines | null
  /** another engine was selected */
  onEngine: () => Promise<unknown>
  profiles: ProfileVoice[]
  generation: Generation
  /** sentences of the selected take; `url`: of its sound */
  parts: PartsOfTake
  url: string
  onPlay: (at: number) => void
  /** above the bar */
  children?: ComponentChildren
}) {
  const place = useRef<HTMLTextAreaElement>(null)
  const why = objection(draft)
  const engines = useMemo(
    () => <VoiceField tts={tts} profiles={profiles} draft={draft} onChange={onChange} onEngine={onEngine} />,
    [tts, profiles, draft.engine, draft.voice, draft.language, onChange],
  )
  const busy = isBusy(generation)
  const set = (name: keyof Draft) => (event: Event) => onChange({ [name]: fieldValue(event) })
  const { changes, take } = parts
  const send = (keepFrom: string) => {
    // With what was typed last.
    const newest = readDraft()
    if (!isReady(newest) || busy) return
    changeDraft({})
    void startSpeaking(newest, keepFrom)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    send(changes > 0 ? (take?.id ?? '') : '')
  }
  return (
    <form class="speak" onSubmit={submit}>
      <div class="row tools">
        <div class="row chips">{engines}</div>
        <TextMenus place={place} project={draft.project} />
      </div>
      <div class="script-box">
        <Script text={draft.text} isTooLong={draft.text.length > TAKE_CHARS} place={place} onSend={submit} />
        {take !== null && <Marks.View text={draft.text} parts={parts} url={url} place={place} onPlay={onPlay} />}
      </div>
      <div class="below">
        <Substitute tts={tts} engine={draft.engine} onChosen={onEngine} />
        {why && (
          <p class="callout bad" role="alert">
            {why}
          </p>
        )}
        <DraftConflict />
        {children}
        <div class="row settings">
          <Field label={strings.speed(Number(draft.speed))} look="chip">
            <input type="range" min={0.25} max={4} step={0.05} value={draft.speed} onInput={set('speed')} />
          </Field>
          <More draft={draft} tts={tts} set={set} onChange={onChange} onEngine={onEngine} />
          <div class="row send">
            {busy && (
              <Action kind="large" title={strings.cancelNote} onPress={cancelSpeaking}>
                {shared.cancel}
              </Action>
            )}
            {changes > 0 && !busy && (
              <button type="button" class="large" onClick={() => send('')}>
                {strings.speakAll}
              </button>
            )}
            <button type="submit" class="main large" disabled={!isReady(draft) || busy} aria-busy={busy}>
              {!busy && <Icon of="speak" />}
              {changes > 0 ? strings.speakChanges(changes) : strings.speak}
              <span class="key-hint" aria-hidden="true">
                {strings.speakKeys}
              </span>
            </button>
          </div>
        </div>
      </div>
    </form>
  )
}
