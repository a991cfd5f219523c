// The text with its settings, and the bar that sends it. Only the text scrolls.
import type { ComponentChildren } from 'preact'
import type { Generation } from '#control-plane/web/frame/generation.ts'
import { cancelSpeaking, isBusy, startSpeaking } from '#control-plane/web/frame/generation.ts'
import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { Action, Field, fieldValue, Popover } from '#control-plane/web/lib/controls.tsx'
import { useMemo, useRef } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'
import { strings as shared } from '#messages/shared.ts'
import { DraftConflict, Drafts } from '../speak-text/drafts.tsx'
import { InsertMarks } from '../speak-text/insert.tsx'
import { SentenceMarks } from '../speak-text/marks.tsx'
import { Script } from '../speak-text/script.tsx'
import type { PartsOfTake } from '../speak-text/take-parts.ts'
import type { Draft } from './draft.ts'
import { changeDraft, readDraft, TAKE_CHARS } from './draft.ts'
import { EngineFields, Substitute, Unavailable } from './engines.tsx'

const SEED = /^\d{0,15}$/

/** Reason why the draft cannot be spoken; '' when it can. */
function objection({ text, seed }: Draft) {
  if (text.length > TAKE_CHARS) return strings.tooLong(TAKE_CHARS)
  return SEED.test(seed) ? '' : strings.badSeed
}
const isReady = (draft: Draft) => draft.text.trim() !== '' && objection(draft) === ''

/** Choices that few texts need. */
function More({
  draft,
  tts,
  set,
  onEngine,
}: {
  draft: Draft
  tts: SpeechEngines | null
  set: (name: keyof Draft) => (event: Event) => void
  /** an engine was installed */
  onEngine: () => Promise<unknown>
}) {
  const isChanged = draft.instruct !== '' || draft.seed !== '' || draft.language !== ''
  return (
    <Popover
      id="speak-more"
      label={strings.moreShort}
      title={strings.more}
      kind={isChanged ? 'tint large' : 'large'}
      look="more"
      face={
        <>
          <Icon of="settings" />
          <span class="wide-label">{strings.moreShort}</span>
        </>
      }
    >
      <div class="foot">
        <Field label={strings.style} hint={strings.styleHint}>
          <input value={draft.instruct} maxlength={4096} onInput={set('instruct')} />
        </Field>
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={draft.language} maxlength={35} onInput={set('language')} />
        </Field>
        <Field label={strings.seed} hint={strings.seedHint}>
          <input inputmode="numeric" value={draft.seed} aria-invalid={!SEED.test(draft.seed)} onInput={set('seed')} />
        </Field>
        <Unavailable tts={tts} onChosen={onEngine} />
      </div>
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
    () => <EngineFields tts={tts} profiles={profiles} draft={draft} onChange={onChange} />,
    [tts, profiles, draft.engine, draft.voice, onChange],
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
        <InsertMarks place={place} />
        <Drafts project={draft.project} />
      </div>
      <div class="script-box">
        <Script text={draft.text} isTooLong={draft.text.length > TAKE_CHARS} place={place} onSend={submit} />
        <SentenceMarks text={draft.text} parts={parts} url={url} place={place} onPlay={onPlay} />
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
          <More draft={draft} tts={tts} set={set} onEngine={onEngine} />
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
