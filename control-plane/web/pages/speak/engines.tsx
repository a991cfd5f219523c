// Choice of engine and voice, and why an engine is not available.

import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { mayAdminister } from '#control-plane/web/visitor.ts'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { voiceFields, voiceValue } from '#control-plane/web/voice-picker/rows.ts'
import { strings } from '#messages/create/speak.ts'
import type { Draft } from './draft.ts'
import { engineOf } from './draft.ts'

const Offer = whenOpened(() => import('../models/natural-voice.tsx').then(({ NaturalVoice }) => NaturalVoice), { isQuiet: true })

/** `onEngine`: an engine was installed. */
export function VoiceField({
  tts,
  profiles,
  draft,
  onChange,
  onEngine,
}: {
  tts: SpeechEngines | null
  profiles: ProfileVoice[]
  draft: Draft
  onChange: (more: Partial<Draft>) => void
  onEngine: () => Promise<unknown>
}) {
  const engines = tts?.backends ?? []
  const about = draft.engine === '' ? '' : (engineOf(tts, draft.engine)?.display_name ?? '')
  return (
    <VoicePicker
      label={strings.voice}
      value={voiceValue(profiles.some((one) => one.voice_id === draft.voice) ? '' : draft.engine, draft.voice)}
      own={[{ value: '', name: strings.defaultVoice, about }]}
      voices={{ profiles, engines }}
      language={draft.language}
      onChoose={(value: string) => onChange(voiceFields(value, draft.engine, engines))}
      onInstalled={onEngine}
    />
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
        <span class="text">{serverSentence(one.hint)}</span>{' '}
        {mayAdminister &&
          (engine === '' ? <Offer.View active={tts?.active ?? ''} onChosen={onChosen} /> : <a href="#/models">{strings.seeModels}</a>)}
      </span>
    </p>
  )
}
