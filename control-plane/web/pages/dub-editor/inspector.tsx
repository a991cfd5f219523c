// Beside the table: the film with the original or a dubbed sound and its keys, and everything about the selected line.

import type { RefObject } from 'preact'
import { messageOf } from '#control-plane/web/lib/api.ts'
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import { decimal } from '#messages/language.ts'
import { languageName } from '../dub/languages.ts'
import type { Edit, Line, StoredDub } from '../dub/lines.ts'
import { LONG_SHARE, moment } from '../dub/lines.ts'
import { typedTimes } from './edits.ts'
import { stateText } from './table.tsx'

export function Film({
  id,
  dub,
  track,
  version,
  onTrack,
  media,
}: {
  id: string
  dub: StoredDub
  /** code of the language that sounds; '' is the original */
  track: string
  /** changes with each new track, so that the browser reads it again */
  version: number
  onTrack: (code: string) => void
  media: RefObject<HTMLMediaElement | null>
}) {
  const tracks = Object.keys(dub.dubbed_tracks)
  const address = encodeURIComponent(id)
  const source =
    track === '' || !tracks.includes(track)
      ? `/dub/media/${address}`
      : `/dub/preview-video/${address}?lang=${encodeURIComponent(track)}&v=${version}`
  const sound =
    track === '' || !tracks.includes(track) ? source : `/dub/download-audio/${address}?lang=${encodeURIComponent(track)}&v=${version}`
  return (
    <div class="film">
      {dub.input_type === 'audio' ? (
        <audio ref={media as RefObject<HTMLAudioElement>} controls preload="metadata" src={sound} aria-label={strings.film}></audio>
      ) : (
        <video
          ref={media as RefObject<HTMLVideoElement>}
          controls
          preload="metadata"
          src={source}
          poster={`/dub/thumb/${address}`}
          aria-label={strings.film}
        ></video>
      )}
      {tracks.length > 0 && (
        <div class="row" role="group" aria-label={strings.soundOf}>
          {['', ...tracks].map((code) => (
            <button
              type="button"
              key={code}
              class={code === track ? 'tint' : 'quiet'}
              aria-pressed={code === track}
              onClick={() => onTrack(code)}
            >
              {code === '' ? strings.original : languageName(code)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Typed text stays until it is a time: the line is drawn again at any moment. */
function Times({ line, onEdit }: { line: Line; onEdit: (line: Line, edit: Edit) => void }) {
  const [typed, setTyped] = useState<{ start?: string; end?: string }>({})
  const [refusal, setRefusal] = useState('')
  const store = () => {
    const times = typedTimes(line, typed)
    setRefusal(typeof times === 'string' ? strings.timeRefusals[times] : '')
    if (typeof times === 'string') return
    if (times.start !== line.start || times.end !== line.end) onEdit(line, times)
    setTyped({})
  }
  const field = (name: 'start' | 'end', label: string) => (
    <Field label={label}>
      <input
        type="number"
        min={0}
        step={0.01}
        value={typed[name] ?? Number(line[name].toFixed(2))}
        aria-invalid={refusal !== '' && name in typed}
        onInput={(event: Event) => setTyped({ ...typed, [name]: fieldValue(event) })}
        onChange={store}
      />
    </Field>
  )
  return (
    <>
      <div class="pair row">
        {field('start', strings.startSeconds)}
        {field('end', strings.endSeconds)}
      </div>
      {refusal && (
        <p class="warn-text" role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

export function LineDetails({
  line,
  speakers,
  nameOf,
  canSpeak,
  count,
  onEdit,
  onText,
  onAgain,
}: {
  line: Line
  speakers: readonly string[]
  nameOf: (speaker: string) => string
  canSpeak: boolean
  /** lines that are spoken by a press, this one among them */
  count: number
  onEdit: (line: Line, edit: Edit) => void
  onText: (line: Line, text: string) => void
  onAgain: (line: Line) => unknown
}) {
  return (
    <section class="line-details" aria-label={strings.line(line.number)}>
      <div class="row">
        <h3>{strings.line(line.number)}</h3>
        <span class="soft number">{moment(line.start)}</span>
        <span class="spread"></span>
        <Action disabled={!canSpeak || line.target.trim() === ''} onPress={() => onAgain(line)}>
          <Icon of="again" />
          {count === 1 ? strings.newTake : strings.speakWith(count - 1)}
        </Action>
      </div>
      <p class={`state text ${line.error || line.faults.length > 0 ? 'warn' : ''}`}>{stateText(line)}</p>
      {line.faults.includes('words') && line.understood && <p class="soft text">{strings.understood(line.understood)}</p>}
      {line.fit && (
        <p class={line.fit.share > LONG_SHARE ? 'warn-text' : 'soft'}>
          {strings.lengthIn(decimal(line.fit.seconds, 1), decimal(line.fit.room, 1), line.fit.isMeasured)}
        </p>
      )}
      {line.shorter && line.shorter !== line.target && (
        <p class="note text">
          <span>
            {strings.shorter} <q dir="auto">{line.shorter}</q>
          </span>{' '}
          <button type="button" class="quiet" onClick={() => onText(line, line.shorter)}>
            {strings.use}
          </button>
        </p>
      )}
      <div class="fields">
        <Field label={strings.sourceText}>
          <textarea
            dir="auto"
            rows={3}
            maxlength={5000}
            value={line.source}
            onInput={(event: Event) => onEdit(line, { source: fieldValue(event) })}
          ></textarea>
        </Field>
        <Field label={strings.speaker}>
          <select value={line.speaker} onChange={(event: Event) => onEdit(line, { speaker: fieldValue(event) })}>
            {speakers.map((one) => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </Field>
        <Times line={line} onEdit={onEdit} />
      </div>
    </section>
  )
}

/** Speeds that `l` goes through; no browser plays backwards, so `j` goes back by steps. */
const SPEEDS = [1, 1.5, 2]
const BACK_SECONDS = 2

/** The speed after one more press of `l`. Pure. */
const fasterThan = (speed: number) => SPEEDS.find((one) => one > speed) ?? SPEEDS.at(-1) ?? 1

/** j: back, k: pause and the usual speed, l: play, then faster. */
export function shuttleFilm(film: HTMLMediaElement, key: 'j' | 'k' | 'l') {
  if (key === 'j') {
    film.currentTime = Math.max(0, film.currentTime - BACK_SECONDS)
    return
  }
  if (key === 'k') {
    film.pause()
    film.playbackRate = 1
    return
  }
  if (!film.paused) film.playbackRate = fasterThan(film.playbackRate)
  else film.play().catch((failure) => notify(messageOf(failure), 'error'))
}
