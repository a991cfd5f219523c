// The text and its settings.

import type { Generation } from '#control-plane/web/frame/generation.ts'
import { cancelSpeaking, isBusy, silence, startSpeaking } from '#control-plane/web/frame/generation.ts'
import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useMemo, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'
import { strings as shared } from '#messages/shared.ts'
import type { Draft } from './draft.ts'
import { FILE_CHARS, KINDS, kindOf, TAKE_CHARS } from './draft.ts'
import { EngineFields, Substitute } from './engines.tsx'

const SEED = /^\d{0,15}$/

/** Reason why the draft cannot be spoken; '' when it can. */
function objection({ text, kind, seed }: Draft, limit: number) {
  if (text.length > limit) return strings.tooLong(kind === 'wav', limit)
  return SEED.test(seed) ? '' : strings.badSeed
}

function More({ draft, set }: { draft: Draft; set: (name: keyof Draft) => (event: Event) => void }) {
  // Once: it does not close when its only text is deleted.
  const [isOpen] = useState(draft.instruct !== '' || draft.seed !== '' || draft.language !== '')
  return (
    <details class="more" open={isOpen}>
      <summary>{strings.more}</summary>
      <div class="choices">
        <Field label={strings.style} hint={strings.styleHint}>
          <input value={draft.instruct} maxlength={4096} onInput={set('instruct')} />
        </Field>
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={draft.language} maxlength={35} onInput={set('language')} />
        </Field>
        <Field label={strings.seed} hint={strings.seedHint}>
          <input inputmode="numeric" value={draft.seed} aria-invalid={!SEED.test(draft.seed)} onInput={set('seed')} />
        </Field>
      </div>
    </details>
  )
}

export function SpeakForm({
  draft,
  onChange,
  tts,
  profiles,
  generation,
  onEngine,
}: {
  draft: Draft
  onChange: (more: Partial<Draft>) => void
  tts: SpeechEngines | null
  /** another engine was selected */
  onEngine: () => Promise<unknown>
  profiles: ProfileVoice[]
  generation: Generation
}) {
  const limit = draft.kind === 'wav' ? TAKE_CHARS : FILE_CHARS
  const why = objection(draft, limit)
  const engines = useMemo(
    () => <EngineFields tts={tts} profiles={profiles} draft={draft} onChange={onChange} />,
    [tts, profiles, draft.engine, draft.voice, onChange],
  )
  const isReady = draft.text.trim() !== '' && why === ''
  const busy = isBusy(generation)
  const send = () => isReady && !busy && void startSpeaking(draft)
  const set = (name: keyof Draft) => (event: Event) => onChange({ [name]: fieldValue(event) })
  const submit = (event: Event) => {
    event.preventDefault()
    send()
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form class="speak" onSubmit={submit}>
      <div class="row chips">{engines}</div>
      <Substitute tts={tts} engine={draft.engine} onChosen={onEngine} />
      <Field label={strings.text} look="script">
        <textarea
          dir="auto"
          value={draft.text}
          placeholder={strings.placeholder}
          aria-describedby="speak-length"
          aria-invalid={draft.text.length > limit}
          onInput={set('text')}
          onKeyDown={key}
        ></textarea>
      </Field>
      <p class="caption length" id="speak-length">
        {strings.length(draft.text.length, limit)}
      </p>
      <div class="settings">
        <div class="row">
          <Field label={strings.speed(Number(draft.speed))} look="chip">
            <input type="range" min={0.25} max={4} step={0.05} value={draft.speed} onInput={set('speed')} />
          </Field>
          <Field label={strings.file} look="chip">
            <select value={draft.kind} onChange={(event: Event) => onChange({ kind: kindOf(fieldValue(event)) })}>
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {strings.kinds[kind]}
                </option>
              ))}
            </select>
          </Field>
          <div class="row send">
            {generation.isPlaying && (generation.firstSound !== null || !busy) && (
              <button type="button" class="large" onClick={silence}>
                {strings.stop}
              </button>
            )}
            {busy && (
              <Action kind="large" onPress={cancelSpeaking}>
                {shared.cancel}
              </Action>
            )}
            <button type="submit" class="main large" disabled={!isReady || busy} aria-busy={busy}>
              {!busy && <Icon of="speak" />}
              {strings.speak}
              <span class="key-hint" aria-hidden="true">
                {strings.speakKeys}
              </span>
            </button>
          </div>
        </div>
        <More draft={draft} set={set} />
        {draft.kind !== 'wav' && (
          <p class="note">
            <Icon of="note" />
            <span>{strings.downloadOnly}</span>
          </p>
        )}
      </div>
      {why && (
        <p class="callout bad" role="alert">
          {why}
        </p>
      )}
    </form>
  )
}
