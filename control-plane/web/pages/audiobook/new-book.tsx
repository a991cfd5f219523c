// The way to a new book: a file that is read by the studio, or text that is written or pasted.
import { messageOf, request } from '#control-plane/web/lib/api.ts'
import { Confirm, Progress } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/audiobook.ts'
import { openBook, useBook } from './book.ts'

/** Limit of the route. */
const MOST_BYTES = 64 * 1024 ** 2
const TYPES = '.epub,.pdf,.docx,.odt,.fb2,.zip,.rtf,.html,.htm,.xhtml,.fodt,.txt,.md'

async function readFile(file: File) {
  const form = new FormData()
  form.append('file', file)
  const { text, title, author, language, cover, parts, skipped, notices } = await (
    await request('POST', '/audiobook/import', { form })
  ).json()
  const reasons = Object.fromEntries(
    parts.flatMap(({ title, why }: { title: string; why: string | null }) => (why === null ? [] : [[title, why]])),
  )
  openBook({
    ...{ text, author: author ?? '', language, cover, title: title ?? file.name.replace(/\.[^.]*$/, '') },
    ...{ notices, reasons },
    // A chapter that is switched off is listed as long as it is.
    skipped: skipped.filter(({ title, why }: { title: string; why: string }) => reasons[title] !== why),
  })
}

const open = () => {
  location.hash = '#/audiobook/draft'
}

export function NewBook() {
  const { book, isRead } = useBook()
  const input = useRef<HTMLInputElement | null>(null)
  const isShown = useRef(true)
  const [isOver, setOver] = useState(false)
  const [reading, setReading] = useState('')
  const [error, setError] = useState('')
  const [replacing, setReplacing] = useState({ act: null as (() => Promise<void>) | null })
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  /** Asks before another manuscript is replaced. */
  const begin = (act: () => Promise<void>) => (book.chapters.length > 0 ? setReplacing({ act }) : act())
  const take = (file: File | undefined) => {
    if (!file || !isRead) return
    if (file.size > MOST_BYTES) return setError(strings.tooLarge)
    return begin(async () => {
      setError('')
      setReading(file.name)
      try {
        await readFile(file)
        // A person who left the page is not moved back.
        if (isShown.current) open()
        else notify(strings.fileIsRead(file.name))
      } catch (failure) {
        if (!isShown.current) notify(messageOf(failure), 'error')
        setError(messageOf(failure))
      } finally {
        setReading('')
      }
    })
  }
  const write = () =>
    begin(async () => {
      openBook({ text: strings.firstText })
      open()
    })
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer?.files[0])
  }
  const changed = () => {
    void take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  return (
    <>
      <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
        <input ref={input} type="file" hidden accept={TYPES} aria-label={strings.file} onChange={changed} />
        <span class="kind k7 large">
          <Icon of="book" isLarge />
        </span>
        <p class="lead">{strings.drop}</p>
        {reading ? (
          <>
            <p class="text" role="status">
              {strings.reading(reading)}
            </p>
            <Progress value={null} label={strings.reading(reading)} />
          </>
        ) : (
          <div class="row">
            <button type="button" class="main" disabled={!isRead} onClick={() => input.current?.click()}>
              {strings.choose}
            </button>
            <button type="button" disabled={!isRead} onClick={write}>
              {strings.write}
            </button>
          </div>
        )}
        <p class="soft">{strings.formats}</p>
      </div>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {replacing.act && (
        <Confirm title={strings.replaceTitle} action={strings.replace} onYes={replacing.act} onClose={() => setReplacing({ act: null })}>
          <p class="text">{strings.replaceHint(book.title || strings.untitled)}</p>
        </Confirm>
      )}
    </>
  )
}
