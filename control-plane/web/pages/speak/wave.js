// @ts-check
// The selected take: its waveform, a play button, and a slider for the position. The waveform is only drawn; the player of the studio plays.
import { messageOf } from '../../lib/api.js'
import { fieldValue } from '../../lib/controls.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { PlayButton, playSound, useDock, useSound } from '../../look/sound.js'
import { onThemeChange, themeColor } from '../../look/theme.js'
import { strings } from './strings.js'

/** @import WaveSurfer from 'wavesurfer.js' */
/** @import { Take } from './request.js' */

const TITLE_CHARS = 80
/** @param {number} seconds */
const clockTime = (seconds) => {
  const whole = Math.max(0, seconds)
  return `${Math.floor(whole / 60)}:${String(Math.floor(whole % 60)).padStart(2, '0')}`
}
/** The waveform reads colours once, so each theme change sets them again. */
const colours = () => ({ waveColor: themeColor('--wave'), progressColor: themeColor('--accent'), cursorColor: themeColor('--text') })
const LOOK = { height: 72, barWidth: 2, barGap: 2, barRadius: 2, normalize: true }
const NEW = { ready: false, length: 0, error: '' }

/** Loads what draws it. @param {HTMLElement} container */
async function createWave(container) {
  const { default: Drawn } = await import('wavesurfer.js')
  const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? ''
  return Drawn.create({ container, ...LOOK, ...colours(), cspNonce: nonce })
}

/** @param {Take} take @param {number} [from] seconds */
const play = ({ id, url, sound, text }, from) =>
  playSound(url, {
    ...(from !== undefined && { from }),
    blob: sound ?? null,
    title: text.slice(0, TITLE_CHARS),
    href: id === null ? '#/speak' : `#/speak?take=${encodeURIComponent(id)}`,
  }).catch((error) => notify(messageOf(error), 'error'))

/** Takes that began by themselves; they do so once. @type {WeakSet<Take>} */
const startedTakes = new WeakSet()

/** @param {{ take: Take }} props */
export function Wave({ take }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null))
  const wave = useRef(/** @type {WaveSurfer | null} */ (null))
  const [state, setState] = useState(NEW)
  const now = useSound()
  const at = now.path === take.url ? now.at : 0
  useDock(take.url)

  useEffect(() => {
    const { current } = place
    if (!current) return
    let isGone = false
    let stop = () => {}
    const change = (/** @type {Partial<typeof NEW>} */ more) => isGone || setState((now) => ({ ...now, ...more }))
    change(NEW)
    const start = async () => {
      const one = await createWave(current)
      if (isGone) return one.destroy()
      wave.current = one
      const unfollow = onThemeChange(() => one.setOptions(colours()))
      stop = () => {
        unfollow()
        one.destroy()
      }
      one.on('ready', (length) => {
        change({ ready: true, length })
        if (!take.autoplay || startedTakes.has(take)) return
        startedTakes.add(take)
        void play(take, 0)
      })
      one.on('interaction', (from) => void play(take, from))
      one.on('error', (error) => change({ error: error.name === 'AbortError' ? '' : strings.broken }))
      // A blob is not fetched by its URL: the policy allows requests to the studio only. A failure arrives as the event.
      void (take.sound ? one.loadBlob(take.sound) : one.load(take.url)).catch(() => {})
    }
    start().catch(() => change({ error: strings.broken }))
    return () => {
      isGone = true
      stop()
    }
  }, [take])

  useEffect(() => {
    if (state.ready) wave.current?.setTime(at)
  }, [at, state.ready])
  const seek = (/** @type {Event} */ event) => void play(take, Number(fieldValue(event)))

  return html`<section class="sheet player" aria-label=${strings.selectedTake} data-ready=${state.ready}>
    <p class="text clip desk" dir="auto">${take.text}</p>
    <div ref=${place} class="wave" aria-hidden="true"></div>
    ${state.error && html`<p class="callout bad" role="alert">${state.error}</p>`}
    <div class="row">
      <${PlayButton} path=${take.url} label=${shared.play} pauseLabel=${shared.pause} kind="main play" onPress=${() => play(take)} />
      <input class="seek" type="range" aria-label=${strings.position} min="0" max=${state.length || 1} step="0.01" value=${at}
        aria-valuetext=${strings.positionText(clockTime(at), clockTime(state.length))} disabled=${!state.ready} onInput=${seek} />
      <span class="soft mono">${clockTime(at)} / ${clockTime(state.length)}</span>
      <a class="button quiet icon-only" href=${take.url} download=${take.file} title=${shared.download} aria-label=${shared.download}><${Icon} of="download" /></a>
    </div>
  </section>`
}
