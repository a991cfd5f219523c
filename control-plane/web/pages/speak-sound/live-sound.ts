// The sound of a take that is generated: played from any place that has arrived, paused, and measured for its waveform.
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { claimSound, releaseSound, volumeNow } from '#control-plane/web/look/sound.ts'
import { readSound } from './live-take.ts'
import type { Pcm, Player } from './player.ts'
import { createPlayer } from './player.ts'

export type LiveSound = {
  /** null without a sound */
  job: string | null
  isPaused: boolean
  /** seconds */
  at: number
  /** seconds that have arrived */
  length: number
  /** loudness, one for each part of `BAR_SECONDS` */
  bars: readonly number[]
}
/** When something is heard first, and when nothing more is heard. */
type Callbacks = { onFirst: () => void; onEnd: () => void }
type Run = { job: string; abort: AbortController; player: Player | null; on: Callbacks }

const BAR_SECONDS = 0.25
const TICK_MS = 100
const SILENT: LiveSound = { job: null, isPaused: false, at: 0, length: 0, bars: [] }

let state = SILENT
let current: Run | null = null
/** Hz of the sound that plays. */
let rate = 1
const watchers: Set<(state: LiveSound) => void> = new Set()

function change(more: Partial<LiveSound>) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

/** Loudness of what arrives, from a place of the take on. Returns a function that takes the pieces in order. */
function createMeter(sampleRate: number, from: number, onBar: (bar: number, index: number) => void) {
  const size = Math.round(sampleRate * BAR_SECONDS)
  let index = Math.ceil(from / BAR_SECONDS)
  /** Samples before the first whole bar. */
  let skip = Math.round((index * BAR_SECONDS - from) * sampleRate)
  let sum = 0
  let count = 0
  return (pcm: Pcm) => {
    const first = Math.min(skip, pcm.length)
    skip -= first
    for (let at = first; at < pcm.length; at++) {
      sum += ((pcm[at] ?? 0) / 32768) ** 2
      count++
      if (count < size) continue
      onBar(Math.sqrt(sum / size), index++)
      sum = count = 0
    }
  }
}

function end(run: Run) {
  if (current !== run) return
  current = null
  releaseSound(stopLive)
  change(SILENT)
  run.on.onEnd()
}

/** Ends the sound. */
export function stopLive() {
  const run = current
  run?.abort.abort()
  run?.player?.stop()
  if (run) end(run)
}

export function pauseLive(isPaused = !state.isPaused) {
  current?.player?.hold(isPaused)
  if (current) change({ isPaused })
}

/** `at`: seconds; at most what has arrived is played */
export function seekLive(at: number) {
  const run = current
  if (!run) return
  const from = Math.max(0, Math.min(at, state.length))
  const again: Run = { job: run.job, abort: new AbortController(), player: null, on: run.on }
  current = again
  run.abort.abort()
  run.player?.stop()
  change({ at: from })
  void read(again, from)
}

async function read(run: Run, from: number) {
  const { job, abort, on } = run
  const ticking = setInterval(() => {
    if (run.player && current === run) change({ at: run.player.position() })
  }, TICK_MS)
  abort.signal.addEventListener('abort', () => clearInterval(ticking))
  const isMine = () => current === run
  let arrived = from
  let measure: (pcm: Pcm) => void = () => {}
  const start = (sampleRate: number) => {
    rate = sampleRate
    measure = createMeter(sampleRate, from, (bar, index) => {
      if (isMine() && index === state.bars.length) state = { ...state, bars: [...state.bars, bar] }
    })
    run.player = createPlayer({
      sampleRate,
      from,
      volume: volumeNow(),
      onFirst: () => isMine() && on.onFirst(),
      onEnd() {
        clearInterval(ticking)
        end(run)
      },
    })
    if (state.isPaused) run.player.hold(true)
  }
  const piece = (pcm: Pcm) => {
    measure(pcm)
    arrived += pcm.length / rate
    if (isMine()) change({ length: Math.max(state.length, arrived) })
    run.player?.push(pcm)
  }
  await readSound(job, { start, piece }, abort.signal, Math.round(from * rate))
  if (run.player) run.player.end()
  else {
    clearInterval(ticking)
    end(run)
  }
}

/** Plays a running take from its beginning. Returns when all of its sound has arrived. */
export async function playLive(job: string, on: Callbacks) {
  stopLive()
  const run: Run = { job, abort: new AbortController(), player: null, on }
  current = run
  change({ ...SILENT, job })
  claimSound(stopLive, {
    toggle: () => pauseLive(),
    seekBy: (by) => seekLive(state.at + by),
    setVolume: (volume) => current?.player?.setVolume(volume),
  })
  await read(run, 0)
}

export function useLiveSound() {
  const [now, set] = useState(state)
  useEffect(() => {
    watchers.add(set)
    set(state)
    return () => void watchers.delete(set)
  }, [])
  return now
}
