// One dictation: the microphone over /ws/transcribe, and the texts that come back. The text stays until it is cleared, also over a reload.

import { fileOfPages, wholeAddress } from '#control-plane/web/at.ts'
import { explained } from '#control-plane/web/lib/api.ts'
import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/transcribe.ts'
import { type KeptSound, keepSound } from './kept-sound.ts'

export type Dictation = {
  phase: 'idle' | 'starting' | 'listening' | 'ending' | 'lost' | 'failed'
  /** final ones */
  texts: readonly string[]
  /** text that is still being recognised */
  partial: string
  /** about the recogniser */
  notice: string
  /** the model in whose place another one recognises */
  better: NeedEntry | null
  /** level of the microphone, 0 to 1 */
  level: number
  error: string
  needs: NeedEntry | null
}
export type Run = {
  socket: WebSocket | null
  stop: () => void
  sound: KeptSound
  rate: number
  /** seconds of the sound of the last connection that the studio has used; null for all */
  used: number | null
  /** the studio starts again, and the next connection has the sound of the time between */
  isReturning: boolean
}
export type Message = {
  type: string
  stage?: string
  text?: string
  refined_text?: string
  final_kind?: string
  notice?: string
  message?: string
  kind?: string
  needs?: unknown
  used_s?: number
}

const KEY = 'voice-studio-dictation'
/** Bytes that wait in the browser to be sent. */
const MOST_WAITING = 1024 ** 2
/** Length of the sound that is kept while a studio starts again, and for a slow connection. */
const KEPT_SECONDS = 60
/** A rest of the sound that is not worth another connection. */
const REST_SECONDS = 0.3
const SAMPLE_BYTES = 2
/** While the last sound waits to be sent. */
const SEND_MS = 50
const END = 'EOF'
/** The code with which a studio closes that stops, and may start again. */
const RESTART = 1012
/** The code of a connection that ended without a close, as that of a studio that was killed. */
const CUT = 1006
/** Longest wait for its start. */
const RESTART_MS = 60_000
/** Between two tries. */
const AGAIN_MS = 1000
/** The studio sends the last words within one or two seconds, later on a busy machine. This limits the wait for a studio that hangs. */
const LAST_WORDS_MS = 60_000
const IDLE: Dictation = { phase: 'idle', texts: [], partial: '', notice: '', better: null, level: 0, error: '', needs: null }

let state = { ...IDLE, texts: restored() }
let running: Run | null = null
const watchers: Set<(state: Dictation) => void> = new Set()

function restored(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

function change(more: Partial<Dictation>) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
  if (!more.texts) return
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state.texts))
  } catch {} // a full storage only loses the text with the tab
}

// A reload during a dictation keeps the words that are not final.
globalThis.addEventListener?.('pagehide', () => state.partial && change({ partial: '', ...unfinished() }))

/** The page has words of its own for a missing model. */
function remarkOf(message: Message) {
  const { message: notice, needs } = explained(message, message.notice ?? '', '')
  return { notice: needs ? '' : notice, better: needs }
}

function failureOf(message: Message) {
  const { message: error, needs } = explained(message, message.message ?? '', '')
  return { error: needs ? '' : error, needs }
}

/** The dictation after a message of the studio. Pure. */
export function afterMessage(now: Dictation, message: Message): Partial<Dictation> {
  switch (message.type) {
    case 'status':
      if (message.stage !== 'ready') return {}
      return { ...(now.phase === 'starting' && { phase: 'listening' as const }), ...remarkOf(message) }
    case 'partial':
      return { partial: message.text ?? '' }
    case 'final': {
      // The page has the utterances of a summary already.
      const text = message.final_kind === 'summary' ? '' : (message.refined_text ?? message.text ?? '').trim()
      return { partial: '', ...(text !== '' && { texts: [...now.texts, text] }) }
    }
    case 'error':
      return { phase: 'failed', partial: '', ...failureOf(message) }
    default:
      return {} // a message of a later version
  }
}

function microphoneError(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return strings.microphoneBlocked
  return name === 'NotFoundError' ? strings.noMicrophone : strings.microphoneFailed
}

/** The microphone in pieces of a tenth of a second. */
async function openMicrophone(onPiece: (pcm: ArrayBuffer, peak: number) => void) {
  // The filters of browsers are for calls: they remove quiet and steady speech, which recognition models understand.
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false }
  const stream = await navigator.mediaDevices.getUserMedia({ audio })
  const end = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    const device = new AudioContext()
    await device.audioWorklet.addModule(fileOfPages('pages/transcribe/capture.js'))
    const capture = new AudioWorkletNode(device, 'capture', { numberOfOutputs: 0 })
    capture.port.onmessage = ({ data }) => onPiece(data.pcm, data.peak)
    device.createMediaStreamSource(stream).connect(capture)
    return {
      rate: device.sampleRate,
      close() {
        end()
        if (device.state !== 'closed') void device.close()
      },
    }
  } catch (error) {
    end()
    throw error
  }
}

const bytesOf = ({ rate }: Run, seconds: number) => Math.round(seconds * rate) * SAMPLE_BYTES

/** Sends what is kept, as fast as the connection takes it: after a gap faster than it was spoken. */
function send(mine: Run) {
  const { socket, sound } = mine
  if (running !== mine || socket?.readyState !== WebSocket.OPEN) return
  while (!sound.isAllSent() && socket.bufferedAmount < MOST_WAITING) socket.send(sound.next()!)
  if (state.phase !== 'ending') return
  if (sound.isAllSent()) socket.send(END)
  else setTimeout(() => send(mine), SEND_MS)
}

/** Says in the text where sound was lost. */
function sayMissed({ sound, rate }: Run) {
  const seconds = Math.round(sound.missed() / SAMPLE_BYTES / rate)
  if (seconds > 0) change({ texts: [...state.texts, strings.soundLost(seconds)] })
}

/** Begins a dictation, or continues the text of the last one. */
export async function startDictation() {
  if (running) return
  const mine: Run = { socket: null, stop: () => {}, sound: keepSound(0), rate: 0, used: null, isReturning: false }
  running = mine
  const fail = (more: Partial<Dictation>) => end(mine, more)
  change({ phase: 'starting', partial: '', notice: '', better: null, error: '', needs: null })
  if (navigator.mediaDevices === undefined) return fail({ phase: 'failed', error: strings.insecure })
  try {
    const microphone = await openMicrophone((pcm, peak) => {
      if (running !== mine || (state.phase !== 'listening' && state.phase !== 'starting')) return
      change({ level: peak })
      // A connection that takes nothing for a minute counts as lost.
      if (!mine.sound.add(new Uint8Array(pcm)) && state.phase === 'listening') return mine.socket?.close()
      send(mine)
      if (state.phase === 'listening' && mine.sound.isAllSent()) sayMissed(mine)
    })
    mine.stop = microphone.close
    if (running !== mine) return microphone.close()
    mine.rate = microphone.rate
    mine.sound = keepSound(bytesOf(mine, KEPT_SECONDS))
    connect(mine)
  } catch (error) {
    fail({ phase: 'failed', error: microphoneError(error) })
  }
}

/** `until`: a studio that starts again is waited for until then; 0 before it has closed the socket. */
function connect(mine: Run, until = 0) {
  const socket = new WebSocket(wholeAddress(`/ws/transcribe?pcm=1&sr=${mine.rate}`).replace('http', 'ws'))
  mine.socket = socket
  let [isOpen, isReady] = [false, false]
  let used: number | null = null
  socket.onopen = () => {
    if (running !== mine) return
    isOpen = true
    mine.sound.begin(mine.used && bytesOf(mine, mine.used))
    send(mine)
  }
  socket.onmessage = ({ data }) => {
    if (running !== mine) return
    const message: Message = JSON.parse(data)
    used = message.used_s ?? used
    if (message.stage === 'ready' && !isReady) {
      isReady = true
      mine.isReturning = false
      sayMissed(mine)
    }
    // The studio has just started, and its engines have not.
    if (message.type === 'error' && !isReady && performance.now() < until) return
    change(afterMessage(state, message))
  }
  socket.onclose = ({ code }) => {
    if (running !== mine) return
    const { phase } = state
    const now = performance.now()
    // A studio that was not ready has used nothing.
    if (isOpen) mine.used = isReady ? used : 0
    const rest = mine.used === null ? 0 : mine.sound.after(bytesOf(mine, mine.used))
    // The studio has sent what it heard until then: it ends a dictation so when it stops.
    if (isReady) until = code === RESTART ? now + RESTART_MS : 0
    if (phase === 'failed') end(mine, {})
    else if (now < until && (phase !== 'ending' || rest > bytesOf(mine, REST_SECONDS))) {
      mine.isReturning = true
      change({ partial: '', ...unfinished(), ...(phase !== 'ending' && { phase: 'starting' }) })
      setTimeout(() => running === mine && connect(mine, until), AGAIN_MS)
    } else if (phase !== 'ending') end(mine, { phase: 'lost', ...unfinished() })
    else if (rest > bytesOf(mine, REST_SECONDS) || (isOpen && code === CUT && used === null))
      end(mine, { phase: 'failed', error: strings.noLastWords, ...unfinished() })
    else end(mine, { phase: 'idle' })
  }
}

function end(mine: Run, more: Partial<Dictation>) {
  if (running !== mine) return
  running = null
  mine.stop()
  mine.socket?.close()
  change({ partial: '', level: 0, ...more })
}

/** The words that are shown but not final. */
const unfinished = () => state.partial && { texts: [...state.texts, state.partial] }

/** Turns the microphone off at once. The studio then sends the last words. */
export function stopDictation() {
  const mine = running
  if (!mine || state.phase === 'ending') return
  mine.stop()
  if (mine.socket?.readyState !== WebSocket.OPEN && !mine.isReturning) return end(mine, { phase: 'idle' })
  change({ phase: 'ending', level: 0 })
  send(mine)
  setTimeout(() => end(mine, { phase: 'failed', error: strings.noLastWords, ...unfinished() }), LAST_WORDS_MS)
}

/** Ends the dictation at once and keeps the text that is shown. */
export const endNow = () => running && end(running, { phase: 'idle', ...unfinished() })

export const clearDictation = () =>
  change({ texts: [], partial: '', notice: '', better: null, error: '', phase: running ? state.phase : 'idle' })

export function useDictation(): Dictation {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}
