// Choices that few texts need: the engine, the style, the language, the seed, and why an engine is not available.

import type { SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/speak.ts'
import type { Draft } from './draft.ts'
import { engineOf, isSeed } from './draft.ts'

const stateOf = ({ available, hint }: SpeechEngines['backends'][number]) => (!available ? 'missing' : hint ? 'basic' : 'ready')

/** The engine for its default voice, and for saved voices. */
const EngineField = ({ tts, draft, onChange }: { tts: SpeechEngines | null; draft: Draft; onChange: (more: Partial<Draft>) => void }) => (
  <Field label={strings.engine}>
    <select value={draft.engine} onChange={(event: Event) => onChange({ engine: fieldValue(event), voice: '' })}>
      <option value="">{strings.defaultEngine(engineOf(tts, '')?.display_name ?? '')}</option>
      {tts?.backends.map((one) => (
        <option key={one.id} value={one.id} disabled={!one.available}>
          {strings.engineOption(one.display_name, stateOf(one))}
        </option>
      ))}
    </select>
  </Field>
)

/** `onChosen`: an engine was installed. */
function Unavailable({ tts, onChosen }: { tts: SpeechEngines | null; onChosen: () => Promise<unknown> }) {
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

export const MoreChoices = ({
  draft,
  tts,
  set,
  onChange,
  onEngine,
}: {
  draft: Draft
  tts: SpeechEngines | null
  set: (name: keyof Draft) => (event: Event) => void
  onChange: (more: Partial<Draft>) => void
  /** an engine was installed */
  onEngine: () => Promise<unknown>
}) => (
  <div class="foot">
    <EngineField tts={tts} draft={draft} onChange={onChange} />
    <Field label={strings.style} hint={strings.styleHint}>
      <input value={draft.instruct} maxlength={4096} onInput={set('instruct')} />
    </Field>
    <Field label={strings.language} hint={strings.languageHint}>
      <input value={draft.language} maxlength={35} onInput={set('language')} />
    </Field>
    <Field label={strings.seed} hint={strings.seedHint}>
      <input inputmode="numeric" value={draft.seed} aria-invalid={!isSeed(draft.seed)} onInput={set('seed')} />
    </Field>
    <Unavailable tts={tts} onChosen={onEngine} />
  </div>
)
