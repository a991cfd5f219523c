// The words of a transcript in turns of speakers. A click plays from a word, a double click edits it; arrow keys, space and Enter do the same.

import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { clock } from '#control-plane/web/lib/format.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { useSound } from '#control-plane/web/look/sound.ts'
import { useGrowing } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/transcribe.ts'
import { type Content, type Found, type Turn, turnsOf, withSpeaker, withWordOf, wordAt } from './content.ts'
import { changeTranscript } from './kept.ts'

/** Place of a word as the page names it. */
const keyOf = (segment: number, word: number) => `${segment}.${word}`
const placeOf = (key: string) => {
  const [segment = 0, word = 0] = key.split('.').map(Number)
  return { segment, word }
}
const wordWith = (key: string) => document.querySelector<HTMLElement>(`[data-word="${key}"]`)
const keyUnder = (target: EventTarget | null) =>
  (target instanceof Element && target.closest('[data-word]')?.getAttribute('data-word')) || null

const SCROLL_KEYS = ['PageUp', 'PageDown', 'Home', 'End']
/** Pixels of which the sounding line may be off. */
const TOLERANCE = 24
const NEW = '\u0000'

/** Turns that did not change stay the same objects, so that they are not drawn again. */
function useTurns(segments: Content['segments']): Turn[] {
  const before = useRef<Turn[]>([])
  return useMemo(() => {
    const known = new Map(before.current.map((turn) => [turn.first, turn]))
    const isSame = (turn: Turn, old: Turn | undefined) =>
      old !== undefined && old.segments.length === turn.segments.length && old.segments.every((one, at) => one === turn.segments[at])
    before.current = turnsOf(segments).map((turn) => {
      const old = known.get(turn.first)
      return isSame(turn, old) && old ? old : turn
    })
    return before.current
  }, [segments])
}

function SpeakerOf({ turn, tint, speakers }: { turn: Turn; tint: number; speakers: readonly string[] }) {
  const [isChoosing, choose] = useState(false)
  const button = useRef<HTMLButtonElement | null>(null)
  const end = () => choose(false)
  const chosen = (event: Event) => {
    const value = fieldValue(event)
    const names = new Set(speakers)
    let next = 1
    while (names.has(strings.speakerNumber(next))) next++
    const speaker = value === NEW ? strings.speakerNumber(next) : value
    changeTranscript((now) => withSpeaker(now, turn, speaker))
    end()
    requestAnimationFrame(() => button.current?.focus())
  }
  const label = strings.speakerOf(clock(turn.start))
  if (isChoosing)
    return (
      <select
        class="speaker-choice"
        aria-label={label}
        value={turn.speaker}
        ref={(element: HTMLSelectElement | null) => element?.focus()}
        onChange={chosen}
        onBlur={end}
      >
        {turn.speaker === '' && <option value="">{strings.unknownSpeaker}</option>}
        {speakers.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value={NEW}>{strings.newSpeaker}</option>
      </select>
    )
  return (
    <button
      type="button"
      ref={button}
      class={`speaker ${tint > 0 ? `k${tint}` : 'unknown'}`}
      title={label}
      aria-label={`${turn.speaker || strings.unknownSpeaker}: ${label}`}
      onClick={() => choose(true)}
    >
      {turn.speaker || strings.unknownSpeaker}
    </button>
  )
}

function WordField({ text, onEnd }: { text: string; onEnd: (typed: string | null) => void }) {
  const field = useRef<HTMLInputElement | null>(null)
  const isOver = useRef(false)
  // Another browser may change it meanwhile: what was not typed here changes nothing.
  const [before] = useState(text)
  useLayoutEffect(() => field.current?.select(), [])
  const end = (typed: string | null) => {
    if (isOver.current) return
    isOver.current = true
    onEnd(typed === before ? null : typed)
  }
  const pressed = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Enter') end(field.current?.value ?? null)
    if (event.key === 'Escape') end(null)
  }
  return (
    <input
      ref={field}
      class="word-field"
      dir="auto"
      maxlength={200}
      defaultValue={text}
      aria-label={strings.editWord(text)}
      onKeyDown={pressed}
      onBlur={() => end(field.current?.value ?? null)}
    />
  )
}

type TurnProps = {
  turn: Turn
  tint: number
  /** none while they are not told apart */
  speakers: readonly string[]
  /** key of the word, '' if it is in another turn */
  sounding: string
  /** key of the word that is edited, '' if it is in another turn */
  editing: string
  /** keys of found words, and of those of the chosen place */
  found: string
  chosen: string
  hasSound: boolean
  onPlay: (seconds: number) => void
  onEdited: (key: string, typed: string | null) => void
}

function SpokenTurn({ turn, tint, speakers, sounding, editing, found, chosen, hasSound, onPlay, onEdited }: TurnProps) {
  const time = clock(turn.start)
  const [marks, now] = [new Set(found.split(' ')), new Set(chosen.split(' '))]
  const text = useMemo(
    () => (
      <p dir="auto">
        {turn.segments.flatMap(({ words }, segment) =>
          words.map(([, , raw], word) => {
            const key = keyOf(turn.first + segment, word)
            const bare = raw.trim()
            const blank = raw.startsWith(' ') || (word === 0 && segment > 0) ? ' ' : ''
            const look = [key === sounding ? 'sounding' : '', marks.has(key) ? 'found' : '', now.has(key) ? 'chosen' : ''].filter(Boolean)
            return (
              <>
                {blank}
                {key === editing ? (
                  <WordField key={`field ${key}`} text={bare} onEnd={(typed) => onEdited(key, typed)} />
                ) : (
                  <span key={key} data-word={key} tabindex={segment + word === 0 ? 0 : -1} class={look.join(' ') || undefined}>
                    {bare}
                  </span>
                )}
              </>
            )
          }),
        )}
      </p>
    ),
    [turn, sounding, editing, found, chosen],
  )
  return (
    <li class="spoken">
      <div class="spoken-by">
        {speakers.length > 0 && <SpeakerOf turn={turn} tint={tint} speakers={speakers} />}
        {hasSound ? (
          <button type="button" class="quiet time" aria-label={strings.playFrom(time)} onClick={() => onPlay(turn.start)}>
            {time}
          </button>
        ) : (
          <span class="soft time">{time}</span>
        )}
      </div>
      {text}
    </li>
  )
}

export type TurnsProps = {
  content: Content
  tints: ReadonlyMap<string, number>
  /** address of the sound; '' without one */
  path: string
  found: readonly Found[]
  /** place in `found` */
  chosen: number
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
  /** seconds of the address; null for none */
  start: number | null
  onPlay: (seconds: number) => void
}

const keysOf = (places: readonly Found[]) =>
  places.flatMap(({ segment, from, to }) => Array.from({ length: to - from + 1 }, (_, at) => keyOf(segment, from + at)))

export function Turns({ content, tints, path, found, chosen, isFollowing, onFollow, start, onPlay }: TurnsProps) {
  const turns = useTurns(content.segments)
  const drawn = useGrowing(turns.length)
  const [editing, setEditing] = useState('')
  /** Its time, by which it is found after a change of another browser. */
  const editedAt = useRef(0)
  const sound = useSound()
  const isHere = path !== '' && sound.path === path
  const at = isHere ? sound.at : start
  const place = at === null ? null : wordAt(content, at)
  const sounding = place ? keyOf(place.segment, place.word) : ''
  const isPlaying = isHere && sound.isPlaying
  const speakers = useMemo(() => [...tints.keys()].filter((name) => name !== ''), [tints])
  const marks = useMemo(() => keysOf(found), [found])
  const now = useMemo(() => keysOf(found.slice(chosen, chosen + 1)), [found, chosen])

  useEffect(() => {
    if (now[0]) wordWith(now[0])?.scrollIntoView({ block: 'center' })
  }, [now])
  useEffect(() => {
    if (start !== null && drawn === turns.length) wordWith(sounding)?.scrollIntoView({ block: 'center' })
  }, [start, drawn === turns.length])
  useEffect(() => {
    if (!isFollowing || !isPlaying) return
    const top = wordWith(sounding)?.getBoundingClientRect().top
    if (top !== undefined && Math.abs(top - innerHeight / 3) > TOLERANCE) scrollBy({ top: top - innerHeight / 3, behavior: 'smooth' })
  }, [sounding, isFollowing, isPlaying])
  useEffect(() => {
    if (!isFollowing || !isPlaying) return
    const scrolled = () => onFollow(false)
    const pressed = ({ key }: KeyboardEvent) => SCROLL_KEYS.includes(key) && onFollow(false)
    addEventListener('wheel', scrolled, { passive: true })
    addEventListener('touchmove', scrolled, { passive: true })
    addEventListener('keydown', pressed)
    return () => {
      removeEventListener('wheel', scrolled)
      removeEventListener('touchmove', scrolled)
      removeEventListener('keydown', pressed)
    }
  }, [isFollowing, isPlaying])

  const play = (key: string) => {
    const { segment, word } = placeOf(key)
    const seconds = content.segments[segment]?.words[word]?.[0]
    if (seconds !== undefined && path !== '') onPlay(seconds)
  }
  const edit = (key: string) => {
    const { segment, word } = placeOf(key)
    editedAt.current = content.segments[segment]?.words[word]?.[0] ?? 0
    setEditing(key)
  }
  const edited = (key: string, typed: string | null) => {
    const { segment, word } = placeOf(key)
    setEditing('')
    if (typed !== null) changeTranscript((newest) => withWordOf(newest, editedAt.current, { segment, word }, typed))
    requestAnimationFrame(() => (wordWith(key) ?? wordWith(keyOf(segment, Math.max(0, word - 1))))?.focus({ preventScroll: true }))
  }
  const pressed = (event: KeyboardEvent) => {
    const key = keyUnder(event.target)
    if (key === null) return
    const { segment, word } = placeOf(key)
    const isRightToLeft = wordWith(key)?.matches(':dir(rtl)')
    const beside = {
      [isRightToLeft ? 'ArrowLeft' : 'ArrowRight']: [keyOf(segment, word + 1), keyOf(segment + 1, 0)],
      [isRightToLeft ? 'ArrowRight' : 'ArrowLeft']: [
        keyOf(segment, word - 1),
        keyOf(segment - 1, (content.segments[segment - 1]?.words.length ?? 0) - 1),
      ],
    }[event.key]
    if (beside)
      beside
        .map(wordWith)
        .find((one) => one !== null)
        ?.focus()
    else if (event.key === 'Enter' || event.key === 'F2') edit(key)
    else if (event.key === ' ') play(key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const among = (turn: Turn, keys: readonly string[]) =>
    keys.filter((key) => {
      const { segment } = placeOf(key)
      return segment >= turn.first && segment < turn.first + turn.segments.length
    })
  const only = (turn: Turn, key: string) => (key === '' ? '' : (among(turn, [key])[0] ?? ''))
  return (
    <>
      <p id="word-keys" class="hidden">
        {strings.wordKeys}
      </p>
      <ol
        class="turns"
        aria-describedby="word-keys"
        onClick={({ target }) => {
          const key = keyUnder(target)
          if (key) play(key)
        }}
        onDblClick={({ target }) => {
          const key = keyUnder(target)
          if (key) edit(key)
        }}
        onKeyDown={pressed}
      >
        {turns.slice(0, drawn).map((turn) => (
          <SpokenTurn
            key={turn.first}
            turn={turn}
            tint={tints.get(turn.speaker) ?? 0}
            speakers={speakers}
            sounding={only(turn, sounding)}
            editing={only(turn, editing)}
            found={marks.length === 0 ? '' : among(turn, marks).join(' ')}
            chosen={now.length === 0 ? '' : among(turn, now).join(' ')}
            hasSound={path !== ''}
            onPlay={onPlay}
            onEdited={edited}
          />
        ))}
      </ol>
    </>
  )
}
