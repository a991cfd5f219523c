// Choice of engine and voice, and why an engine is not available.

import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { mayAdminister } from '#control-plane/web/visitor.ts'
import { strings } from '#messages/create/speak.ts'
import type { Draft } from './draft.ts'

const Offer = whenOpened(() => import('../models/natural-voice.tsx').then(({ NaturalVoice }) => NaturalVoice), { isQuiet: true })

/** `id`: '' is the default engine */
export const engineOf = (tts: SpeechEngines | null, id: string) => tts?.backends.find((one) => one.id === (id || tts.active))

const stateOf = ({ available, hint }: SpeechEngines['backends'][number]) => (!available ? 'missing' : hint ? 'basic' : 'ready')

export function EngineFields({
  tts,
  profiles,
  draft,
  onChange,
}: {
  tts: SpeechEngines | null
  profiles: ProfileVoice[]
  draft: Draft
  onChange: (more: Partial<Draft>) => void
}) {
  const voices = engineOf(tts, draft.engine)?.voices ?? []
  const isKnown = draft.voice === '' || voices.some(({ id }) => id === draft.voice) || profiles.some((one) => one.voice_id === draft.voice)
  return (
    <>
      <Field label={strings.voice} look="chip">
        <select value={draft.voice} onChange={(event: Event) => onChange({ voice: fieldValue(event) })}>
          <option value="">{strings.defaultVoice}</option>
          {voices.length > 0 && (
            <optgroup label={strings.engineVoices}>
              {voices.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                  {one.language !== '*' && ` · ${one.language}`}
                </option>
              ))}
            </optgroup>
          )}
          {profiles.length > 0 && (
            <optgroup label={strings.savedVoices}>
              {profiles.map((one) => (
                <option key={one.voice_id} value={one.voice_id}>
                  {one.name}
                </option>
              ))}
            </optgroup>
          )}
          {!isKnown && <option value={draft.voice}>{strings.unknownVoice(draft.voice)}</option>}
        </select>
      </Field>
      <Field label={strings.engine} look="chip">
        <select value={draft.engine} onChange={(event: Event) => onChange({ engine: fieldValue(event), voice: '' })}>
          <option value="">{strings.defaultEngine(engineOf(tts, '')?.display_name ?? '')}</option>
          {tts?.backends.map((one) => (
            <option key={one.id} value={one.id} disabled={!one.available}>
              {strings.engineOption(one.display_name, stateOf(one))}
            </option>
          ))}
        </select>
      </Field>
    </>
  )
}

/** Shown before the text is spoken: which voice answers instead of the chosen one. */
export function Substitute({ tts, engine, onChosen }: { tts: SpeechEngines | null; engine: string; onChosen: () => Promise<unknown> }) {
  const one = engineOf(tts, engine)
  if (!one) return null
  if (!one.available)
    return (
      <>
        <p class="note">
          <Icon of="note" />
          <span>{strings.engineUnavailable(one.display_name)}</span>
        </p>
        {one.needs && <Needs.View of={one.needs} onInstalled={onChosen} />}
      </>
    )
  if (!one.hint) return null
  return (
    <p class="note" data-substitute>
      <Icon of="note" />
      <span>
        <span class="text">{one.hint}</span>{' '}
        {mayAdminister &&
          (engine === '' ? <Offer.View active={tts?.active ?? ''} onChosen={onChosen} /> : <a href="#/models">{strings.seeModels}</a>)}
      </span>
    </p>
  )
}

/** `onChosen`: an engine was installed. */
export function Unavailable({ tts, onChosen }: { tts: SpeechEngines | null; onChosen: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  const missing = tts?.backends.filter(({ available }) => !available) ?? []
  if (missing.length === 0) return null
  return (
    <details
      class="missing"
      onToggle={({ currentTarget }: Event) => setOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
    >
      <summary>{strings.unavailable(missing.length)}</summary>
      <dl class="why">
        {(isOpen ? missing : []).map((one) => (
          <div key={one.id}>
            <dt>{one.display_name}</dt>
            <dd class="text">{one.needs ? <Needs.View of={one.needs} onInstalled={onChosen} /> : strings.byHand}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
