// The film with the original or a dubbed sound, our own controls, and its keys.

import type { RefObject } from 'preact'
import { messageOf } from '#control-plane/web/lib/api.ts'
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useLayoutEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { setVolume, volumeNow } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/create/dub.ts'
import { languageName } from '../dub/languages.ts'
import type { Line, StoredDub } from '../dub/lines.ts'
import { moment, own } from '../dub/lines.ts'

const EVENTS = ['play', 'pause', 'ended', 'timeupdate', 'seeking', 'loadedmetadata'] as const
/** Pictures that are made slower have times of their own. */
const STRETCHED: readonly string[] = ['stretch_video', 'smart_fit']

/** Starts the film, and says why it can't be played. */
export const playFilm = (film: HTMLMediaElement) =>
  film.play().catch((failure) => {
    // It was paused, or got another sound, before it began.
    if (failure instanceof DOMException && failure.name === 'AbortError') return
    notify(messageOf(failure), 'error')
  })

/** Seconds and state of the element. */
function useFilm(media: RefObject<HTMLMediaElement | null>, source: string, from: number) {
  const [now, show] = useState({ at: 0, isPlaying: false })
  const kept = useRef(from)
  // The next sound of the film goes on where this one was.
  useLayoutEffect(() => {
    const film = media.current
    if (!film) return
    const changed = () => show({ at: film.currentTime, isPlaying: !film.paused && !film.ended })
    const loaded = () => {
      film.volume = volumeNow()
      if (kept.current > 0 && film.currentTime === 0) film.currentTime = kept.current
    }
    film.addEventListener('loadedmetadata', loaded)
    for (const name of EVENTS) film.addEventListener(name, changed)
    return () => {
      kept.current = film.currentTime
      film.removeEventListener('loadedmetadata', loaded)
      for (const name of EVENTS) film.removeEventListener(name, changed)
    }
  }, [source])
  return now
}

function Volume({ media }: { media: RefObject<HTMLMediaElement | null> }) {
  const [volume, show] = useState(volumeNow)
  const change = (event: Event) => {
    setVolume(Number(fieldValue(event)))
    show(volumeNow())
    if (media.current) media.current.volume = volumeNow()
  }
  return (
    <label class="volume" title={strings.volume}>
      <Icon of="volume" />
      <input type="range" min={0} max={1} step={0.05} value={volume} aria-label={strings.volume} onInput={change} />
    </label>
  )
}

/** The words of the moment, over the picture. */
const Caption = ({ lines, at, isOriginal, language }: { lines: readonly Line[]; at: number; isOriginal: boolean; language: string }) => {
  const text = lines
    .filter(({ start, end }) => start <= at && at < end)
    .map(({ source, target }) => (isOriginal ? source : target || source))
    .join('\n')
  return text === '' ? null : (
    <p class="film-words" dir="auto" lang={isOriginal ? undefined : language} aria-hidden="true">
      {text}
    </p>
  )
}

export function Film({
  id,
  dub,
  lines,
  track,
  version,
  from,
  onTrack,
  media,
}: {
  id: string
  dub: StoredDub
  lines: readonly Line[]
  /** code of the language that sounds; '' is the original */
  track: string
  /** changes with each new track, so that the browser reads it again */
  version: number
  /** seconds at which it is opened */
  from: number
  onTrack: (code: string) => void
  media: RefObject<HTMLMediaElement | null>
}) {
  const [hasWords, setWords] = useState(true)
  const tracks = Object.keys(dub.dubbed_tracks)
  const address = encodeURIComponent(id)
  const isOriginal = track === '' || !tracks.includes(track)
  const query = `?lang=${encodeURIComponent(track)}&v=${version}`
  const isSound = dub.input_type === 'audio'
  const source = isOriginal ? `/dub/media/${address}` : `/dub/${isSound ? 'download-audio' : 'preview-video'}/${address}${query}`
  const { at, isPlaying } = useFilm(media, source, from)
  useEffect(() => () => media.current?.pause(), [])
  const toggle = () => {
    const film = media.current
    if (!film) return
    if (film.paused) void playFilm(film)
    else film.pause()
  }
  const seek = (event: Event) => {
    if (media.current) media.current.currentTime = Number(fieldValue(event))
  }
  const isTimed = isOriginal || !STRETCHED.includes(own(dub.fit_plans, track)?.strategy ?? '')
  return (
    <div class="film">
      {isSound ? (
        <audio ref={media as RefObject<HTMLAudioElement>} preload="metadata" src={source} aria-label={strings.film}></audio>
      ) : (
        <div class="picture">
          <video
            ref={media as RefObject<HTMLVideoElement>}
            preload="metadata"
            src={source}
            poster={`/dub/thumb/${address}`}
            aria-label={strings.film}
            onClick={toggle}
          ></video>
          {hasWords && isTimed && <Caption lines={lines} at={at} isOriginal={isOriginal} language={track} />}
        </div>
      )}
      <div class="row film-bar" role="group" aria-label={strings.filmControls}>
        <button
          type="button"
          class="main icon-only round"
          aria-label={isPlaying ? strings.pauseFilm : strings.playFilm}
          title={isPlaying ? strings.pauseFilm : strings.playFilm}
          onClick={toggle}
        >
          <Icon of={isPlaying ? 'pause' : 'play'} isSolid />
        </button>
        <small class="number">
          {moment(at)} <span class="soft">/ {moment(dub.duration)}</span>
        </small>
        <span class="spread"></span>
        {!isSound && (
          <button
            type="button"
            class={hasWords ? 'tint icon-only' : 'quiet icon-only'}
            aria-pressed={hasWords}
            aria-label={strings.filmWords}
            title={strings.filmWords}
            onClick={() => setWords(!hasWords)}
          >
            <Icon of="captions" />
          </button>
        )}
        <Volume media={media} />
      </div>
      <input
        type="range"
        class="film-seek"
        aria-label={strings.seekFilm}
        aria-valuetext={moment(at)}
        min={0}
        max={Math.max(0.1, dub.duration)}
        step={0.1}
        value={at}
        onInput={seek}
      />
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
  else void playFilm(film)
}
