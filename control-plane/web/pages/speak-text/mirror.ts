// SentenceMarks under the text of the field: a copy of the text without colour lies behind it, in paragraphs, in which stretches have a background. It is filled a
// few paragraphs per frame, and a change draws only the paragraphs that it concerns.
import type { MarkedText } from './sentences.ts'

export type TextCopy = ReturnType<typeof createTextCopy>
type Paragraph = { element: HTMLElement; key: string; from: number }

/** A longer paragraph is laid out as one, which would take longer than a frame. */
const LONGEST = 20_000
/** Less than a frame, as the browser lays the paragraphs out as well. */
const FRAME_CHARS = 6_000
const FRAME_MS = 5

const nameOf = ({ sentence, from }: MarkedText) => (sentence ? `s${sentence.from}` : `c${from}`)

export function createTextCopy(box: HTMLElement, onFilled: () => void) {
  let paragraphs: Paragraph[] = []
  let frame = 0
  const marks = { sounding: '', selected: '' }

  function show(mark: keyof typeof marks, stretch: MarkedText | null) {
    const name = stretch ? nameOf(stretch) : ''
    if (marks[mark] === name) return
    for (const old of [...box.getElementsByClassName(mark)]) old.classList.remove(mark)
    marks[mark] = name
    if (name !== '') for (const one of box.querySelectorAll(`[data-s="${name}"]`)) one.classList.add(mark)
  }

  function draw(text: string, from: number, stretches: readonly MarkedText[]) {
    const element = document.createElement('p')
    let at = 0
    for (const stretch of stretches) {
      const [start, end] = [Math.max(0, stretch.from - from), Math.min(text.length, stretch.to - from)]
      if (end <= start) continue
      element.append(text.slice(at, start))
      const span = document.createElement('span')
      const name = nameOf(stretch)
      span.dataset['s'] = name
      if (!stretch.sentence) span.className = 'changed'
      if (name === marks.sounding) span.classList.add('sounding')
      if (name === marks.selected) span.classList.add('selected')
      span.textContent = text.slice(start, end)
      element.append(span)
      at = end
    }
    element.append(text.slice(at) || (at === 0 ? '\u200b' : ''))
    return element
  }

  return {
    /** Shows the stretches of a text; none remove the copy. */
    fill(text: string, stretches: readonly MarkedText[]) {
      cancelAnimationFrame(frame)
      const lines = stretches.length === 0 ? [] : text.split('\n')
      if (lines.some(({ length }) => length > LONGEST)) lines.length = 0
      let [index, at, next] = [0, 0, 0]
      const before = paragraphs
      const step = () => {
        const until = performance.now() + FRAME_MS
        for (let drawn = 0; index < lines.length && drawn < FRAME_CHARS && performance.now() < until; index++) {
          const line = lines[index] ?? ''
          const end = at + line.length
          while (next < stretches.length && (stretches[next]?.to ?? 0) <= at) next++
          const own: MarkedText[] = []
          for (let each = next; each < stretches.length && (stretches[each]?.from ?? end) < end; each++) {
            const stretch = stretches[each]
            if (stretch) own.push(stretch)
          }
          const key = `${line} ${own.map((one) => `${nameOf(one)} ${one.from - at} ${one.to - at}`).join()}`
          const old = before[index]
          if (old?.key === key) old.from = at
          else {
            const element = draw(line, at, own)
            if (old) old.element.replaceWith(element)
            else box.append(element)
            before[index] = { element, key, from: at }
            drawn += line.length
          }
          at = end + 1
        }
        if (index < lines.length) frame = requestAnimationFrame(step)
        else {
          for (const { element } of before.splice(lines.length)) element.remove()
          onFilled()
        }
      }
      paragraphs = before
      step()
    },
    show,
    /** The paragraphs between two heights of the copy, with the places in the text where they begin. */
    within(top: number, bottom: number) {
      let [low, high] = [0, paragraphs.length]
      while (low < high) {
        const middle = (low + high) >> 1
        const one = paragraphs[middle]?.element
        if (one && one.offsetTop + one.offsetHeight < top) low = middle + 1
        else high = middle
      }
      const found: { top: number; from: number; to: number }[] = []
      for (let index = low; index < paragraphs.length; index++) {
        const { element, from } = paragraphs[index] ?? {}
        if (!element || from === undefined || element.offsetTop > bottom) break
        found.push({ top: element.offsetTop, from, to: paragraphs[index + 1]?.from ?? Number.POSITIVE_INFINITY })
      }
      return found
    },
    /** End of a stretch in pixels of the copy; null if it is not drawn. */
    endOf(stretch: MarkedText) {
      const last = [...box.querySelectorAll<HTMLElement>(`[data-s="${nameOf(stretch)}"]`)].at(-1)
      return last ? { top: last.offsetTop + last.offsetHeight, start: last.offsetLeft } : null
    },
    end: () => cancelAnimationFrame(frame),
  }
}
