// The chapters of a book that is being prepared. Of a long book only those near the view are drawn.
import { duration } from '#control-plane/web/lib/format.ts'
import { useEffect } from '#control-plane/web/lib/html.ts'
import { useBoxRows, useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/audiobook.ts'
import type { Book } from './book.ts'
import { secondsOf } from './manuscript.ts'

/** Pixels, as in the style sheet. */
const ROW = 38
const PHONE_ROW = 44

/** `index`: of the chapter that is shown */
export function Outline({ chapters, index, onChoose }: { chapters: Book['chapters']; index: number; onChoose: (index: number) => void }) {
  const row = useIsPhone() ? PHONE_ROW : ROW
  const { place, measure, first, last } = useBoxRows<HTMLOListElement>({ count: chapters.length, row })
  useEffect(() => {
    // The chapter of the address comes into view.
    const box = place.current
    if (box && (index * row < box.scrollTop || (index + 1) * row > box.scrollTop + box.clientHeight)) box.scrollTop = (index - 1) * row
  }, [index])
  return (
    <nav class="outline" aria-label={strings.chapters}>
      <div class="row">
        <h2>{strings.chapters}</h2>
        <span class="soft number">{chapters.length}</span>
      </div>
      <ol ref={place} onScroll={measure} style={{ '--before': `${first * row}px`, '--after': `${(chapters.length - last) * row}px` }}>
        {chapters.slice(first, last).map(({ title, text }, at) => {
          const place = first + at
          return (
            <li key={place} aria-setsize={chapters.length} aria-posinset={place + 1}>
              <button type="button" class="quiet" aria-current={place === index ? 'true' : undefined} onClick={() => onChoose(place)}>
                <span class="text one-line" dir="auto">
                  {title || strings.chapter(place + 1)}
                </span>
                <span class="number">{duration(secondsOf(text.length))}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
