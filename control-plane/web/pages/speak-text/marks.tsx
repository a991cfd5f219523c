// Around the text of the field: the marks of its sentences behind it, their times beside it, and the actions of one sentence.
import type { RefObject } from 'preact'
import { clock } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { useSound } from '#control-plane/web/look/sound.ts'
import { useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/speak.ts'
import type { TextCopy } from './mirror.ts'
import { createTextCopy } from './mirror.ts'
import type { MarkedText } from './sentences.ts'
import { soundingAt, stretchAt } from './sentences.ts'
import type { PartsOfTake } from './take-parts.ts'

const Bar = whenOpened(() => import('./sentence-bar.tsx').then(({ SentenceBar }) => SentenceBar), { isQuiet: true, isSoon: true })

/** Until the text of the draft is that of the field, the marks would be at other words. */
function markStale(field: HTMLElement, isStale: boolean) {
  const box = field.closest<HTMLElement>('.script-box')
  if (box) box.dataset['stale'] = String(isStale)
}

type Row = { top: number; start: number; from: number }
const BAR_HEIGHT = 48

/** `url`: of the take. `onPlay`: plays it from a moment on, in seconds */
export function SentenceMarks({
  text,
  parts,
  url,
  place,
  onPlay,
}: {
  text: string
  parts: PartsOfTake
  url: string
  place: RefObject<HTMLTextAreaElement | null>
  onPlay: (at: number) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const mirror = useRef<TextCopy | null>(null)
  const [rows, setRows] = useState<readonly Row[]>([])
  const [scroll, setScroll] = useState(0)
  const [selected, setSelected] = useState<MarkedText | null>(null)
  const isPhone = useIsPhone()
  const now = useSound()
  const stretches = parts.compared?.stretches ?? []
  const newest = useRef({ stretches, parts, selected })
  newest.current = { stretches, parts, selected }
  const isSounding = now.path === url && url !== ''
  const sounding = isSounding && parts.take ? soundingAt(parts.take.parts, now.at) : null

  const measure = () => {
    const field = place.current
    if (!field || !mirror.current) return
    setScroll(field.scrollTop)
    const found = mirror.current.within(field.scrollTop, field.scrollTop + field.clientHeight)
    const { stretches: all } = newest.current
    setRows(
      found.flatMap(({ top, from, to }) => {
        const first = all.find((one) => one.sentence !== null && one.from >= from && one.from < to)
        return first?.sentence ? [{ top, from: first.from, start: first.sentence.start }] : []
      }),
    )
  }
  useEffect(() => {
    const field = place.current
    if (!field || !box.current) return
    const own = createTextCopy(box.current, measure)
    mirror.current = own
    let frame = 0
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(measure)
    }
    const choose = (at: number) => {
      const found = stretchAt(newest.current.stretches, at)
      setSelected(found?.sentence ? found : null)
    }
    const typed = () => {
      markStale(field, true)
      setSelected(null)
    }
    const pressed = () => field.selectionStart === field.selectionEnd && choose(field.selectionStart)
    const key = (event: KeyboardEvent) => {
      const { selected: one, parts: those } = newest.current
      if (event.key === 'Escape' && one) setSelected(null)
      const turns = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      if (!event.altKey || (turns === 0 && event.key !== 'Enter')) return
      const found = one ?? stretchAt(newest.current.stretches, field.selectionStart)
      if (!found?.sentence) return
      event.preventDefault()
      setSelected(found)
      if (turns !== 0) void those.turn(found.sentence, turns)
      else void Bar.prefetch().then(() => requestAnimationFrame(() => document.querySelector<HTMLElement>('.sentence-bar button')?.focus()))
    }
    const size = new ResizeObserver(() => {
      if (box.current) box.current.style.width = `${field.clientWidth}px`
      soon()
    })
    size.observe(field)
    field.addEventListener('scroll', soon, { passive: true })
    field.addEventListener('input', typed)
    field.addEventListener('click', pressed)
    field.addEventListener('keydown', key)
    return () => {
      own.end()
      cancelAnimationFrame(frame)
      size.disconnect()
      field.removeEventListener('scroll', soon)
      field.removeEventListener('input', typed)
      field.removeEventListener('click', pressed)
      field.removeEventListener('keydown', key)
    }
  }, [])
  useEffect(() => {
    mirror.current?.fill(text, stretches)
    // Later than the listeners of the key that changed the draft: this may run between them.
    requestAnimationFrame(() => place.current && markStale(place.current, false))
    // The sentence has other sounds now.
    setSelected((old) => (old?.sentence ? (stretches.find((one) => one.sentence?.from === old.sentence?.from) ?? null) : null))
  }, [text, parts.compared])
  const shown = stretches.find((one) => one.sentence === sounding) ?? null
  useEffect(() => mirror.current?.show('sounding', sounding ? shown : null), [shown])
  useEffect(() => mirror.current?.show('selected', selected), [selected])

  const end = selected && !isPhone ? mirror.current?.endOf(selected) : null
  const height = place.current?.clientHeight ?? 0
  const top = end ? Math.min(height - BAR_HEIGHT, Math.max(0, end.top - scroll + 4)) : null
  return (
    <>
      <div class="mirror" aria-hidden="true">
        <div ref={box} dir="auto" style={{ transform: `translateY(${-scroll}px)` }}></div>
      </div>
      {!isPhone && (
        <div class="gutter" style={{ transform: `translateY(${-scroll}px)` }}>
          {rows.map(({ top: at, start, from }) => (
            <button
              key={from}
              type="button"
              class="quiet from-here"
              tabIndex={-1}
              style={{ top: `${at}px` }}
              title={strings.fromHere}
              aria-label={strings.playFrom(clock(start))}
              onClick={() => onPlay(start)}
            >
              <span class="number">{clock(start)}</span>
              <Icon of="play" isSolid />
            </button>
          ))}
        </div>
      )}
      {selected?.sentence && (
        <Bar.View
          key={selected.sentence.from}
          stretch={selected}
          parts={parts}
          top={top}
          onPlay={onPlay}
          onClose={() => {
            setSelected(null)
            place.current?.focus()
          }}
        />
      )}
    </>
  )
}
