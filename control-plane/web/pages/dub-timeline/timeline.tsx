// The timeline below the lines: the sound of the film, the lines of each speaker as blocks, and the moment that is played. A press seeks, a
// press on a line selects it, and its borders are dragged. Keys do the same: arrows seek, [ and ] set the borders, Alt and arrows move them.

import type { RefObject } from 'preact'
import { get } from '#control-plane/web/lib/api.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { onThemeChange } from '#control-plane/web/look/theme.ts'
import { strings } from '#messages/create/dub.ts'
import type { Line } from '../dub/lines.ts'
import { moment } from '../dub/lines.ts'
import type { Peaks } from './draw.ts'
import { coloursOf, draw } from './draw.ts'
import type { View } from './view.ts'
import { following, hitOf, LEAST_SPAN, movedEdge, RULER, secondsAt, startOf, TRACK, visible, WAVE, xOf, zoomed } from './view.ts'

export type Drag = { line: Line; edge: 'start' | 'end'; times: { start: number; end: number } }

const FIRST_SPAN = 18
const PEAKS = 2000
/** A view that moves is read once it rests. */
const REST_MS = 150
const STEP_SECONDS = 1
const LONG_STEP_SECONDS = 5

/** The sound of the view and of as much on both sides. */
function usePeaks(id: string, { from, span, duration }: View) {
  const [peaks, setPeaks] = useState<Peaks | null>(null)
  const isCovered =
    peaks !== null &&
    peaks.from <= from + 0.1 &&
    peaks.to >= Math.min(duration, from + span) - 0.1 &&
    (peaks.to - peaks.from <= span * 4 || peaks.peaks.length < PEAKS)
  useEffect(() => {
    if (isCovered || span === 0) return
    const abort = new AbortController()
    const timer = setTimeout(
      () => {
        const query = new URLSearchParams({ from: String(Math.max(0, from - span)), to: String(from + 2 * span), peaks: String(PEAKS) })
        // Without its sound the timeline still shows the lines.
        get(`/dub/peaks/${encodeURIComponent(id)}?${query}`, abort.signal).then(setPeaks, () => {})
      },
      peaks === null ? 0 : REST_MS,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [isCovered, from, span])
  return peaks
}

/** Seconds that the film is at, while it plays and after each jump. */
function useTime(media: RefObject<HTMLMediaElement | null>, onTime: (at: number) => void) {
  const newest = useRef(onTime)
  newest.current = onTime
  useEffect(() => {
    const element = media.current
    if (!element) return
    let frame = 0
    const changed = () => newest.current(element.currentTime)
    const follow = () => {
      changed()
      frame = element.paused ? 0 : requestAnimationFrame(follow)
    }
    const begin = () => frame || follow()
    element.addEventListener('play', begin)
    element.addEventListener('seeking', changed)
    element.addEventListener('loadedmetadata', changed)
    changed()
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('play', begin)
      element.removeEventListener('seeking', changed)
      element.removeEventListener('loadedmetadata', changed)
    }
  }, [])
}

/** Long factory: the pointer, the keys and the drawing share one state. */
export function Timeline({
  id,
  duration,
  lines,
  speakers,
  speaker,
  selected,
  media,
  onSelect,
  onTimes,
}: {
  id: string
  /** seconds */
  duration: number
  lines: readonly Line[]
  speakers: readonly string[]
  speaker: (speaker: string) => { name: string; tint: number }
  /** id of a line */
  selected: string
  media: RefObject<HTMLMediaElement | null>
  onSelect: (line: Line) => void
  onTimes: (line: Line, times: { start: number; end: number }) => void
}) {
  const canvas = useRef<HTMLCanvasElement | null>(null)
  const head = useRef<HTMLElement | null>(null)
  const [view, setView] = useState({ from: 0, span: Math.min(FIRST_SPAN, Math.max(LEAST_SPAN, duration)), width: 0, duration } as View)
  const [at, setAt] = useState(0)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [colours, setColours] = useState(coloursOf)
  const [cursor, setCursor] = useState('')
  const peaks = usePeaks(id, view)
  const moved = drag ? lines.map((line) => (line.id === drag.line.id ? { ...line, ...drag.times } : line)) : lines
  const height = RULER + WAVE + speakers.length * TRACK

  useEffect(() => onThemeChange(() => setColours(coloursOf())), [])
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setView((now) => ({ ...now, width: entry.contentRect.width })))
    if (canvas.current) observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [])
  // Typing changes lines, and seldom what is drawn of them.
  const looks = visible(moved, view)
    .map(({ id: one, start, end, speaker: by, state }) => `${one} ${start} ${end} ${by} ${state}`)
    .join('\n')
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, { view, lines: moved, speakers, tintOf: (one) => speaker(one).tint, selected, peaks, colours })
  }, [looks, view, speakers.join('\n'), selected, peaks, colours])
  useLayoutEffect(() => {
    const x = xOf(view, at)
    if (head.current) head.current.style.transform = `translateX(${x}px)`
    if (head.current) head.current.hidden = x < 0 || x > view.width
  })
  useTime(media, (seconds) => {
    setAt(seconds)
    setView((now) => following(now, seconds))
  })
  // The chosen line is shown, once, however it was chosen.
  useEffect(() => {
    const line = lines.find((one) => one.id === selected)
    if (line)
      setView((now) =>
        line.end < now.from || line.start > now.from + now.span
          ? { ...now, from: startOf(line.start - now.span * 0.2, now.span, duration) }
          : now,
      )
  }, [selected])

  const seek = useCallback((seconds: number) => {
    const element = media.current
    const place = Math.min(duration, Math.max(0, seconds))
    if (element) element.currentTime = place
    setAt(place)
    setView((now) => following(now, place))
  }, [])
  const placeOf = ({ clientX, clientY }: PointerEvent) => {
    const { left, top } = (canvas.current as HTMLCanvasElement).getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const hitAt = (event: PointerEvent) => {
    const { x, y } = placeOf(event)
    return hitOf(lines, speakers, view, x, y)
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    const hit = hitAt(event)
    canvas.current?.setPointerCapture(event.pointerId)
    if (hit) onSelect(hit.line)
    if (hit?.edge) return setDrag({ line: hit.line, edge: hit.edge, times: { start: hit.line.start, end: hit.line.end } })
    seek(secondsAt(view, placeOf(event).x))
  }
  const move = (event: PointerEvent) => {
    if (drag) return setDrag({ ...drag, times: movedEdge(drag.line, drag.edge, secondsAt(view, placeOf(event).x), duration) })
    const isSeeking = (event.buttons & 1) === 1 && canvas.current?.hasPointerCapture(event.pointerId)
    if (isSeeking) return seek(secondsAt(view, placeOf(event).x))
    setCursor(hitAt(event)?.edge ? 'ew-resize' : '')
  }
  const release = () => {
    if (drag && (drag.times.start !== drag.line.start || drag.times.end !== drag.line.end)) onTimes(drag.line, drag.times)
    setDrag(null)
  }
  const key = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LONG_STEP_SECONDS : STEP_SECONDS
    const to = { ArrowLeft: at - step, ArrowRight: at + step, PageUp: at - view.span, PageDown: at + view.span, Home: 0, End: duration }[
      event.key
    ]
    if (event.altKey || event.ctrlKey || event.metaKey || to === undefined) return
    event.preventDefault()
    seek(to)
  }
  const wheel = (event: WheelEvent) => {
    const by = event.deltaX || (event.shiftKey ? event.deltaY : 0)
    if (by === 0) return
    event.preventDefault()
    setView((now) => ({ ...now, from: startOf(now.from + (by / now.width) * now.span, now.span, duration) }))
  }
  const zoom = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLInputElement) setView((now) => zoomed(now, Math.exp(Number(currentTarget.value)), at))
  }
  const most = Math.log(Math.max(LEAST_SPAN, duration))
  return (
    <section class="timeline" aria-label={strings.timeline}>
      <div class="row timeline-top">
        <small class="number">
          {moment(at)} / {moment(duration)}
        </small>
        <span class="spread"></span>
        <small class="wide-only">{strings.timelineKeys}</small>
        <label class="zoom">
          <small>{strings.zoom(String(Math.round(view.span)))}</small>
          <input
            type="range"
            aria-label={strings.zoomLabel}
            min={Math.log(LEAST_SPAN)}
            max={most}
            step={0.01}
            value={Math.log(view.span)}
            aria-valuetext={strings.zoom(String(Math.round(view.span)))}
            onInput={zoom}
          />
        </label>
      </div>
      <div class="timeline-body">
        <div class="tracks" aria-hidden="true">
          <span class="track-name of-film">{strings.original}</span>
          {speakers.map((one) => {
            const { name, tint } = speaker(one)
            return (
              <span key={one} class="track-name one-line" dir="auto">
                <i class="dot" style={{ background: `var(--kind-${tint})` }}></i>
                {name}
              </span>
            )
          })}
        </div>
        <div
          class="track-view"
          role="slider"
          tabindex={0}
          aria-label={strings.position}
          aria-valuemin={0}
          aria-valuemax={Math.round(duration)}
          aria-valuenow={Math.round(at)}
          aria-valuetext={moment(at)}
          onKeyDown={key}
        >
          <canvas
            ref={canvas}
            style={{ height: `${height}px`, cursor }}
            onPointerDown={press}
            onPointerMove={move}
            onPointerUp={release}
            onPointerCancel={() => setDrag(null)}
            onWheel={wheel}
          ></canvas>
          <i ref={head} class="playhead" aria-hidden="true"></i>
        </div>
      </div>
    </section>
  )
}
