// The third step: a sentence and a voice, which speak from the first second.
import { isBusy, startSpeaking, useGeneration } from '#control-plane/web/frame/generation.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { voiceFields } from '#control-plane/web/voice-picker/rows.ts'
import { strings } from '#messages/start/setup.ts'
import { draftFrom } from '../speak/draft.ts'

const MOST_CHARS = 500

export function Hear() {
  const [text, setText] = useState(strings.sample)
  const [voice, setVoice] = useState('')
  const voices = useRead('/v1/audio/voices')
  const generation = useGeneration()
  const busy = isBusy(generation)
  const profiles = voices.value?.voices.filter((one) => one.type === 'profile') ?? []
  const engines = voices.value?.engines ?? []
  const speak = async (event: Event) => {
    event.preventDefault()
    if (text.trim() === '' || busy) return
    await startSpeaking(draftFrom({ text, ...voiceFields(voice, '', engines) }))
  }
  return (
    <section class="sheet step" aria-label={strings.hear}>
      <span class="step-mark" aria-hidden="true">
        3
      </span>
      <h2>{strings.hear}</h2>
      <form class="row hear" onSubmit={speak}>
        <Field label={strings.text} look="unnamed">
          <input dir="auto" maxLength={MOST_CHARS} value={text} onInput={(event: Event) => setText(fieldValue(event))} />
        </Field>
        <VoicePicker
          label={strings.voice}
          value={voice}
          own={[{ value: '', name: strings.defaultVoice }]}
          voices={{ profiles, engines }}
          onChoose={setVoice}
          onInstalled={voices.again}
        />
        <button type="submit" disabled={text.trim() === '' || busy} aria-busy={busy}>
          <Icon of="speak" />
          {strings.speak}
        </button>
      </form>
      {generation.phase === 'failed' && generation.error && (
        <p class="callout bad text" role="alert">
          {generation.error.message} {generation.error.hint}
        </p>
      )}
    </section>
  )
}
