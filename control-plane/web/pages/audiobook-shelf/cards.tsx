// Books as cards: those that are in work, and those that are finished.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { messageOf } from '#control-plane/web/lib/api.ts'
import { Action, Popover, Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, duration, exact, percent } from '#control-plane/web/lib/format.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { playSound } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/create/audiobook.ts'
import { strings as shared } from '#messages/shared.ts'
import { resumeBook } from '../audiobook/render.ts'
import { Chapters } from './chapters.tsx'
import { Cover } from './cover.tsx'
import { deleteBook } from './delete-book.ts'
import { BookFormats } from './formats.tsx'
import type { Shelved } from './shelf.ts'
import { editorOf } from './shelf.ts'

const PAGE = '#/audiobook'
type Props = { book: Shelved; onChanged: () => Promise<void> }

/** The title, which leads to the text. */
const Title = ({ book }: { book: Shelved }) => {
  const href = editorOf(book)
  const title = book.title || strings.untitled
  return href === '' ? (
    <b class="text one-line" dir="auto">
      {title}
    </b>
  ) : (
    <a class="text one-line" dir="auto" href={href}>
      {title}
    </a>
  )
}

const Delete = ({ book, onChanged }: Props) => (
  <Action
    kind="quiet icon-only"
    title={strings.deleteBook(book.title || strings.untitled)}
    aria-label={strings.deleteBook(book.title || strings.untitled)}
    onPress={() => deleteBook(book, onChanged)}
  >
    <Icon of="trash" />
  </Action>
)

const Open = ({ book }: { book: Shelved }) =>
  book.project === '' ? null : (
    <a class="button" href={editorOf(book)} aria-label={strings.openBook(book.title || strings.untitled)}>
      {strings.open}
    </a>
  )

function Work({ book, onChanged }: Props) {
  const { running, stopped } = book
  const title = book.title || strings.untitled
  if (running) {
    const stop = async () => {
      await cancelJob(running.id)
      await onChanged()
    }
    const left = running.seconds_left === null ? '' : strings.left(duration(running.seconds_left))
    return (
      <>
        <p class="soft number">
          {[running.progress === null ? strings.starting : percent(running.progress), left].filter(Boolean).join(' · ')}
        </p>
        <Progress value={running.progress} label={strings.progress(title)} />
        <div class="row">
          <Open book={book} />
          <Action onPress={stop} aria-label={strings.stopBook(title)}>
            {strings.stop}
          </Action>
        </div>
        <Chapters href={editorOf(book) || PAGE} job={running.id} version={running.updated_at} />
      </>
    )
  }
  if (stopped)
    return (
      <>
        <p class="state warn">
          <Icon of="warning" />
          {strings.kept(stopped.chapters_done, stopped.total_chapters)}
        </p>
        <Progress value={stopped.chapters_done / Math.max(1, stopped.total_chapters)} label={strings.progress(title)} />
        <div class="row">
          <Action kind="tint" aria-label={strings.resumeBook(title)} onPress={() => resumeBook(stopped.job_id).then(onChanged)}>
            {strings.resume}
          </Action>
          <Open book={book} />
          <span class="spread"></span>
          {book.project !== '' && <Delete book={book} onChanged={onChanged} />}
        </div>
        <Chapters href={editorOf(book) || PAGE} job={stopped.job_id} version={stopped.chapters_done} />
      </>
    )
  return (
    <>
      <p class="state">
        <Icon of="draft" />
        {strings.draft}
      </p>
      <p class="soft">{strings.edited(ago(book.at))}</p>
      <div class="row">
        <Open book={book} />
        <span class="spread"></span>
        <Delete book={book} onChanged={onChanged} />
      </div>
    </>
  )
}

/** `isWanted`: it is the book of the address */
export const WorkCard = ({ isWanted, ...props }: Props & { isWanted: boolean }) => (
  <li class={isWanted ? 'sheet book-work-card wanted' : 'sheet book-work-card'} data-book={props.book.key} data-row>
    <Cover title={props.book.title || strings.untitled} picture={props.book.cover} />
    <div>
      <Title book={props.book} />
      <Work {...props} />
    </div>
  </li>
)

export function FinishedCard({ book, isWanted, onChanged }: Props & { isWanted: boolean }) {
  const { finished } = book
  if (!finished) return null
  const title = book.title || strings.untitled
  const sound = `/audio/${encodeURIComponent(finished.output)}`
  const play = () =>
    playSound(sound, { title, href: editorOf(book) || PAGE, isLong: true }).catch((error) => notify(messageOf(error), 'error'))
  const created = new Date(finished.created_at * 1000)
  return (
    <li class={isWanted ? 'book-card wanted' : 'book-card'} data-book={book.key} data-row>
      <span class="on-cover">
        <Cover title={title} picture={book.cover} />
        <PlayButton path={sound} label={strings.playBook(title)} pauseLabel={shared.pauseOf(title)} kind="main play" onPress={play} />
      </span>
      <Title book={book} />
      <small class="number">
        {strings.length(duration(finished.duration_s), finished.chapters)} ·{' '}
        <time dateTime={created.toISOString()} title={exact(finished.created_at)}>
          {ago(finished.created_at)}
        </time>
      </small>
      <div class="row">
        <Popover
          id={`formats-${book.key}`}
          label={strings.saveBook(title)}
          kind="quiet icon-only"
          face={<Icon of="download" />}
          look="formats"
        >
          <BookFormats title={title} finished={finished} />
        </Popover>
        <Delete book={book} onChanged={onChanged} />
      </div>
      <Chapters href={editorOf(book) || PAGE} job={finished.job_id} version={0} />
      {book.earlier > 0 && <a href="#/files?kind=book">{strings.earlierFiles(book.earlier)}</a>}
    </li>
  )
}
