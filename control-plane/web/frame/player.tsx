// The player at the bottom of every page: what plays, its waveform, those before and after it in its list, speed, volume and file. A page that shows
// the controls of the sound hides it.

import { strings } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { fieldValue } from '../lib/controls.tsx'
import { clock } from '../lib/format.ts'
import { useEffect, useState } from '../lib/html.ts'
import { Icon } from '../look/icons.tsx'
import { PlayButton } from '../look/play-button.tsx'
import { Track, useWaveform } from '../look/sample.tsx'
import type { Sounding } from '../look/sound.ts'
import { isDocked, SPEEDS, seekTo, setSpeed, speedNow, stopSound, togglePlaying, useSound } from '../look/sound.ts'
import { Volume } from '../look/volume.tsx'
import { useIsPhone } from '../look/windowed.ts'

const BARS = 120
const PHONE_BARS = 24

/** Those before and after it in its list; undefined where there is none. */
function neighboursOf({ path, list }: Sounding) {
  const all = list()
  const at = all.findIndex((one) => one.path === path)
  return at < 0 ? {} : { before: all[at - 1], after: all[at + 1] }
}

/** Media keys and the screen of a locked phone show what the player shows. */
function useMediaSession({ isPlaying, at, length }: Sounding, { before, after }: ReturnType<typeof neighboursOf>) {
  const whole = Math.floor(at)
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
    if (length > 0) navigator.mediaSession.setPositionState({ duration: length, position: Math.min(at, length), playbackRate: speedNow() })
  }, [isPlaying, whole, length])
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.setActionHandler('previoustrack', before ? () => void before.play() : null)
    navigator.mediaSession.setActionHandler('nexttrack', after ? () => void after.play() : null)
    return () => {
      navigator.mediaSession.playbackState = 'none'
      for (const name of ['previoustrack', 'nexttrack'] as const) navigator.mediaSession.setActionHandler(name, null)
    }
  }, [before?.path, after?.path])
}

function Position({ now: { path, title, blob, at, length, isLoading } }: { now: Sounding }) {
  // A long sound is read while it plays, so its waveform is not known.
  const wave = useWaveform(blob ? path : null, blob, useIsPhone() ? PHONE_BARS : BARS)
  const text = `${clock(at)} / ${clock(length)}`
  if (wave.bars.length > 0) return <Track wave={wave} at={at} label={shared.positionOf(title)} text={text} onSeek={seekTo} />
  return (
    <input
      type="range"
      min={0}
      max={length || 1}
      step={0.05}
      value={at}
      disabled={isLoading || length === 0}
      aria-label={shared.positionOf(title)}
      aria-valuetext={text}
      onInput={(event: Event) => seekTo(Number(fieldValue(event)))}
    />
  )
}

function Speed() {
  const [speed, choose] = useState(speedNow)
  const change = (event: Event) => {
    setSpeed(Number(fieldValue(event)))
    choose(speedNow())
  }
  return (
    <select class="speed" aria-label={strings.speed} title={strings.speed} value={String(speed)} onChange={change}>
      {SPEEDS.map((one) => (
        <option key={one} value={String(one)}>
          {strings.speedOf(one)}
        </option>
      ))}
    </select>
  )
}

export function Player() {
  const now = useSound()
  const { path, title, href, at, length } = now
  const neighbours = neighboursOf(now)
  useMediaSession(now, neighbours)
  if (path === '' || isDocked(path)) return null
  const hasList = neighbours.before !== undefined || neighbours.after !== undefined
  const step = (icon: 'before' | 'after', label: string) => (
    <button
      type="button"
      class="quiet icon-only wide-only"
      title={label}
      aria-label={label}
      disabled={neighbours[icon] === undefined}
      onClick={() => neighbours[icon]?.play()}
    >
      <Icon of={icon} />
    </button>
  )
  return (
    <section class="docked sounding" aria-label={strings.player} data-at={at > 0 ? 'moving' : 'start'}>
      {hasList && step('before', strings.soundBefore)}
      <PlayButton path={path} label={shared.playOf(title)} pauseLabel={shared.pauseOf(title)} kind="main play" onPress={togglePlaying} />
      {hasList && step('after', strings.soundAfter)}
      {href === '' ? (
        <b class="name text one-line" dir="auto">
          {title}
        </b>
      ) : (
        <a class="name text one-line" dir="auto" href={href}>
          {title}
        </a>
      )}
      <span class="caption number wide-only">{clock(at)}</span>
      <Position now={now} />
      <span class="caption number wide-only">{clock(length)}</span>
      <Speed />
      <span class="wide-only">
        <Volume />
      </span>
      {path.startsWith('/') && (
        <a class="button quiet icon-only wide-only" href={path} download="" title={shared.download} aria-label={shared.download}>
          <Icon of="download" />
        </a>
      )}
      <button
        type="button"
        class="quiet icon-only"
        title={strings.closePlayer}
        aria-label={strings.closePlayer}
        onClick={() => stopSound()}
      >
        <Icon of="close" />
      </button>
    </section>
  )
}
