// The take that lies on the desk: its waveform, played and stopped by a button, moved in by a slider or a press on the wave.
import WaveSurfer from 'wavesurfer.js'
import { html, useEffect, useRef, useState } from '../html.js'
import { colour, onThemeChange } from '../theme.js'

export const clockTime = (seconds) => {
  const whole = Math.max(0, seconds)
  return `${Math.floor(whole / 60)}:${String(Math.floor(whole % 60)).padStart(2, '0')}`
}
/** Read once by the wave: another theme needs them anew. */
const colours = () => ({ waveColor: colour('--soft'), progressColor: colour('--accent'), cursorColor: colour('--text') })
const cspNonce = document.querySelector('meta[name="style-nonce"]').content

/** `take`: { url, file, text, autoplay }, and `sound`, a Blob, when it is not at the studio. `quiet`: something else is heard. */
export function Wave({ take, quiet, onPlay }) {
  const place = useRef(null)
  const wave = useRef(null)
  const [state, setState] = useState({ ready: false, playing: false, at: 0, length: 0, error: '' })

  useEffect(() => {
    const change = (more) => setState((now) => ({ ...now, ...more }))
    change({ ready: false, playing: false, at: 0, length: 0, error: '' })
    const one = WaveSurfer.create({
      container: place.current,
      height: 96,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      normalize: true,
      ...colours(),
      cspNonce,
    })
    wave.current = one
    one.on('ready', (length) => {
      change({ ready: true, length })
      if (take.autoplay) one.play().catch(() => {}) // the browser wants a press first
    })
    one.on('play', () => change({ playing: true }))
    one.on('pause', () => change({ playing: false }))
    one.on('finish', () => change({ playing: false }))
    one.on('timeupdate', (at) => change({ at }))
    one.on('error', (error) =>
      change({ error: error.name === 'AbortError' ? '' : 'This sound cannot be shown or played; its file may be gone.' }),
    )
    // What lies in the page is not asked for: the policy allows requests to the studio only.
    void (take.sound ? one.loadBlob(take.sound) : one.load(take.url)).catch(() => {}) // told by the event
    const stop = onThemeChange(() => one.setOptions(colours()))
    return () => {
      stop()
      one.destroy()
    }
  }, [take])

  useEffect(() => {
    if (quiet) wave.current?.pause()
  }, [quiet])
  const press = () => {
    if (!state.playing) onPlay()
    void wave.current.playPause()
  }

  return html`<section class="sheet" aria-label="The take on the desk" data-ready=${state.ready}>
    <p class="text clip desk" dir="auto">${take.text}</p>
    <div ref=${place} class="wave" aria-hidden="true"></div>
    ${state.error && html`<p class="callout bad" role="alert">${state.error}</p>`}
    <div class="row">
      <button type="button" class="main" disabled=${!state.ready} onClick=${press}>${state.playing ? 'Pause' : 'Play'}</button>
      <input class="seek" type="range" aria-label="Position in the take" min="0" max=${state.length || 1} step="0.01" value=${state.at}
        aria-valuetext=${`${clockTime(state.at)} of ${clockTime(state.length)}`} disabled=${!state.ready}
        onInput=${(event) => wave.current.setTime(Number(event.target.value))} />
      <span class="soft mono">${clockTime(state.at)} / ${clockTime(state.length)}</span>
      <a href=${take.url} download=${take.file}>Download</a>
    </div>
  </section>`
}
