// The sound of the studio: one at a time, by its address, on every page. It is fetched like every other route, so a refusal arrives as the
// sentence of the studio.

import { strings } from '#messages/shared.ts'
import { at } from '../at.ts'
import { request } from '../lib/api.ts'
import { useEffect, useState } from '../lib/html.ts'
import { notify } from '../lib/notices.ts'

export type Sounding = {
  /** '' without a sound */
  path: string
  title: string
  /** address of its page, '' for none */
  href: string
  isLoading: boolean
  isPlaying: boolean
  /** seconds */
  at: number
  /** seconds */
  length: number
  /** the sound itself, if the page has it */
  blob: Blob | null
  /** the sounds of its list, in order, as they are now */
  list: () => readonly ListedSound[]
}
/** A sound of a list, for those before and after it. */
export type ListedSound = { path: string; play: () => unknown }
export type SoundOptions = {
  /** seconds */
  from?: number
  /** the sound, when the page has it already */
  blob?: Blob | null
  /** for the player; the title of the page without one */
  title?: string
  /** address of its page */
  href?: string
  /** read while it plays, and not before */
  isLong?: boolean
  /** called when it has played to its end */
  onEnd?: () => void
  /** the list that it is in */
  list?: () => readonly ListedSound[]
}

const NOTHING: Sounding = {
  path: '',
  title: '',
  href: '',
  isLoading: false,
  isPlaying: false,
  at: 0,
  length: 0,
  blob: null,
  list: () => [],
}
/** Seconds that media keys move within the sound. */
const KEY_SECONDS = 10
export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2]
/** Made by `startSound`: this module can be loaded where there is no page. */
let audio: HTMLAudioElement
let state = NOTHING
const watchers: Set<(state: Sounding) => void> = new Set()
/** Sounds whose page shows their controls. */
const docked: Map<string, number> = new Map()
let loading: AbortController | null = null
let whenEnded: (() => void) | null = null
/** Controls of a sound that another part of the page makes, for keys and the volume. */
export type OtherControls = { toggle?: () => void; seekBy?: (seconds: number) => void; setVolume?: (volume: number) => void }
let other: (OtherControls & { end: () => void }) | null = null

function change(more: Partial<Sounding>) {
  const before = state.path
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
  if (before === state.path || !('mediaSession' in navigator)) return
  navigator.mediaSession.metadata = state.path === '' ? null : new MediaMetadata({ title: state.title })
}
const seconds = (value: number) => (Number.isFinite(value) ? value : 0)
/** Pauses the elements of the page that have controls of their own. */
function pauseElements(except: EventTarget | null = null) {
  for (const element of document.querySelectorAll('audio, video'))
    if (element instanceof HTMLMediaElement && element !== except) element.pause()
}

/** Another part of the page makes a sound now: the others end. `end`: ends it, once another one begins */
export function claimSound(end: () => void, controls: OtherControls = {}) {
  audio.pause()
  pauseElements()
  const before = other
  other = { end, ...controls }
  if (before?.end !== end) before?.end()
}

function endOther() {
  const before = other
  other = null
  before?.end()
}

function elementPlays(element: EventTarget | null) {
  audio.pause()
  endOther()
  pauseElements(element)
}

function begin(): Promise<void> {
  pauseElements()
  endOther()
  // A pause right after it is no failure.
  return audio.play().catch((error) => {
    if (error.name !== 'AbortError') throw error
  })
}

/** Ends the sound and frees it. `path`: only if this one is chosen */
export function stopSound(path: string = state.path) {
  if (path !== state.path) return
  loading?.abort()
  loading = null
  whenEnded = null
  audio.pause()
  if (audio.src.startsWith('blob:')) URL.revokeObjectURL(audio.src)
  audio.removeAttribute('src')
  change(NOTHING)
}

/** Reason why an element could not read an address, in the words of the studio. */
async function refusalOf(path: string, signal: AbortSignal) {
  try {
    await (await request('GET', path, { signal, headers: { range: 'bytes=0-0' } })).body?.cancel()
    return new Error(strings.cannotPlay)
  } catch (error) {
    return error
  }
}

/** Plays a sound from `from` seconds on; a second press pauses it. Throws ApiError. */
export async function playSound(
  path: string,
  { from, blob = null, title = document.title, href = '', isLong = false, onEnd, list = NOTHING.list }: SoundOptions = {},
) {
  if (state.path === path && !state.isLoading) {
    if (from !== undefined) audio.currentTime = from
    else if (!audio.paused) return audio.pause()
    return begin()
  }
  stopSound()
  const own = new AbortController()
  loading = own
  whenEnded = onEnd ?? null
  change({ ...NOTHING, path, title, href, list, isLoading: true })
  try {
    const sound = isLong ? null : (blob ?? (await (await request('GET', path, { signal: own.signal })).blob()))
    if (own.signal.aborted) return
    audio.src = sound === null ? at(path) : URL.createObjectURL(sound)
    if (from !== undefined) audio.currentTime = from
    change({ isLoading: false, blob: sound })
    await begin()
  } catch (error) {
    if (own.signal.aborted) return
    const reason = isLong ? await refusalOf(path, own.signal) : error
    if (own.signal.aborted) return
    stopSound()
    throw reason instanceof DOMException ? new Error(strings.cannotPlay) : reason
  }
}

/** Path of the sound that is chosen; '' without one. */
export const chosenSound = () => state.path
/** Another name for the sound that is chosen, such as one that says what comes next. */
export const renameSound = (title: string) => change({ title })

/** Another sound has ended by itself. `end`: as in `claimSound` */
export function releaseSound(end: () => void) {
  if (other?.end === end) other = null
}

/** Plays or pauses the sound that was chosen last. Returns whether there is one. */
export function togglePlaying() {
  if (other?.toggle) {
    other.toggle()
    return true
  }
  if (state.path === '' || state.isLoading) return false
  if (audio.paused) begin().catch(() => {})
  else audio.pause()
  return true
}

/** Moves within the sound, by seconds. Returns whether there is one. */
export function seekBy(by: number) {
  if (other?.seekBy) {
    other.seekBy(by)
    return true
  }
  if (state.path === '' || state.isLoading) return false
  audio.currentTime = Math.max(0, Math.min(seconds(audio.duration), audio.currentTime + by))
  return true
}

/** Moves to a moment of the sound. `at`: seconds */
export function seekTo(at: number) {
  audio.currentTime = at
}

/** Returns 1 is the speed of the recording */
export const speedNow = (): number => audio.playbackRate

/** The speed of this sound and of those after it. */
export function setSpeed(speed: number) {
  audio.defaultPlaybackRate = speed
  audio.playbackRate = speed
}

const VOLUME_KEY = 'voice-studio-volume'
const MOST_VOLUME = 1
/** 0 to 1, of this sound and of those after it. */
export const volumeNow = (): number => audio?.volume ?? MOST_VOLUME

export function setVolume(volume: number) {
  audio.volume = Math.max(0, Math.min(MOST_VOLUME, volume))
  other?.setVolume?.(audio.volume)
  try {
    localStorage.setItem(VOLUME_KEY, String(audio.volume))
  } catch {} // a full storage only loses it on reload
}

/** The page shows the controls of this sound, so the player does not. `path`: '' for none */
export function useDock(path: string) {
  useEffect(() => {
    if (path === '') return
    docked.set(path, (docked.get(path) ?? 0) + 1)
    change({})
    return () => {
      const others = (docked.get(path) ?? 1) - 1
      if (others > 0) docked.set(path, others)
      else docked.delete(path)
      change({})
    }
  }, [path])
}
export const isDocked = (path: string) => docked.has(path)

/** Sound of elements with controls of their own, and the keys of keyboards and lock screens. Called once. */
export function startSound() {
  audio = new Audio()
  const volume = Number(localStorage.getItem(VOLUME_KEY) ?? MOST_VOLUME)
  if (volume >= 0 && volume <= MOST_VOLUME) audio.volume = volume
  for (const name of ['timeupdate', 'seeked', 'durationchange', 'play', 'pause', 'ended'])
    audio.addEventListener(name, () =>
      change({ at: audio.currentTime, length: seconds(audio.duration), isPlaying: !audio.paused && !audio.ended }),
    )
  audio.addEventListener('ended', () => whenEnded?.())
  // A long sound failed after its start. playSound reports failures before the start.
  audio.addEventListener('error', () => {
    if (state.path === '' || audio.readyState === HTMLMediaElement.HAVE_NOTHING) return
    stopSound()
    notify(strings.cannotPlay, 'error')
  })
  document.addEventListener('play', ({ target }) => elementPlays(target), true)
  if (!('mediaSession' in navigator)) return
  navigator.mediaSession.setActionHandler('play', togglePlaying)
  navigator.mediaSession.setActionHandler('pause', togglePlaying)
  navigator.mediaSession.setActionHandler('stop', () => {
    endOther()
    stopSound()
  })
  navigator.mediaSession.setActionHandler('seekbackward', ({ seekOffset }) => void seekBy(-(seekOffset || KEY_SECONDS)))
  navigator.mediaSession.setActionHandler('seekforward', ({ seekOffset }) => void seekBy(seekOffset || KEY_SECONDS))
  navigator.mediaSession.setActionHandler('seekto', ({ seekTime }) => {
    if (seekTime !== undefined && state.path !== '') seekTo(seekTime)
  })
}

export function useSound(): Sounding {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}
