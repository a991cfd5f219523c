// One sound at a time: a spoken line of the dub, or one that is spoken for listening only.
import { request } from '#control-plane/web/lib/api.ts'
import { useCallback, useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { claimSound } from '#control-plane/web/look/sound.ts'
import type { Line } from './lines.ts'

/** line: '' for none */
export type Sounding = { line: string; isWaiting: boolean }

const SILENT = { line: '', isWaiting: false }

/** Plays lines of a dub; a second press stops. Throws why a line could not be played. `order`: the lines of the last generation */
export function useLineSound(id: string, { code, name, order }: { code: string; name: string; order: readonly string[] }) {
  const [sounding, setSounding] = useState(SILENT as Sounding)
  const now = useRef<{ audio: HTMLAudioElement; url: string; abort: AbortController } | null>(null)
  const stop = useCallback(() => {
    const last = now.current
    now.current = null
    last?.abort.abort()
    last?.audio.pause()
    if (last?.url) URL.revokeObjectURL(last.url)
    setSounding(SILENT)
  }, [])
  useEffect(() => stop, [])
  const play = async (line: Line) => {
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
