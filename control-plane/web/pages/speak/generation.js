// @ts-check
// One generation at a time: requested, played while it arrives, cancelled, done or failed.
import { ApiError, messageOf } from '../../lib/api.js'
import { useCallback, useEffect, useRef, useState } from '../../lib/html.js'
import { createPlayer } from './player.js'
import { generateFile, generateTake } from './request.js'

/** @import { Player } from './player.js' */
/** @import { Draft } from './draft.js' */
/** @import { Progress, Take } from './request.js' */
/**
 * @typedef {object} GenerationState
 * @property {'idle' | 'waiting' | 'generating' | 'done' | 'failed' | 'cancelled'} phase
 * @property {number} done pieces that have arrived
 * @property {number} total
 * @property {number | null} firstSound seconds until the first sound left the device
 * @property {number} took seconds until it was complete
 * @property {boolean} isPlaying
 * @property {string} notice
 * @property {{ message: string, hint: string } | null} error
 */
/** @typedef {GenerationState & { busy: boolean, speak: (draft: Draft) => Promise<void>, stop: () => void }} Generation */
/** @typedef {{ request: AbortController, player: Player | null }} Run */

/** @type {GenerationState} */
const IDLE = { phase: 'idle', done: 0, total: 0, firstSound: null, took: 0, isPlaying: false, notice: '', error: null }

/** @param {unknown} error */
const failureOf = (error) => ({ message: messageOf(error), hint: error instanceof ApiError ? error.hint : '' })

/** @param {(take: Take) => void} onTake called with each complete take @returns {Generation} */
export function useGeneration(onTake) {
  const [state, setState] = useState(IDLE)
  const running = useRef(/** @type {Run | null} */ (null))
  const change = useCallback((/** @type {Partial<GenerationState>} */ more) => setState((now) => ({ ...now, ...more })), [])

  const stop = useCallback(() => {
    running.current?.request.abort()
    running.current?.player?.stop()
  }, [])
  // Leaving the page aborts the request, and with it the task.
  useEffect(() => stop, [])

  const speak = useCallback(
    async (/** @type {Draft} */ draft) => {
      stop()
      /** @type {Run} */
      const mine = { request: new AbortController(), player: null }
      running.current = mine
      const startedAt = performance.now()
      const elapsed = () => (performance.now() - startedAt) / 1000
      const isMine = () => running.current === mine
      setState({ ...IDLE, phase: 'waiting' })
      /** @type {Progress} */
      const on = {
        start({ sampleRate, crossfadeMs, total, notice }) {
          mine.player = createPlayer({
            sampleRate,
            crossfadeMs,
            onFirst: () => isMine() && change({ firstSound: elapsed(), isPlaying: true }),
            onEnd: () => isMine() && change({ isPlaying: false }),
          })
          change({ phase: 'generating', total, notice })
        },
        piece(pcm, done) {
          mine.player?.push(pcm)
          change({ done })
        },
      }
      try {
        const { signal } = mine.request
        const { notices, ...generated } = draft.kind === 'wav' ? await generateTake(draft, on, signal) : await generateFile(draft, signal)
        mine.player?.end()
        if (!isMine()) return
        change({ phase: 'done', notice: notices.join(' '), took: elapsed() })
        onTake({ ...generated, text: draft.text, autoplay: mine.player === null })
      } catch (error) {
        mine.player?.end()
        if (!isMine()) return
        if (mine.request.signal.aborted) change({ phase: 'cancelled', isPlaying: false })
        else change({ phase: 'failed', error: failureOf(error) })
      }
    },
    [onTake],
  )
  return { ...state, busy: state.phase === 'waiting' || state.phase === 'generating', speak, stop }
}
