// One making at a time: asked for, heard while it is made, stopped, done or failed. What the page shows of it is one state.
import { useCallback, useEffect, useRef, useState } from '../html.js'
import { createPlayer } from './speak-player.js'
import { makeFile, makeTake } from './speak-request.js'

const IDLE = { phase: 'idle', done: 0, total: 0, firstSound: null, sounding: false, notice: '', error: null }

/** `onTake` is called with what was made. phase: idle, asking, making, done, failed or stopped. */
export function useMaking(onTake) {
  const [state, setState] = useState(IDLE)
  const running = useRef(null) // { request, player }
  const change = useCallback((more) => setState((now) => ({ ...now, ...more })), [])

  const stop = useCallback(() => {
    running.current?.request.abort()
    running.current?.player?.stop()
  }, [])
  // Leaving the page ends the request, and with it the task.
  useEffect(() => stop, [])

  const speak = useCallback(
    async (wish) => {
      stop()
      const mine = { request: new AbortController(), player: null }
      running.current = mine
      const asked = performance.now()
      const isMine = () => running.current === mine
      setState({ ...IDLE, phase: 'asking' })
      const on = {
        start({ sampleRate, crossfadeMs, total, notice }) {
          mine.player = createPlayer({
            sampleRate,
            crossfadeMs,
            onFirst: () => isMine() && change({ firstSound: (performance.now() - asked) / 1000, sounding: true }),
            onEnd: () => isMine() && change({ sounding: false }),
          })
          change({ phase: 'making', total, notice })
        },
        piece(pcm, done) {
          mine.player.push(pcm)
          change({ done })
        },
      }
      try {
        const { signal } = mine.request
        const made = wish.kind === 'wav' ? await makeTake(wish, on, signal) : await makeFile(wish, signal)
        mine.player?.end()
        if (!isMine()) return
        change({ phase: 'done', notice: made.notices.join(' '), took: (performance.now() - asked) / 1000 })
        onTake({ ...made, text: wish.text, live: mine.player !== null })
      } catch (error) {
        if (mine.request.signal.aborted) return isMine() ? change({ phase: 'stopped', sounding: false }) : undefined
        mine.player?.end()
        if (isMine()) change({ phase: 'failed', error })
      }
    },
    [onTake],
  )
  return { ...state, busy: state.phase === 'asking' || state.phase === 'making', speak, stop }
}
