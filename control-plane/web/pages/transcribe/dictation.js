// @ts-check
// One dictation: the microphone over /ws/transcribe, and the texts that come back. The text stays until it is cleared, also over a reload.
import { wholeAddress } from '../../at.js'
import { useEffect, useState } from '../../lib/html.js'
import { strings } from './strings.js'

/**
 * @typedef {object} Dictation
 * @property {'idle' | 'starting' | 'listening' | 'ending' | 'lost' | 'failed'} phase
 * @property {readonly string[]} texts final ones
 * @property {string} partial what is still being recognised
 * @property {string} notice about the recogniser
 * @property {number} level of the microphone, 0 to 1
 * @property {string} error
 * @property {boolean} isModelMissing
 */
/** @typedef {{ socket: WebSocket | null, stop: () => void }} Run */
/** @typedef {{ type: string, stage?: string, text?: string, refined_text?: string, final_kind?: string, notice?: string, message?: string, kind?: string }} Message */

const KEY = 'voice-studio-dictation'
/** Bytes that wait for a slow connection; beyond, the connection counts as lost. */
const MOST_WAITING = 4 * 1024 ** 2
const END = 'EOF'
/** The studio sends the last words within one or two seconds, later on a busy machine. This limits the wait for a studio that hangs. */
const LAST_WORDS_MS = 60_000
/** @type {Dictation} */
const IDLE = { phase: 'idle', texts: [], partial: '', notice: '', level: 0, error: '', isModelMissing: false }

let state = { ...IDLE, texts: restored() }
/** @type {Run | null} */
let running = null
/** @type {Set<(state: Dictation) => void>} */
const watchers = new Set()

/** @returns {readonly string[]} */
function restored() {
  try {
    /** @type {unknown} */
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

/** @param {Partial<Dictation>} more */
function change(more) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
  if (!more.texts) return
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state.texts))
  } catch {} // a full storage only loses the text with the tab
}

// A reload during a dictation keeps the words that are not final.
globalThis.addEventListener?.('pagehide', () => state.partial && change({ partial: '', ...unfinished() }))

/**
 * The dictation after a message of the studio. Pure.
 * @param {Dictation} now
 * @param {Message} message
 * @returns {Partial<Dictation>}
 */
export function afterMessage(now, message) {
  switch (message.type) {
    case 'status':
      if (message.stage !== 'ready') return {}
      return { ...(now.phase === 'starting' && { phase: /** @type {const} */ ('listening') }), notice: message.notice ?? '' }
    case 'partial':
      return { partial: message.text ?? '' }
    case 'final': {
      // The page has the utterances of a summary already.
      const text = message.final_kind === 'summary' ? '' : (message.refined_text ?? message.text ?? '').trim()
      return { partial: '', ...(text !== '' && { texts: [...now.texts, text] }) }
    }
    case 'error':
      return { phase: 'failed', partial: '', error: message.message ?? '', isModelMissing: message.kind === 'asr_model_missing' }
    default:
      return {} // a message of a later version
  }
}

/** @param {unknown} error */
function microphoneError(error) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return strings.microphoneBlocked
  return name === 'NotFoundError' ? strings.noMicrophone : strings.microphoneFailed
}

/** The microphone in pieces of a tenth of a second. @param {(pcm: ArrayBuffer, peak: number) => void} onPiece */
async function openMicrophone(onPiece) {
  // The filters of browsers are for calls: they remove quiet and steady speech, which recognition models understand.
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false }
  const stream = await navigator.mediaDevices.getUserMedia({ audio })
  const end = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    const device = new AudioContext()
    await device.audioWorklet.addModule(new URL('capture.js', import.meta.url).href)
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

/** Begins a dictation, or continues the text of the last one. */
export async function startDictation() {
  if (running) return
  /** @type {Run} */
  const mine = { socket: null, stop: () => {} }
  running = mine
  const fail = (/** @type {Partial<Dictation>} */ more) => end(mine, more)
  change({ phase: 'starting', partial: '', notice: '', error: '', isModelMissing: false })
  if (navigator.mediaDevices === undefined) return fail({ phase: 'failed', error: strings.insecure })
  try {
    const microphone = await openMicrophone((pcm, peak) => {
      if (running !== mine || (state.phase !== 'listening' && state.phase !== 'starting')) return
      change({ level: peak })
      if (mine.socket?.readyState !== WebSocket.OPEN) return
      if (mine.socket.bufferedAmount > MOST_WAITING) mine.socket.close()
      else mine.socket.send(pcm)
    })
    mine.stop = microphone.close
    if (running !== mine) return microphone.close()
    const socket = new WebSocket(wholeAddress(`/ws/transcribe?pcm=1&sr=${microphone.rate}`).replace('http', 'ws'))
    mine.socket = socket
    socket.onmessage = ({ data }) => running === mine && change(afterMessage(state, JSON.parse(data)))
    socket.onclose = () => {
      const hasFailed = state.phase === 'failed'
      fail(hasFailed ? {} : state.phase === 'ending' ? { phase: 'idle' } : { phase: 'lost', ...unfinished() })
    }
  } catch (error) {
    fail({ phase: 'failed', error: microphoneError(error) })
  }
}

/** @param {Run} mine @param {Partial<Dictation>} more */
function end(mine, more) {
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
  if (mine.socket?.readyState !== WebSocket.OPEN) return end(mine, { phase: 'idle' })
  mine.socket.send(END)
  change({ phase: 'ending', level: 0 })
  setTimeout(() => end(mine, { phase: 'failed', error: strings.noLastWords, ...unfinished() }), LAST_WORDS_MS)
}

/** Ends the dictation at once and keeps the text that is shown. */
export const endNow = () => running && end(running, { phase: 'idle', ...unfinished() })

export const clearDictation = () => change({ texts: [], partial: '', notice: '', error: '', phase: running ? state.phase : 'idle' })

/** @returns {Dictation} */
export function useDictation() {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}
