// The dialog of the editor for voices: one for each speaker.
import { Action, Dialog, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { duration } from '#control-plane/web/lib/format.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { strings } from '#messages/create/dub.ts'
import { strings as parts } from '#messages/dub/parts.ts'
import { strings as shared } from '#messages/shared.ts'
import type { Draft, Line, StoredDub } from '../dub/lines.ts'
import { own } from '../dub/lines.ts'
import type { Sounding } from '../dub/sound.ts'
import { NewSpeaker } from '../dub-panel/speakers.tsx'

export function Voices({
  speakers,
  dub,
  draft,
  speaker: look,
  lines,
  sounding,
  onPlay,
  onName,
  onVoice,
  onNew,
  onClose,
}: {
  speakers: readonly string[]
  dub: StoredDub
  draft: Draft
  speaker: (speaker: string) => { name: string; tint: number }
  lines: readonly Line[]
  sounding: Sounding
  /** plays a line; a second press stops it */
  onPlay: (line: Line) => Promise<void>
  onName: (speaker: string, name: string) => void
  onVoice: (speaker: string, voice: string) => void
  onNew: (name: string) => void
  onClose: () => void
}) {
  const voices = useRead('/v1/audio/voices')
  const profiles = voices.value?.voices.filter((voice) => voice.type === 'profile') ?? []
  return (
    <Dialog title={strings.voices} onClose={onClose}>
      <p class="soft">{parts.voicesHint}</p>
      {voices.error && (
        <p class="callout bad text" role="alert">
          {voices.error}
        </p>
      )}
      <ul class="plain speakers">
        {speakers.map((speaker) => {
          const { name, tint } = look(speaker)
          const mine = lines.filter((line) => line.speaker === speaker)
          const current = mine[0]?.voice ?? own(draft.voices, speaker) ?? ''
          // A take that exists may have another voice.
          const sample = mine.find((line) => line.target.trim() !== '') ?? mine[0]
          const isSounding = sample !== undefined && sounding.line === sample.id
          const seconds = mine.reduce((sum, { start, end }) => sum + end - start, 0)
          const film = own(dub.speaker_clones, speaker) === undefined ? '' : `auto:${speaker}`
          return (
            <li key={speaker} class="row">
              <span class={`kind k${tint}`} aria-hidden="true">
                {[...name][0]}
              </span>
              <Field label={parts.name}>
                <input
                  dir="auto"
                  maxlength={60}
                  value={own(draft.names, speaker) ?? ''}
                  placeholder={name}
                  onInput={(event: Event) => onName(speaker, fieldValue(event))}
                />
              </Field>
              <VoicePicker
                label={parts.voiceOf(name)}
                value={current}
                own={[{ value: '', name: parts.engineVoice }, ...(film ? [{ value: film, name: parts.filmVoice }] : [])]}
                voices={{ profiles, engines: voices.value?.engines ?? [] }}
                onChoose={(voice: string) => onVoice(speaker, voice)}
              />
              <Action
                kind="quiet icon-only"
                aria-label={isSounding ? parts.stopVoice(name) : parts.hearVoice(name)}
                disabled={sample === undefined}
                onPress={() =>
                  sample && onPlay({ ...sample, target: sample.target.trim() || sample.source, voice: current, state: 'changed' })
                }
              >
                {isSounding && sounding.isWaiting ? <Ring share={null} /> : <Icon of={isSounding ? 'pause' : 'play'} isSolid />}
              </Action>
              <small class="number">{parts.speaks(mine.length, duration(seconds))}</small>
            </li>
          )
        })}
      </ul>
      <NewSpeaker onNew={onNew} />
      <footer>
        <button type="button" class="main" onClick={onClose}>
          {shared.done}
        </button>
      </footer>
    </Dialog>
  )
}
