// The end of a list of takes: reads older ones when it comes into view, or when it is pressed.
import { useEffect, useRef } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/library/takes.ts'

/** Pixels below the view in which older takes are read. */
const AHEAD = 400

/** `hasFailed`: they could not be read, and only a press tries again */
export function MoreTakes({ isReading, hasFailed, onMore }: { isReading: boolean; hasFailed: boolean; onMore: () => Promise<void> }) {
  const place = useRef<HTMLButtonElement | null>(null)
  useEffect(() => {
    if (isReading || hasFailed || !place.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void onMore(), { rootMargin: `${AHEAD}px` })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isReading, hasFailed])
  return (
    <div class="row center">
      <button ref={place} type="button" class="quiet" aria-busy={isReading} onClick={() => isReading || onMore()}>
        {strings.more}
      </button>
    </div>
  )
}
