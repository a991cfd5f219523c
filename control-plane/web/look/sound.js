// @ts-check
// One sound at a time, by its address. It is fetched like every other route, so a refusal arrives as the sentence of the studio.
import { request } from '../lib/api.js'
import { html, useEffect, useState } from '../lib/html.js'
import { strings } from '../lib/strings.js'
import { Icon } from './icons.js'

/** @typedef {{ path: string, isLoading: boolean, isPlaying: boolean, at: number, length: number }} Sounding seconds */

/** @type {Sounding} */
const NOTHING = { path: '', isLoading: false, isPlaying: false, at: 0, length: 0 }
const audio = new Audio()
let state = NOTHING
/** @type {Set<(state: Sounding) => void>} */
const watchers = new Set()
/** @type {AbortController | null} */
let loading = null

/** @param {Partial<Sounding>} more */
function change(more) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}
const seconds = (/** @type {number} */ value) => (Number.isFinite(value) ? value : 0)
for (const name of ['timeupdate', 'durationchange', 'play', 'pause', 'ended'])
  audio.addEventListener(name, () =>
    change({ at: audio.currentTime, length: seconds(audio.duration), isPlaying: !audio.paused && !audio.ended }),
  )

/** Ends the sound and frees it. */
export function stopSound() {
  loading?.abort()
  loading = null
  audio.pause()
  if (audio.src) URL.revokeObjectURL(audio.src)
  audio.removeAttribute('src')
  change(NOTHING)
}

/** Plays a sound from `from` seconds on; a second press pauses it. Throws ApiError. @param {string} path @param {{ from?: number, blob?: Blob | null }} [options] */
export async function playSound(path, { from, blob = null } = {}) {
  if (state.path === path && !state.isLoading) {
    if (from !== undefined) audio.currentTime = from
    else if (!audio.paused) return audio.pause()
    return audio.play()
  }
  stopSound()
  const own = new AbortController()
  loading = own
  change({ ...NOTHING, path, isLoading: true })
  try {
    const sound = blob ?? (await (await request('GET', path, { signal: own.signal })).blob())
    if (own.signal.aborted) return
    audio.src = URL.createObjectURL(sound)
    if (from !== undefined) audio.currentTime = from
    change({ isLoading: false })
    await audio.play()
  } catch (error) {
    if (own.signal.aborted) return
    stopSound()
    throw error instanceof DOMException ? new Error(strings.cannotPlay) : error
  }
}

/** Plays or pauses the sound that was chosen last. Returns whether there is one. */
export function togglePlaying() {
  if (state.path === '' || state.isLoading) return false
  if (audio.paused) void audio.play()
  else audio.pause()
  return true
}

/** Moves within the sound, by seconds. Returns whether there is one. @param {number} by */
export function seekBy(by) {
  if (state.path === '' || state.isLoading) return false
  audio.currentTime = Math.max(0, Math.min(seconds(audio.duration), audio.currentTime + by))
  return true
}

/** @returns {Sounding} */
export function useSound() {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}

/** @param {{ path: string, label: string, pauseLabel: string, onPress: () => unknown, kind?: string }} props */
export function PlayButton({ path, label, pauseLabel, onPress, kind = 'quiet icon-only' }) {
  const now = useSound()
  const isHere = now.path === path
  const isPlaying = isHere && now.isPlaying
  const name = isPlaying ? pauseLabel : label
  return html`<button type="button" class=${kind} title=${name} aria-label=${name} aria-busy=${isHere && now.isLoading} onClick=${onPress}>
    ${!(isHere && now.isLoading) && html`<${Icon} of=${isPlaying ? 'pause' : 'play'} isSolid=${isPlaying || kind.includes('main')} />`}</button>`
}
