// @ts-check
// One sound at a time: a spoken line of the dub, or one that is spoken for listening only.
import { request } from '../../lib/api.js'
import { useCallback, useEffect, useRef, useState } from '../../lib/html.js'
import { claimSound } from '../../look/sound.js'

/** @import { Line } from './lines.js' */
/** @typedef {{ line: string, isWaiting: boolean }} Sounding line: '' for none */

const SILENT = { line: '', isWaiting: false }

/**
 * Plays lines of a dub; a second press stops. Throws why a line could not be played.
 * @param {string} id
 * @param {{ code: string, name: string, order: readonly string[] }} dub order: the lines of the last generation
 */
export function useLineSound(id, { code, name, order }) {
  const [sounding, setSounding] = useState(/** @type {Sounding} */ (SILENT))
  const now = useRef(/** @type {{ audio: HTMLAudioElement, url: string, abort: AbortController } | null} */ (null))
  const stop = useCallback(() => {
    const last = now.current
    now.current = null
    last?.abort.abort()
    last?.audio.pause()
    if (last?.url) URL.revokeObjectURL(last.url)
    setSounding(SILENT)
  }, [])
  useEffect(() => stop, [])
  const play = async (/** @type {Line} */ line) => {
    const isSame = sounding.line === line.id
    stop()
    if (isSame) return
    const mine = { audio: new Audio(), url: '', abort: new AbortController() }
    now.current = mine
    setSounding({ line: line.id, isWaiting: true })
    const { signal } = mine.abort
    const index = order.indexOf(line.id)
    const dub = encodeURIComponent(id)
    try {
      const response =
        line.state === 'spoken' && index >= 0
          ? await request('GET', `/dub/preview/${dub}/${index}?lang=${encodeURIComponent(code)}`, { signal })
          : await request('POST', `/dub/preview-segment/${dub}`, {
              body: {
                segment_id: line.id,
                text: line.target,
                language: name,
                profile_id: line.voice,
                duration: Math.max(0.1, line.end - line.start),
              },
              signal,
            })
      mine.url = URL.createObjectURL(await response.blob())
      if (signal.aborted) return URL.revokeObjectURL(mine.url)
      mine.audio.src = mine.url
      mine.audio.onended = () => now.current === mine && stop()
      claimSound(stop)
      await mine.audio.play()
      if (now.current === mine) setSounding({ line: line.id, isWaiting: false })
    } catch (error) {
      if (signal.aborted) return
      stop()
      throw error
    }
  }
  return { sounding, play, stop }
}
