// The book that is being prepared: its chapters, the text of one of them, and what the whole book needs.

import type { PageProps } from '#control-plane/web/app.tsx'
import { useObjectName } from '#control-plane/web/frame/object-name.ts'
import { SavedElsewhere, SavedState } from '#control-plane/web/kept-project/conflict.tsx'
import { ApiError, messageOf, post } from '#control-plane/web/lib/api.ts'
import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { useChanges } from '#control-plane/web/lib/changes.ts'
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { duration } from '#control-plane/web/lib/format.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { playSound } from '#control-plane/web/look/sound.ts'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/audiobook.ts'
import { strings as shared } from '#messages/shared.ts'
import { Chapters } from '../audiobook-shelf/chapters.tsx'
import { isBook, projectOfJob } from '../audiobook-shelf/shelf.ts'
import type { Book } from './book.ts'
import { bookKeeper, changeBook, moveLocalBook, openBook, useBook } from './book.ts'
import { Inspector } from './inspector.tsx'
import { MakingBook } from './making.tsx'
import type { Style } from './manuscript.ts'
import { cutChapter, isIncluded, marked, markOf, voiced, withChapter } from './manuscript.ts'
import { Outline } from './outline.tsx'
import { leftOutOf, spokenLength, usePlan } from './plan.ts'
import { startBook, voiceRequest } from './render.ts'

/** Parts that are listed; the rest is counted. */
const MOST_LEFT_OUT = 100
const GONE = 404
const STYLES = ['pause', 'slow', 'fast', 'say', 'take'] as Style[]

/** Name in the storage of the browser: text or reading. */
const VIEW = 'voice-studio-book-view'
const Reading = whenOpened(() => import('../audiobook-text/reading.tsx').then((module) => module.Reading), { isQuiet: true })

/** View that this browser keeps. `next`: another one from now on */
function keptView(next?: 'text' | 'reading') {
  try {
    if (next) localStorage.setItem(VIEW, next)
    return localStorage.getItem(VIEW)
  } catch {
    return null // the storage is turned off
  }
}
const hasWords = (text: string) => text.split('\n').some((line) => line.trim() !== '' && !line.startsWith('# '))

type Trouble = { error: string; needs: NeedEntry | null }
const NO_TROUBLE: Trouble = { error: '', needs: null }
const NO_SOUND = { ...NO_TROUBLE, notices: [] as readonly string[] }
/** The refusal of the studio; the line for a missing model says it itself. */
const troubleOf = (failure: unknown): Trouble =>
  failure instanceof ApiError && failure.needs ? { error: '', needs: failure.needs } : { error: messageOf(failure), needs: null }

/** cursor: where it is put; null leaves it. */
export type Place = { index: number; cursor: number | null }

/** `voices`: names by what the manuscript calls them */
function Script({
  book,
  index,
  place,
  voices,
  onPlace,
}: {
  book: Book
  index: number
  place: Place
  voices: ReadonlyMap<string, string>
  onPlace: (place: Place) => void
}) {
  const area = useRef<HTMLTextAreaElement | null>(null)
  const [sound, setSound] = useState(NO_SOUND)
  const chapter = book.chapters[index]
  // A chapter without words is written first.
  const [isText, setText] = useState(() => keptView() === 'text' || !hasWords(chapter?.text ?? ''))
  useEffect(() => setSound(NO_SOUND), [index])
  useLayoutEffect(() => {
    if (place.cursor === null) return
    area.current?.focus()
    area.current?.setSelectionRange(place.cursor, place.cursor)
  }, [place])
  if (!chapter) return null
  const typed = () => {
    const { current } = area
    if (!current) return
    const next = withChapter(book.chapters, index, current.value, current.selectionStart)
    changeBook({ chapters: next.chapters })
    if (next.chapters.length !== book.chapters.length) onPlace(next)
  }
  const insert = (change: (text: string, start: number, end: number) => { text: string; cursor: number }) => {
    const { current } = area
    if (!current) return
    const { text, cursor } = change(current.value, current.selectionStart, current.selectionEnd)
    const next = withChapter(book.chapters, index, text, cursor)
    changeBook({ chapters: next.chapters })
    onPlace(next)
  }
  const hear = async (manuscript: string, hasTitle: boolean) => {
    setSound(NO_SOUND)
    try {
      const { output, notices } = await post('/audiobook/preview', {
        text: manuscript,
        chapter_index: 0,
        ...voiceRequest(book),
        speak_titles: hasTitle && book.speaksTitles,
      })
      setSound({ ...NO_SOUND, notices })
      await playSound(`/audio/${encodeURIComponent(output)}`, { title: strings.previewOf(name), href: location.hash })
    } catch (failure) {
      setSound({ ...NO_SOUND, ...troubleOf(failure) })
    }
  }
  const turn = () => {
    keptView(isText ? 'reading' : 'text')
    setText(!isText)
  }
  const name = chapter.title || strings.chapter(index + 1)
  return (
    <section class="book-script" aria-label={name}>
      <div class="row">
        {isText &&
          STYLES.map((style) => (
            <button type="button" key={style} class="quiet" onClick={() => insert((text, start, end) => marked(text, start, end, style))}>
              {strings.styles[style]}
            </button>
          ))}
        {isText && (
          <Field label={strings.switchVoice} look="chip">
            <select
              value=""
              onChange={(event: Event) => {
                const voice = fieldValue(event)
                if (event.target instanceof HTMLSelectElement) event.target.value = ''
                insert((text, start) => voiced(text, start, voice))
              }}
            >
              <option value="" disabled>
                {strings.chooseVoice}
              </option>
              <option value="default">{strings.narrator}</option>
              {[...voices].map(([mark, name]) => (
                <option key={mark} value={mark}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        <span class="spread"></span>
        <button type="button" class="quiet" onClick={turn}>
          <Icon of={isText ? 'book' : 'draft'} />
          {isText ? strings.readingView : strings.editAsText}
        </button>
        <Action onPress={() => hear(chapter.text, true)}>
          <Icon of="play" isSolid />
          {strings.preview}
        </Action>
      </div>
      {isText ? (
        <Field label={strings.textOf(name)} look="unnamed">
          <textarea ref={area} dir="auto" lang={book.language ?? undefined} value={chapter.text} onInput={typed}></textarea>
        </Field>
      ) : (
        <Reading.View
          text={chapter.text}
          language={book.language ?? ''}
          speakers={[['', strings.narrator], ...voices]}
          onText={(text) => {
            const next = withChapter(book.chapters, index, text, 0)
            changeBook({ chapters: next.chapters })
          }}
          onHear={(manuscript) => hear(manuscript, false)}
        />
      )}
      <div class="book-said">
        {sound.needs && <Needs.View of={sound.needs} />}
        {sound.error && (
          <p class="callout bad text" role="alert">
            {sound.error}
          </p>
        )}
        {sound.notices.map((one) => (
          <p key={one} class="note text">
            <Icon of="note" />
            {serverSentence(one)}
          </p>
        ))}
      </div>
    </section>
  )
}

/** Address of versions before projects, for the only manuscript of a browser. */
const LOCAL = 'draft'

/** Shows the manuscript of the address. Returns why it can't be shown, and whether it is. */
function useOpened(project: string) {
  const [{ opened, error }, set] = useState({ opened: useBook().project === project ? project : '', error: '' })
  useLayoutEffect(() => {
    let isCurrent = true
    const open = async () => {
      if (project === LOCAL) location.replace(`#/audiobook/${(await moveLocalBook()) ?? ''}`)
      else await openBook(project)
    }
    open().then(
      () => isCurrent && set({ opened: project, error: '' }),
      (failure) =>
        isCurrent && set({ opened: '', error: failure instanceof ApiError && failure.status === GONE ? strings.gone : messageOf(failure) }),
    )
    return () => {
      isCurrent = false
    }
  }, [project])
  return { isOpen: opened === project && project !== LOCAL, error }
}

export function Draft({ project, query, activeJobs }: { project: string; query: URLSearchParams; activeJobs: PageProps['activeJobs'] }) {
  const { isOpen, error: openError } = useOpened(project)
  const { book, project: shown } = useBook()
  const { state: keptState, error: keptError } = bookKeeper.useKept()
  useChanges('projects', ({ id }) => bookKeeper.heard(id))
  const voices = useRead('/v1/audio/voices')
  const finished = useRead('/longform/jobs?limit=500')
  const profiles = useMemo(() => voices.value?.voices.filter((voice) => voice.type === 'profile') ?? [], [voices.value])
  const [place, setPlace] = useState({ index: Math.max(0, Number(query.get('chapter') ?? 1) - 1 || 0), cursor: null } as Place)
  const [refused, setRefused] = useState(NO_TROUBLE)
  const { plan, error: planError } = usePlan(book)
  const { roles } = plan
  const index = Math.min(place.index, Math.max(0, book.chapters.length - 1))
  const title = book.title || strings.untitled
  useObjectName(isOpen ? title : '')
  const address = `#/audiobook/${encodeURIComponent(shown)}${index > 0 ? `?chapter=${index + 1}` : ''}`
  useEffect(() => {
    if (isOpen) history.replaceState(null, '', address)
  }, [isOpen, address])
  const running = (activeJobs.value ?? []).filter((job) => isBook(job) && projectOfJob(job) === shown)
  useEffect(() => void (running.length === 0 && finished.again()), [running.length])
  const length = useMemo(() => spokenLength(book.chapters, plan), [book.chapters, plan])
  const leftOut = useMemo(() => leftOutOf(book, plan), [book.skipped, book.reasons, plan])
  if (openError)
    return (
      <p class="empty" role="alert">
        {openError} <a href="#/audiobook">{strings.allBooks}</a>
      </p>
    )
  if (!isOpen) return <p class="empty">{strings.opening}</p>
  const spoken = book.chapters.flatMap((chapter, at) => (isIncluded(chapter) ? (plan.lengths.get(at)?.seconds ?? []) : []))
  // The newest file of this text.
  const made = running.length > 0 ? undefined : finished.value?.jobs.find((job) => job.project === shown)
  const sound = made ? `/audio/${encodeURIComponent(made.output)}` : ''
  const choose = (next: number) => {
    const chapters = cutChapter(book.chapters, index)
    const more = chapters.length - book.chapters.length
    if (more > 0) changeBook({ chapters })
    setPlace({ index: next > index ? next + more : next, cursor: null })
  }
  const create = async () => {
    setRefused(NO_TROUBLE)
    try {
      await bookKeeper.write()
      await startBook(book, shown)
      await activeJobs.reload()
    } catch (failure) {
      setRefused(troubleOf(failure))
    }
  }
  const written = roles.flatMap(({ voice }) => (voice === '' ? [] : [[voice, voice] as const]))
  const names = new Map([...written, ...profiles.map((one) => [markOf(one), one.name] as const)])
  return (
    <div class="book-draft">
      <div class="row dub-title">
        <a class="back" href="#/audiobook">
          {strings.allBooks}
        </a>
        <h2 class="text one-line grow" dir="auto">
          {title}
        </h2>
        <SavedState keeper={bookKeeper} states={{}} />
        <span class="soft number">{strings.plan(length.chapters, length.words, duration(length.seconds))}</span>
        {made && (
          <PlayButton
            path={sound}
            label={strings.playBook(title)}
            pauseLabel={shared.pauseOf(title)}
            onPress={() => playSound(sound, { title, href: address, isLong: true }).catch(reportFailure)}
          />
        )}
        <Action kind="main" disabled={running.length > 0 || length.chapters === 0} onPress={create}>
          {strings.create}
        </Action>
      </div>
      {refused.needs && <Needs.View of={refused.needs} />}
      {(refused.error || planError) && (
        <p class="callout bad text" role="alert">
          {refused.error || planError}
        </p>
      )}
      <SavedElsewhere keeper={bookKeeper} question={strings.changedElsewhere} beginningOf={({ title, text }) => [title, text].join(' ')} />
      {(keptState === 'failed' || keptState === 'too-large') && keptError && (
        <p class="callout bad text" role="alert">
          {keptState === 'failed' ? strings.notSaved : strings.tooLong} {keptError}
        </p>
      )}
      {book.notices.map((one) => (
        <p key={one} class="note text">
          <Icon of="note" />
          {serverSentence(one)}
        </p>
      ))}
      {leftOut.length > 0 && (
        <details class="left-out">
          <summary>{strings.leftOut(leftOut.length)}</summary>
          <ul class="plain">
            {leftOut.slice(0, MOST_LEFT_OUT).map(({ title, why }, at) => (
              <li key={at}>
                <span class="text" dir="auto">
                  {title}
                </span>{' '}
                <small class="text">{serverSentence(why)}</small>
              </li>
            ))}
          </ul>
          {leftOut.length > MOST_LEFT_OUT && <p class="soft">{strings.moreLeftOut(leftOut.length - MOST_LEFT_OUT)}</p>}
        </details>
      )}
      {running.map((job) => (
        <MakingBook key={job.id} job={job} lengths={spoken} href={address} title={title} onChanged={activeJobs.reload} />
      ))}
      {made && <Chapters name={strings.finished} job={made.job_id} version={made.created_at} href={address} />}
      <div class="book-work">
        <Outline chapters={book.chapters} lengths={plan.lengths} index={index} onChoose={choose} />
        <Script key={index} book={book} index={index} place={place} voices={names} onPlace={setPlace} />
        <Inspector book={book} roles={roles} profiles={profiles} engines={voices.value?.engines ?? []} seconds={length.seconds} />
      </div>
    </div>
  )
}
