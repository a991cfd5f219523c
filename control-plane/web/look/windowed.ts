// Long lists: only the rows near the view are drawn. Every row has the same height, so the scroll bar is true.
import { useEffect, useRef, useState } from '../lib/html.ts'

/** Rows that are drawn above and below the view. */
const AROUND = 4

/** The rows to draw: those of the view and some around them. Pure. `view`: pixels */
export function shownRange({ top, height, row, count }: { top: number; height: number; row: number; count: number }) {
  const first = Math.min(count, Math.floor(top / row)) - AROUND
  return { first: Math.max(0, first), last: Math.min(count, Math.ceil((top + height) / row) + AROUND) }
}

/** Rows of a list that scrolls with the page. `place`: for the element that starts with the first row. `row`: pixels */
export function useShownRows<Place extends HTMLElement>({ count, row }: { count: number; row: number }) {
  const place = useRef<Place | null>(null)
  // The first drawing has the rows of half a screen: with all of them it would be one long task.
  const [range, setRange] = useState(() => shownRange({ top: 0, height: innerHeight / 2, row, count }))
  useEffect(() => {
    const measure = () => {
      const top = Math.max(0, -(place.current?.getBoundingClientRect().top ?? 0))
      const next = shownRange({ top, height: innerHeight, row, count })
      setRange((now) => (now.first === next.first && now.last === next.last ? now : next))
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [count, row])
  return { place, ...range }
}

/** A list that scrolls by itself is drawn again when it has moved by so many rows. */
const STEP = 4

/** Rows of a list that scrolls by itself. `place`: for the element that scrolls, with `measure` as its listener. `row`: pixels */
export function useBoxRows<Place extends HTMLElement>({ count, row }: { count: number; row: number }) {
  const place = useRef<Place | null>(null)
  // Until its height is measured, only the rows around its top are drawn: more of them would be one long task with the rest of the page.
  const [view, setView] = useState({ top: 0, height: 0 })
  const measure = () => {
    if (!place.current) return
    const { scrollTop, clientHeight: height } = place.current
    const top = Math.floor(scrollTop / (STEP * row)) * STEP * row
    setView((now) => (now.top === top && now.height === height ? now : { top, height }))
  }
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [row])
  return { place, measure, ...shownRange({ top: view.top, height: view.height + STEP * row, row, count }) }
}

/** Rows that are drawn at once where all of a list are drawn. */
const AT_ONCE = 16

/** Number of rows of a list that are drawn: those of the first view at once, the others in the frames after it. */
export function useGrowing(count: number) {
  const [shown, setShown] = useState(AT_ONCE)
  useEffect(() => {
    if (shown >= count) return
    const frame = requestAnimationFrame(() => setShown(shown + AT_ONCE))
    return () => cancelAnimationFrame(frame)
  }, [shown, count])
  return Math.min(shown, count)
}

/** True while the screen matches. `media`: a query of style sheets */
export function useIsNarrow(media: string) {
  const [isNarrow, setNarrow] = useState(() => matchMedia(media).matches)
  useEffect(() => {
    const query = matchMedia(media)
    const changed = () => setNarrow(query.matches)
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }, [])
  return isNarrow
}

/** True if the screen is as narrow as that of a phone, on which rows have other heights. */
export const useIsPhone = () => useIsNarrow('(max-width: 719px)')
