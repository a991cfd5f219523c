// A chapter as it is read aloud: paragraphs with their speakers and pauses. Each can be heard, spoken in another way, and edited by itself.
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/audiobook.ts'
import type { Paragraph, Piece } from './paragraphs.ts'
import { alone, MOST_TAKES, paragraphsOf, sentencesOf, withEdited, withoutPause, withSpeaker, withTake } from './paragraphs.ts'

/** Paragraphs that are drawn at once. */
const STEP = 150
const TINTS = 8
const MS = 1000

type Range = { readonly from: number; readonly to: number }
type Speakers = readonly (readonly [mark: string, name: string])[]
/** `onHear`: plays a manuscript, with the name of what it is */
export type ReadingProps = {
  text: string
  language: string
  /** the narrator first; what the manuscript calls them, and their names */
  speakers: Speakers
  onText: (text: string) => void
  onHear: (manuscript: string) => Promise<void>
}

const tintOf = (speakers: Speakers, mark: string) =>
  (Math.max(
    0,
    speakers.findIndex(([one]) => one === mark),
  ) %
    TINTS) +
  1

/** A name that is also shown on hover. */
const named = (name: string) => ({ title: name, 'aria-label': name })

const Words = ({
  piece,
  language,
  chosen,
  onChoose,
}: {
  piece: Piece & { readonly kind: 'words' }
  language: string
  chosen: Range | null
  onChoose: (range: Range & { take: number }) => void
}) =>
  sentencesOf(piece, language).map(({ from, to, text }) => (
    <span
      key={from}
      class={chosen && chosen.from < to && chosen.to > from ? 'chosen' : piece.take > 1 ? 'taken' : ''}
      onClick={() => onChoose({ from, to, take: piece.take })}
    >
      {text}
    </span>
  ))

function Edited({ words, label, language, onDone }: { words: string; label: string; language: string; onDone: Actions['onDone'] }) {
  const area = useRef<HTMLTextAreaElement | null>(null)
  const isOver = useRef(false)
  // Another browser may change the chapter meanwhile: what was not typed here changes nothing.
  const [before] = useState(words)
  const end = (next?: string) => {
    if (!isOver.current) onDone(before, next ?? before)
    isOver.current = true
  }
  useLayoutEffect(() => area.current?.focus(), [])
  const pressed = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') end()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) end(area.current?.value)
  }
  return (
    <textarea
      ref={area}
      dir="auto"
      lang={language || undefined}
      aria-label={label}
      defaultValue={words}
      onKeyDown={pressed}
      onBlur={() => end(area.current?.value)}
    ></textarea>
  )
}

type Actions = {
  onHear: (range: Range, how: { speaker: string; take: number }) => Promise<void>
  onSpeaker: (mark: string) => void
  /** The next take of a range, or the one before; null for another range. */
  onTake: (range: Range & { take: number }, by: number, speaker: string) => void
  onEdit: () => void
  /** `before`: the words that the editing began with */
  onDone: (before: string, words: string) => void
  onRemove: (range: Range) => void
}

function Row({
  text,
  one,
  number,
  speakers,
  language,
  chosen,
  isEdited,
  onChoose,
  onHear,
  onSpeaker,
  onTake,
  onEdit,
  onDone,
  onRemove,
}: {
  text: string
  one: Paragraph
  number: number
  speakers: Speakers
  language: string
  /** the sentence of this paragraph that is chosen */
  chosen: (Range & { take: number }) | null
  isEdited: boolean
  onChoose: (range: (Range & { take: number }) | null) => void
} & Actions) {
  const [isBusy, setBusy] = useState(false)
  const whole = { from: one.words, to: one.to, take: one.pieces.find(({ kind }) => kind === 'words')?.take ?? 1 }
  const range = chosen ?? whole
  const hear = async () => {
    setBusy(true)
    await onHear(range, { speaker: one.speaker, take: chosen ? range.take : 1 }).finally(() => setBusy(false))
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const digit = Number(event.key)
    if (event.key === 'Enter') onEdit()
    else if (event.key === ' ') void hear()
    else if (event.key === 'Escape' && chosen) onChoose(null)
    else if (speakers[digit - 1]) onSpeaker(speakers[digit - 1]![0])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const name = strings.paragraph(number)
  if (isEdited)
    return (
      <li class="paragraph">
        <Edited words={text.slice(one.from, one.to)} label={strings.textOf(name)} language={language} onDone={onDone} />
      </li>
    )
  return (
    // A paragraph is a group of its own controls; the keys are those of its buttons.
    <li
      class={one.isHeading ? 'paragraph heading' : 'paragraph'}
      tabindex={0}
      aria-label={name}
      data-paragraph={number}
      onKeyDown={pressed}
    >
      <button type="button" class="quiet icon-only hear" {...named(strings.listenTo(name))} aria-busy={isBusy} onClick={hear}>
        {!isBusy && <Icon of="play" />}
      </button>
      <p dir="auto" lang={language || undefined}>
        <select
          class={`speaker k${tintOf(speakers, one.speaker)}`}
          aria-label={strings.speakerOf(name)}
          value={one.speaker}
          onChange={(event: Event) => onSpeaker(fieldValue(event))}
        >
          {speakers.map(([mark, speaker]) => (
            <option key={mark} value={mark}>
              {speaker}
            </option>
          ))}
        </select>{' '}
        {one.pieces.map((piece, at) => {
          if (piece.kind === 'words')
            return <Words key={piece.from} piece={piece} language={language} chosen={chosen} onChoose={onChoose} />
          if (piece.kind === 'say')
            return (
              <span key={piece.from} class="said" title={strings.isSaidAs(piece.as)}>
                {piece.text}
              </span>
            )
          // One at the end is the voice of the next paragraph.
          if (piece.kind === 'voice')
            return at === one.pieces.length - 1 ? null : (
              <span key={piece.from} class={`speaker k${tintOf(speakers, piece.name)}`}>
                {speakers.find(([mark]) => mark === piece.name)?.[1] ?? piece.name}
              </span>
            )
          const pause = strings.pauseOf(piece.ms / MS)
          return (
            <button
              key={piece.from}
              type="button"
              class="badge pause"
              {...named(strings.removePause(pause))}
              onClick={() => onRemove(piece)}
            >
              <Icon of="clock" />
              {pause}
            </button>
          )
        })}
      </p>
      <span class="row actions">
        {range.take > 1 && (
          <button type="button" class="quiet" {...named(strings.takeBefore(range.take))} onClick={() => onTake(range, -1, one.speaker)}>
            {strings.take(range.take)}
          </button>
        )}
        <button
          type="button"
          class="quiet icon-only"
          {...named(chosen ? strings.sayAgainSentence : strings.sayAgain)}
          disabled={range.take >= MOST_TAKES}
          onClick={() => onTake(range, 1, one.speaker)}
        >
          <Icon of="again" />
        </button>
        <button type="button" class="quiet icon-only" {...named(strings.edit)} onClick={onEdit}>
          <Icon of="draft" />
        </button>
      </span>
    </li>
  )
}

export function Reading({ text, language, speakers, onText, onHear }: ReadingProps) {
  const paragraphs = useMemo(() => paragraphsOf(text), [text])
  const [shown, setShown] = useState(STEP)
  const [edited, setEdited] = useState(-1)
  const [{ of, range: kept }, setChosenIn] = useState({ of: '', range: null as (Range & { take: number }) | null })
  // Its places are those of one text.
  const chosen = of === text ? kept : null
  const setChosen = (range: typeof kept, within: string = text) => setChosenIn({ of: within, range })
  const list = useRef<HTMLOListElement | null>(null)
  const more = useRef<HTMLButtonElement | null>(null)
  const hasMore = shown < paragraphs.length
  useEffect(() => {
    if (!hasMore || !more.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setShown((now) => now + STEP), { rootMargin: '800px' })
    observer.observe(more.current)
    return () => observer.disconnect()
  }, [hasMore, shown])
  const focus = (index: number) => {
    const row = list.current?.children[index]
    if (row instanceof HTMLElement) row.focus()
  }
  const moved = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches('.paragraph')) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    focus([...(list.current?.children ?? [])].indexOf(event.target) + by)
  }
  const change = (next: string) => {
    setChosen(null)
    if (next !== text) onText(next)
  }
  const done = (index: number, before: string, words: string) => {
    setEdited(-1)
    if (words !== before) change(withEdited(text, paragraphs, index, { before, words }))
    setTimeout(() => focus(index))
  }
  const take = (range: Range & { take: number }, by: number, speaker: string) => {
    const number = Math.max(1, range.take + by)
    const next = withTake(text, range, number)
    onText(next.text)
    setChosen(chosen ? { from: next.from, to: next.to, take: number } : null, next.text)
    void onHear(alone(next.text, next, { speaker, take: number }))
  }
  return (
    <>
      <ol ref={list} class="reading" onKeyDown={moved}>
        {paragraphs.slice(0, shown).map((one, index) => (
          <Row
            key={index}
            text={text}
            one={one}
            number={index + 1}
            speakers={speakers}
            language={language}
            chosen={chosen && chosen.from >= one.from && chosen.to <= one.to ? chosen : null}
            isEdited={edited === index}
            onChoose={(range) => setChosen(range && chosen?.from === range.from ? null : range)}
            onHear={(range, how) => onHear(alone(text, range, how))}
            onSpeaker={(mark) => change(withSpeaker(text, paragraphs, index, mark))}
            onTake={take}
            onEdit={() => setEdited(index)}
            onDone={(before, words) => done(index, before, words)}
            onRemove={(range) => change(withoutPause(text, one, range))}
          />
        ))}
      </ol>
      {hasMore && (
        <button ref={more} type="button" class="quiet" onClick={() => setShown((now) => now + STEP)}>
          {strings.moreParagraphs(paragraphs.length - shown)}
        </button>
      )}
      {paragraphs.length === 0 && <p class="soft">{strings.noParagraphs}</p>}
    </>
  )
}
