// The player at the bottom of every page: what plays, its position and its speed. A page that shows the controls of the sound hides it.

import { strings } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { fieldValue } from '../lib/controls.tsx'
import { useState } from '../lib/html.ts'
import { Icon } from '../look/icons.tsx'
import { PlayButton } from '../look/play-button.tsx'
import { isDocked, SPEEDS, seekTo, setSpeed, speedNow, stopSound, togglePlaying, useSound } from '../look/sound.ts'

/** 0:07, 1:02:03. */
export function clockOf(seconds: number) {
  const whole = Math.floor(Math.max(0, seconds))
  const two = (value: number) => String(value % 60).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes}:${two(whole)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(whole)}`
}

export function Player() {
  const { path, title, href, isLoading, at, length } = useSound()
  const [speed, choose] = useState(speedNow)
  if (path === '' || isDocked(path)) return null
  const seek = (event: Event) => seekTo(Number(fieldValue(event)))
  const change = (event: Event) => {
    setSpeed(Number(fieldValue(event)))
    choose(speedNow())
  }
  return (
    <section class="docked sounding" aria-label={strings.player} data-at={at > 0 ? 'moving' : 'start'}>
      <PlayButton path={path} label={shared.playOf(title)} pauseLabel={shared.pauseOf(title)} kind="main play" onPress={togglePlaying} />
      {href === '' ? (
        <b class="name text one-line" dir="auto">
          {title}
        </b>
      ) : (
        <a class="name text one-line" dir="auto" href={href}>
          {title}
        </a>
      )}
      <span class="caption number wide-only">{clockOf(at)}</span>
      <input
        type="range"
        min={0}
        max={length || 1}
        step={0.05}
        value={at}
        disabled={isLoading || length === 0}
        aria-label={shared.positionOf(title)}
        aria-valuetext={`${clockOf(at)} / ${clockOf(length)}`}
        onInput={seek}
      />
      <span class="caption number wide-only">{clockOf(length)}</span>
      <select class="speed" aria-label={strings.speed} title={strings.speed} value={String(speed)} onChange={change}>
        {SPEEDS.map((one) => (
          <option key={one} value={String(one)}>
            {strings.speedOf(one)}
          </option>
        ))}
      </select>
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
