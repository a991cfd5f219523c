// The lines of a dub. Of a long film only the rows near the view are drawn; every row has the same height, so the scroll bar is true.

import type { RefObject } from 'preact'
import { messageOf } from '#control-plane/web/lib/api.ts'
import { Action, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useLayoutEffect, useMemo, useRef } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { useBoxRows, useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/dub.ts'
import { decimal, list } from '#messages/language.ts'
import type { Line } from '../dub/lines.ts'
import { LONG_SHARE, moment, needsReview } from '../dub/lines.ts'
import type { Sounding } from '../dub/sound.ts'
import { useFollowed } from '../dub-panel/follow.ts'

const ROW = 58
const PHONE_ROW = 148
/** The picture of a length ends here. */
const MOST_SHARE = 2
const STATES: Readonly<Record<Line['state'], { icon: IconName; tone: string }>> = {
  untranslated: { icon: 'draft', tone: 'quiet' },
  ready: { icon: 'clock', tone: 'quiet' },
  spoken: { icon: 'check', tone: 'good' },
  changed: { icon: 'again', tone: 'quiet' },
  failed: { icon: 'warning', tone: 'bad' },
}

/** Checks of engines may name others. */
const FAULTS: Readonly<Partial<Record<string, string>>> = strings.faults

/** Fault or state of a line, as a short sentence. */
export function stateText(line: Line) {
  if (line.error) return line.error
  if (line.faults.length > 0) return list(line.faults.map((fault) => FAULTS[fault] ?? fault))
  if (line.fit && line.fit.share > LONG_SHARE) return strings.tooLong
  return strings.states[line.state]
}

function Fit({ line: { fit } }: { line: Line }) {
  if (fit === null) return <span class="fit"></span>
  const isLong = fit.share > LONG_SHARE
  return (
    <span class={isLong ? 'fit long-line' : 'fit'} title={strings.fitHint(fit.isMeasured)}>
      <span class="bar" aria-hidden="true">
        <i style={{ width: `${(100 * Math.min(MOST_SHARE, fit.share)) / MOST_SHARE}%` }}></i>
      </span>
      <span class="number">{strings.fit(decimal(fit.share, 2), fit.isMeasured)}</span>
    </span>
  )
}

export type RowProps = {
  line: Line
  /** in the table */
  index: number
  /** pixels */
  top: number
  /** name of the speaker */
  name: string
  tint: number
  isSelected: boolean
  /** the film is here */
  isAt: boolean
  /** it may be spoken right now */
  isWorking: boolean
  /** language of the target */
  language: string
  sounding: Sounding
  on: Actions
}
function Row(props: RowProps) {
  const { line, index, top, name, tint, isSelected, isAt, isWorking, language, sounding, on } = props
  // Not drawn again while the list scrolls.
  return useMemo(() => drawRow(props), [line, index, top, name, tint, isSelected, isAt, isWorking, language, sounding, on])
}

function drawRow({ line, index, top, name, tint, isSelected, isAt, isWorking, language, sounding, on }: RowProps) {
  const { icon, tone } = needsReview(line) ? { icon: 'warning' as IconName, tone: 'warn' } : STATES[line.state]
  const isSounding = sounding.line === line.id
  const typed = (event: Event) => on.edit(line, fieldValue(event))
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (!event.repeat) on.again(line)
    }
  }
  const word = stateText(line)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-current={isSelected}
      class={isAt ? 'dub-line at' : 'dub-line'}
      tabindex={-1}
      style={{ transform: `translateY(${top}px)` }}
      onFocusIn={() => on.select(line.id)}
      onClick={() => on.select(line.id)}
    >
      <span role="cell" class="no number">
        {line.number}
      </span>
      <span role="cell" class="who">
        <span class={`speaker k${tint}`} dir="auto" title={name}>
          {name}
        </span>
      </span>
      <span role="cell" class="when number">
        <button
          type="button"
          class="quiet time"
          tabindex={-1}
          aria-label={strings.showAt(moment(line.start))}
          onClick={() => on.seek(line)}
        >
          {moment(line.start)}
        </button>
        <small>{strings.length(decimal(line.end - line.start, 1))}</small>
      </span>
      <span role="cell" class="source text" dir="auto" title={line.source}>
        {line.source}
      </span>
      <span role="cell" class="target">
        <textarea
          dir="auto"
          rows={2}
          lang={language || undefined}
          aria-label={strings.targetOf(line.number)}
          value={line.target}
          placeholder={strings.noText}
          maxlength={5000}
          disabled={language === ''}
          onInput={typed}
          onKeyDown={key}
        ></textarea>
      </span>
      <span role="cell" class="how">
        <Fit line={line} />
      </span>
      <span role="cell" class={`what state ${tone}`} title={word}>
        {isWorking && line.state !== 'spoken' ? <Ring share={null} /> : <Icon of={icon} />}
        <span class="hidden">{word}</span>
      </span>
      <span role="cell" class="listen">
        <Action
          kind="quiet icon-only"
          tabindex={-1}
          aria-label={isSounding ? strings.stopLine(line.number) : strings.playLine(line.number)}
          disabled={line.target.trim() === ''}
          onPress={() => on.play(line)}
        >
          {isSounding && sounding.isWaiting ? <Ring share={null} /> : <Icon of={isSounding ? 'pause' : 'play'} isSolid />}
        </Action>
      </span>
    </div>
  )
}

export type Actions = {
  select: (id: string) => void
  edit: (line: Line, text: string) => void
  play: (line: Line) => Promise<void>
  seek: (line: Line) => void
  again: (line: Line) => void
}

export function LineTable({
  lines,
  selected,
  speaker,
  sourceName,
  targetName,
  language,
  isWorking,
  sounding,
  media,
  on,
}: {
  lines: readonly Line[]
  /** id of a line */
  selected: string
  speaker: (speaker: string) => { name: string; tint: number }
  /** language */
  sourceName: string
  targetName: string
  /** code of the target */
  language: string
  isWorking: boolean
  sounding: Sounding
  media: RefObject<HTMLMediaElement | null>
  on: Actions
}) {
  const row = useIsPhone() ? PHONE_ROW : ROW
  const { place, measure, first, last } = useBoxRows<HTMLDivElement>({ count: lines.length, row })
  useEffect(() => {
    // The line of the address, once the lines are there.
    const index = lines.findIndex(({ id }) => id === selected)
    if (index > 0 && place.current?.scrollTop === 0) place.current.scrollTop = Math.max(0, (index - 2) * row)
  }, [lines.length > 0])
  useEffect(() => {
    // A line that was chosen elsewhere, such as in the timeline, comes into view.
    const index = lines.findIndex(({ id }) => id === selected)
    const box = place.current
    if (index < 0 || !box || box.contains(document.activeElement)) return
    if (index * row < box.scrollTop || (index + 1) * row > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, (index - 1) * row)
  }, [selected])
  const at = useFollowed({ lines, media, box: place, row })
  const toFocus = useRef(false)
  const focusRow = () => {
    const box = place.current
    const element = box?.querySelector('.dub-line[aria-current="true"]')
    if (!box || !(element instanceof HTMLElement)) return
    element.focus({ preventScroll: true })
    const top = lines.findIndex(({ id }) => id === selected) * row
    if (top < box.scrollTop) box.scrollTop = top
    if (top + row > box.scrollTop + box.clientHeight) box.scrollTop = top + row - box.clientHeight
  }
  useLayoutEffect(() => {
    if (toFocus.current) focusRow()
    toFocus.current = false
  }, [selected])
  const key = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return
    if (event.target.closest('textarea')) {
      if (event.key !== 'Escape') return
      event.preventDefault()
      return focusRow()
    }
    const now = lines.findIndex(({ id }) => id === selected)
    const next = { ArrowDown: now + 1, ArrowUp: now < 0 ? 0 : now - 1, Home: 0, End: lines.length - 1 }[event.key]
    const line = lines[next ?? now]
    if (next !== undefined) {
      event.preventDefault()
      if (!line || line.id === selected) return focusRow()
      toFocus.current = true
      return on.select(line.id)
    }
    // A button in the row does what it is for.
    if (!line || event.target.closest('button')) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const field = place.current?.querySelector('.dub-line[aria-current="true"] textarea')
      if (field instanceof HTMLTextAreaElement) field.focus()
    } else if (event.key === ' ' && line.target.trim() !== '') {
      event.preventDefault()
      on.play(line).catch((failure) => notify(messageOf(failure), 'error'))
    }
  }
  // The selected row keeps its place, and with it the focus, wherever the view is.
  const shown = lines.slice(first, last).map((line, at) => ({ line, index: first + at }))
  const chosen = useMemo(() => lines.findIndex(({ id }) => id === selected), [lines, selected])
  const line = lines[chosen]
  // In the order of the lines: an element that is moved loses the focus.
  if (line && chosen < first) shown.unshift({ line, index: chosen })
  if (line && chosen >= last) shown.push({ line, index: chosen })
  return (
    <div class="dub-table" role="table" aria-label={strings.lines} aria-rowcount={lines.length + 1}>
      <div role="rowgroup" class="dub-head">
        <div role="row" aria-rowindex={1} class="dub-line">
          <span role="columnheader" class="no">
            {strings.number}
          </span>
          <span role="columnheader" class="who">
            {strings.speaker}
          </span>
          <span role="columnheader" class="when">
            {strings.start}
          </span>
          <span role="columnheader" class="source">
            {sourceName}
          </span>
          <span role="columnheader" class="target">
            {targetName}
          </span>
          <span role="columnheader" class="how">
            {strings.fitTitle}
          </span>
          <span role="columnheader" class="what">
            <span class="hidden">{strings.state}</span>
          </span>
          <span role="columnheader" class="listen">
            <span class="hidden">{strings.listen}</span>
          </span>
        </div>
      </div>
      <div ref={place} role="rowgroup" class="dub-rows" tabindex={0} aria-label={strings.lines} onScroll={measure} onKeyDown={key}>
        <div role="none" class="dub-space" style={{ height: `${lines.length * row}px` }}></div>
        {shown.map(({ line, index }) => {
          const { name, tint } = speaker(line.speaker)
          return (
            <Row
              key={line.id}
              line={line}
              index={index}
              top={index * row}
              name={name}
              tint={tint}
              isSelected={line.id === selected}
              isAt={line.id === at}
              isWorking={isWorking}
              language={language}
              sounding={sounding}
              on={on}
            />
          )
        })}
      </div>
    </div>
  )
}
