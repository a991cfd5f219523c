// The chapters of a book that is being prepared. Of a long book only those near the view are drawn.
import { duration } from '#control-plane/web/lib/format.ts'
import { useEffect } from '#control-plane/web/lib/html.ts'
import { useBoxRows, useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/audiobook.ts'
import type { Book } from './book.ts'
import { changeBook } from './book.ts'
import { isIncluded, secondsOf, withIncluded } from './manuscript.ts'
import type { Length } from './plan.ts'

/** Pixels, as in the style sheet. */
const ROW = 52
const PHONE_ROW = 56

type Parts = {
  chapters: Book['chapters']
  /** by place; one without words has none */
  lengths: ReadonlyMap<number, Length>
  /** the chapter that is shown */
  index: number
  onChoose: (index: number) => void
}

export function Outline({ chapters, lengths, index, onChoose }: Parts) {
  const row = useIsPhone() ? PHONE_ROW : ROW
  const { place, measure, first, last } = useBoxRows<HTMLOListElement>({ count: chapters.length, row })
  useEffect(() => {
    // The chapter of the address comes into view.
    const box = place.current
    if (box && (index * row < box.scrollTop || (index + 1) * row > box.scrollTop + box.clientHeight)) box.scrollTop = (index - 1) * row
  }, [index])
  const lengthOf = (place: number, chars: number) => {
    const known = lengths.get(place)
    if (known) return strings.wordsAndTime(known.words, duration(known.seconds))
    return lengths.size === 0 ? duration(secondsOf(chars)) : strings.noWords
  }
  return (
    <nav class="outline" aria-label={strings.chapters}>
      <div class="row">
        <h2>{strings.chapters}</h2>
        <span class="soft number">{chapters.length}</span>
      </div>
      <ol ref={place} onScroll={measure} style={{ '--before': `${first * row}px`, '--after': `${(chapters.length - last) * row}px` }}>
        {chapters.slice(first, last).map((chapter, at) => {
          const place = first + at
          const name = chapter.title || strings.chapter(place + 1)
          const isOn = isIncluded(chapter)
          return (
            <li key={place} class={isOn ? undefined : 'off'} aria-setsize={chapters.length} aria-posinset={place + 1}>
              <input
                type="checkbox"
                role="switch"
                class="switch"
                aria-label={strings.speak(name)}
                checked={isOn}
                onChange={() => changeBook({ chapters: withIncluded(chapters, place, !isOn) })}
              />
              <button type="button" class="quiet" aria-current={place === index ? 'true' : undefined} onClick={() => onChoose(place)}>
                <span class="text one-line" dir="auto">
                  {name}
                </span>
                <span class="number">{lengthOf(place, chapter.text.length)}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
