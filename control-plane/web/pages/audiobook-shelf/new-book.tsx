// The way to a new book: a file that is read by the studio, or text that is written or pasted.
import { messageOf, request } from '#control-plane/web/lib/api.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { DropZone } from '#control-plane/web/look/drop-zone.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/audiobook.ts'
import { beginBook } from '../audiobook/book.ts'

/** Limit of the route. */
const MOST_BYTES = 64 * 1024 ** 2
const TYPES = '.epub,.pdf,.docx,.odt,.fb2,.zip,.rtf,.html,.htm,.xhtml,.fodt,.txt,.md'

/** Returns the project of the new book. */
async function readFile(file: File) {
  const form = new FormData()
  form.append('file', file)
  const { text, title, author, language, cover, parts, skipped, notices } = await (
    await request('POST', '/audiobook/import', { form })
  ).json()
  const reasons = Object.fromEntries(
    parts.flatMap(({ title, why }: { title: string; why: string | null }) => (why === null ? [] : [[title, why]])),
  )
  return beginBook({
    ...{ text, author: author ?? '', language, cover, title: title ?? file.name.replace(/\.[^.]*$/, '') },
    ...{ notices, reasons },
    // A chapter that is switched off is listed as long as it is.
    skipped: skipped.filter(({ title, why }: { title: string; why: string }) => reasons[title] !== why),
  })
}

const open = (project: string) => {
  location.hash = `#/audiobook/${encodeURIComponent(project)}`
}

export function NewBook() {
  const isShown = useRef(true)
  const [reading, setReading] = useState('')
  const [error, setError] = useState('')
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const take = async (file: File | undefined) => {
    if (!file || reading !== '') return
    if (file.size > MOST_BYTES) return setError(strings.tooLarge)
    setError('')
    setReading(file.name)
    try {
      const project = await readFile(file)
      // A person who left the page is not moved back.
      if (isShown.current) open(project)
      else notify(strings.fileIsRead(file.name))
    } catch (failure) {
      if (!isShown.current) notify(messageOf(failure), 'error')
      setError(messageOf(failure))
    } finally {
      setReading('')
    }
  }
  const write = async () => open(await beginBook({ text: strings.firstText }))
  return (
    <>
      <DropZone types={TYPES} label={strings.file} onFile={take}>
        {(choose) => (
          <>
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
                <button type="button" class="main" onClick={choose}>
                  {strings.choose}
                </button>
                <Action onPress={write}>{strings.write}</Action>
              </div>
            )}
            <p class="soft">{strings.formats}</p>
          </>
        )}
      </DropZone>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
    </>
  )
}
