// @ts-check
// The selected take: its waveform, a play button, and a slider for the position.
import WaveSurfer from 'wavesurfer.js'
import { fieldValue } from '../../lib/controls.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { onThemeChange, themeColor } from '../../look/theme.js'
import { strings } from './strings.js'

/** @import { Take } from './request.js' */

/** @param {number} seconds */
const clockTime = (seconds) => {
  const whole = Math.max(0, seconds)
  return `${Math.floor(whole / 60)}:${String(Math.floor(whole % 60)).padStart(2, '0')}`
}
/** The waveform reads colours once, so each theme change sets them again. */
const colours = () => ({ waveColor: themeColor('--wave'), progressColor: themeColor('--accent'), cursorColor: themeColor('--text') })
const LOOK = { height: 72, barWidth: 2, barGap: 2, barRadius: 2, normalize: true }
const NEW = { ready: false, playing: false, at: 0, length: 0, error: '' }

/** @param {HTMLElement} container */
function createWave(container) {
  const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? ''
  return WaveSurfer.create({ container, ...LOOK, ...colours(), cspNonce: nonce })
}

/** @param {{ take: Take, isPaused: boolean, onPlay: () => void }} props isPaused: something else is playing */
export function Wave({ take, isPaused, onPlay }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null))
  const wave = useRef(/** @type {WaveSurfer | null} */ (null))
  const [state, setState] = useState(NEW)

  useEffect(() => {
    if (!place.current) return
    const change = (/** @type {Partial<typeof NEW>} */ more) => setState((now) => ({ ...now, ...more }))
    change(NEW)
    const one = createWave(place.current)
    wave.current = one
    one.on('ready', (length) => {
      change({ ready: true, length })
      if (take.autoplay) one.play().catch(() => {}) // the browser wants a click first
    })
    one.on('play', () => change({ playing: true }))
    one.on('pause', () => change({ playing: false }))
    one.on('finish', () => change({ playing: false }))
    one.on('timeupdate', (at) => change({ at }))
    one.on('error', (error) => change({ error: error.name === 'AbortError' ? '' : strings.broken }))
    // A blob is not fetched by its URL: the policy allows requests to the studio only. A failure arrives as the event.
    void (take.sound ? one.loadBlob(take.sound) : one.load(take.url)).catch(() => {})
    const stop = onThemeChange(() => one.setOptions(colours()))
    return () => {
      stop()
      one.destroy()
    }
  }, [take])

  useEffect(() => {
    if (isPaused) wave.current?.pause()
  }, [isPaused])
  const press = () => {
    if (!state.playing) onPlay()
    void wave.current?.playPause()
  }
  const seek = (/** @type {Event} */ event) => wave.current?.setTime(Number(fieldValue(event)))

  return html`<section class="sheet player" aria-label=${strings.selectedTake} data-ready=${state.ready}>
    <p class="text clip desk" dir="auto">${take.text}</p>
    <div ref=${place} class="wave" aria-hidden="true"></div>
    ${state.error && html`<p class="callout bad" role="alert">${state.error}</p>`}
    <div class="row">
      <button type="button" class="main play" disabled=${!state.ready} aria-label=${state.playing ? shared.pause : shared.play} onClick=${press}><${Icon} of=${state.playing ? 'pause' : 'play'} isSolid /></button>
      <input class="seek" type="range" aria-label=${strings.position} min="0" max=${state.length || 1} step="0.01" value=${state.at}
        aria-valuetext=${strings.positionText(clockTime(state.at), clockTime(state.length))} disabled=${!state.ready} onInput=${seek} />
      <span class="soft mono">${clockTime(state.at)} / ${clockTime(state.length)}</span>
      <a class="button quiet icon-only" href=${take.url} download=${take.file} title=${shared.download} aria-label=${shared.download}><${Icon} of="download" /></a>
    </div>
  </section>`
}
