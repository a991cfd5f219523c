// A take that the studio generates: its events, and its sound while it grows. Both continue after a broken connection without a loss.

import type { TakeEvent } from '#control-plane/features/speech/speech/stream/take-events.schema.ts'
import { at } from '#control-plane/web/at.ts'
import { ApiError, get, request } from '#control-plane/web/lib/api.ts'
import { whileVisible } from '#control-plane/web/lib/live.ts'
import type { Pcm } from './player.ts'

const RETRY_MS = 1000
/** A range without a known end (RFC 8673). */
const OPEN_END = Number.MAX_SAFE_INTEGER

const pause = (signal: AbortSignal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, RETRY_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve(null)
    })
  })

/**
 * Calls `onEvent` with every event of the take from the first one on, also after a reconnect, so events may repeat. `onGone`: the studio
 * has no such take. `signal`: ends the stream
 */
export function followEvents(job: string, onEvent: (event: TakeEvent) => void, onGone: (error: unknown) => void, signal: AbortSignal) {
  const open = () => {
    const source = new EventSource(at(`/tasks/stream/${job}?ids=true`))
    source.onmessage = ({ data }) => onEvent(JSON.parse(data))
    source.onerror = async () => {
      // The browser reconnects by itself, unless the studio refused or the stream has ended.
      if (source.readyState !== EventSource.CLOSED || signal.aborted) return
      try {
        await get(`/jobs/${job}`)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return onGone(error)
      }
      await pause(signal)
      stream.again()
    }
    return source
  }
  const stream = whileVisible(open)
  signal.addEventListener('abort', stream.close)
}

/** Another try would be refused as well, unless only too many readers were the reason. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

/** Pieces of bytes as whole samples. */
function sampleReader() {
  let odd = new Uint8Array(0)
  return (bytes: Uint8Array) => {
    const all = new Uint8Array(odd.length + bytes.length)
    all.set(odd)
    all.set(bytes, odd.length)
    const even = all.length & ~1
    odd = all.slice(even)
    return new Int16Array(all.buffer, 0, even >> 1)
  }
}

/**
 * Reads the sound of a running take from a place to its end. Returns when it is complete, or when the take is no longer running.
 * `signal`: ends the reading. `from`: samples before it
 */
export async function readSound(
  job: string,
  on: { start: (sampleRate: number) => void; piece: (pcm: Pcm) => void },
  signal: AbortSignal,
  from: number = 0,
) {
  const samplesOf = sampleReader()
  let isStarted = false
  for (let at = 2 * from; !signal.aborted; ) {
    try {
      const response = await request('GET', `/jobs/${job}/audio`, { headers: { range: `bytes=${at}-${OPEN_END}` }, signal })
      if (response.redirected || !response.body) return void response.body?.cancel()
      if (!isStarted) on.start(Number(response.headers.get('x-sample-rate')))
      isStarted = true
      for (const reader = response.body.getReader(); ; ) {
        const { value, done } = await reader.read()
        if (done) return
        at += value.length
        on.piece(samplesOf(value))
      }
    } catch (error) {
      if (signal.aborted || isRefusal(error)) return
      await pause(signal)
    }
  }
}
