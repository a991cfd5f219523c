// @ts-check
// A short recording with its waveform: play, seek, length.
import { messageOf, request } from '../lib/api.js'
import { fieldValue } from '../lib/controls.js'
import { html, useEffect, useState } from '../lib/html.js'
import { notify } from '../lib/notices.js'
import { strings } from '../lib/strings.js'
import { PlayButton, playSound, useDock, useSound } from './sound.js'

const BARS = 56
/** Of the decoder; the waveform needs no more. */
const RATE = 8000

/** @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** Bars from 0 to 1, the loudest 1. @param {Float32Array} samples */
export function barsOf(samples) {
  const step = Math.max(1, Math.floor(samples.length / BARS))
  const levels = Array.from({ length: BARS }, (_, bar) => {
    let sum = 0
    for (let at = bar * step; at < (bar + 1) * step; at++) sum += (samples[at] ?? 0) ** 2
    return Math.sqrt(sum / step)
  })
  const most = Math.max(...levels) || 1
  return levels.map((level) => level / most)
}

/** The samples of the first channel. @param {Blob} blob @returns {Promise<{ samples: Float32Array, seconds: number }>} */
export async function decoded(blob) {
  const buffer = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer())
  return { samples: buffer.getChannelData(0), seconds: buffer.duration }
}

/** @param {readonly number[]} bars @param {number} from @param {number} to */
const path = (bars, from, to) =>
  bars
    .slice(from, to)
    .map((bar, at) => `M${(from + at) * 4 + 2} ${12 - Math.max(1, bar * 10)}v${Math.max(1, bar * 10) * 2}`)
    .join('')

/** `own`: the recording itself, before the studio has it. @param {{ path: string, name: string, own?: Blob | null }} props path: its address, or another unique name */
export function Sample({ path: address, name, own = null }) {
  const [{ bars, length, blob }, set] = useState({ bars: /** @type {number[]} */ ([]), length: 0, blob: own })
  const now = useSound()
  useDock(address)
  const isHere = now.path === address
  const at = isHere ? now.at : 0
  useEffect(() => {
    const ending = new AbortController()
    const read = async () => {
      const sound = own ?? (await (await request('GET', address, { signal: ending.signal })).blob())
      const { samples, seconds } = await decoded(sound)
      if (!ending.signal.aborted) set({ bars: barsOf(samples), length: seconds, blob: sound })
    }
    set({ bars: [], length: 0, blob: own })
    read().catch(() => {}) // without a waveform it can still be played, and says then why not
    return () => ending.abort()
  }, [address, own])
  const play = (/** @type {number | undefined} */ from) =>
    playSound(address, { ...(from !== undefined && { from }), blob, title: name, href: own ? '' : location.hash }).catch((error) =>
      notify(messageOf(error), 'error'),
    )
  const played = length > 0 ? Math.round((at / length) * BARS) : 0
  return html`<div class="sample">
    <${PlayButton} path=${address} label=${strings.playOf(name)} pauseLabel=${strings.pauseOf(name)} kind="main play" onPress=${() => play(undefined)} />
    <span class="track">
      <svg viewBox=${`0 0 ${BARS * 4} 24`} preserveAspectRatio="none" aria-hidden="true"><path class="played" d=${path(bars, 0, played)} /><path d=${path(bars, played, BARS)} /></svg>
      <input type="range" min="0" max=${length || 1} step="0.05" value=${at} disabled=${length === 0} aria-label=${strings.positionOf(name)}
        aria-valuetext=${`${clock(at)} / ${clock(length)}`} onInput=${(/** @type {Event} */ event) => play(Number(fieldValue(event)))} />
    </span>
    <span class="caption number">${clock(isHere && at > 0 ? at : length)}</span>
  </div>`
}
