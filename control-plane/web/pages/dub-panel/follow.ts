// The table follows the film while it plays, until a person scrolls; it follows again when the film is started again.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import type { Line } from '../dub/lines.ts'

/** Share of the box above the line that sounds. */
const ABOVE = 1 / 3
const SCROLLING = ['wheel', 'touchmove', 'pointerdown'] as const

/** Id of the line at which the film is; '' while there is none. `row`: pixels */
export function useFollowed({
  lines,
  media,
  box,
  row,
}: {
  lines: readonly Line[]
  media: RefObject<HTMLMediaElement | null>
  box: RefObject<HTMLDivElement | null>
  row: number
}) {
  const [at, setAt] = useState('')
  const newest = useRef(lines)
  newest.current = lines
  const follows = useRef(true)
  useEffect(() => {
    const [film, place] = [media.current, box.current]
    if (!film || !place) return
    const stop = () => {
      follows.current = false
    }
    const begin = () => {
      follows.current = true
    }
    const look = () => {
      const index = newest.current.findIndex(({ start, end }) => start <= film.currentTime && film.currentTime < end)
      setAt(newest.current[index]?.id ?? '')
      if (index < 0 || film.paused || !follows.current) return
      const top = index * row
      // It moves only when the line would leave the view.
      if (top < place.scrollTop || top + 2 * row > place.scrollTop + place.clientHeight)
        place.scrollTop = Math.max(0, top - ABOVE * place.clientHeight)
    }
    film.addEventListener('timeupdate', look)
    film.addEventListener('play', begin)
    for (const name of SCROLLING) place.addEventListener(name, stop, { passive: true })
    return () => {
      film.removeEventListener('timeupdate', look)
      film.removeEventListener('play', begin)
      for (const name of SCROLLING) place.removeEventListener(name, stop)
    }
  }, [row, lines.length > 0])
  return at
}
