// The dialogs of the editor: a voice for each speaker, and what a dub is saved as.
import { Action, Dialog, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { duration } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { VoiceOptions } from '#control-plane/web/look/voice-options.tsx'
import { strings } from '#messages/create/dub.ts'
import { strings as parts } from '#messages/dub/parts.ts'
import { strings as shared } from '#messages/shared.ts'
import { languageName } from '../dub/languages.ts'
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
              <Field label={parts.voiceOf(name)}>
                <select value={current} onChange={(event: Event) => onVoice(speaker, fieldValue(event))}>
                  <option value="">{parts.engineVoice}</option>
                  {film && <option value={film}>{parts.filmVoice}</option>}
                  <VoiceOptions profiles={profiles} engines={voices.value?.engines ?? []} value={current === film ? '' : current} />
                </select>
              </Field>
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

const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`

/** `code`: the language that is being edited */
export function Export({ id, dub, code, onClose }: { id: string; dub: StoredDub; code: string; onClose: () => void }) {
  const tracks = Object.keys(dub.dubbed_tracks)
  const [lang, setLang] = useState(tracks.includes(code) ? code : (tracks[0] ?? ''))
  const [keepsSound, setKeepsSound] = useState(true)
  const [burns, setBurns] = useState(false)
  const [isDual, setDual] = useState(false)
  const at = encodeURIComponent(id)
  const sound = { lang, preserve_bg: String(keepsSound) }
  const words = { lang, dual: String(isDual) }
  const film = {
    default_track: lang,
    include_tracks: [...tracks, 'original'].join(','),
    preserve_bg: String(keepsSound),
    burn_subs: String(burns),
    dual: String(isDual),
  }
  const files = [
    ...(dub.input_type === 'audio'
      ? []
      : [{ name: parts.files.film, detail: parts.files.filmHint(tracks.length, burns), href: address(`/dub/download/${at}`, film) }]),
    { name: parts.files.mp3, detail: parts.files.mp3Hint, href: address(`/dub/download-mp3/${at}`, sound) },
    { name: parts.files.wav, detail: parts.files.wavHint, href: address(`/dub/download-audio/${at}`, sound) },
    { name: parts.files.srt, detail: parts.files.srtHint, href: address(`/dub/srt/${at}`, words) },
    { name: parts.files.vtt, detail: parts.files.vttHint, href: address(`/dub/vtt/${at}`, words) },
    { name: parts.files.stems, detail: parts.files.stemsHint, href: address(`/dub/export-stems/${at}`, { lang }) },
    { name: parts.files.lines, detail: parts.files.linesHint, href: address(`/dub/export-segments/${at}`, { lang }) },
  ]
  return (
    <Dialog title={parts.exportTitle} onClose={onClose}>
      <div class="fields">
        <Field label={parts.language}>
          <select value={lang} onChange={(event: Event) => setLang(fieldValue(event))}>
            {tracks.map((one) => (
              <option key={one} value={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        </Field>
        <label class="tick">
          <input type="checkbox" checked={keepsSound} onChange={() => setKeepsSound(!keepsSound)} />{' '}
          {dub.has_bg ? parts.keepBackground : parts.keepOriginal}
        </label>
        <label class="tick">
          <input type="checkbox" checked={isDual} onChange={() => setDual(!isDual)} /> {parts.dual}
        </label>
        {dub.input_type !== 'audio' && (
          <label class="tick">
            <input type="checkbox" checked={burns} onChange={() => setBurns(!burns)} /> {parts.burn}
          </label>
        )}
      </div>
      <ul class="plain exports">
        {files.map(({ name, detail, href }) => (
          <li key={name} class="row">
            <span>
              <b>{name}</b>
              <small>{detail}</small>
            </span>
            <span class="spread"></span>
            <a class="button" download href={href} aria-label={parts.saveAs(name)}>
              <Icon of="download" />
              {shared.save}
            </a>
          </li>
        ))}
      </ul>
      <p class="soft">{parts.exportHint}</p>
    </Dialog>
  )
}
