// The field of the text. It scrolls inside, and holds the text by itself: a key in a long text reads and draws nothing else.

import type { RefObject } from 'preact'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useLayoutEffect, useRef } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/speak.ts'
import { changeDraft, noteTyping, settleTyping } from '../speak/draft.ts'

/** The text of a shorter one is read with every key. */
const SHORT_CHARS = 4000

/** `place`: of the field */
export function Script({
  text,
  isTooLong,
  place,
  onSend,
}: {
  text: string
  isTooLong: boolean
  place: RefObject<HTMLTextAreaElement | null>
  onSend: (event: Event) => void
}) {
  /** The newest text that both the field and the draft have. */
  const known = useRef('')
  const isLong = useRef(false)
  useLayoutEffect(() => {
    if (!place.current || known.current === text) return
    known.current = text
    isLong.current = text.length > SHORT_CHARS
    if (place.current.value !== text) place.current.value = text
  }, [text])
  useEffect(() => settleTyping, [])
  const read = () => {
    known.current = place.current?.value ?? known.current
    isLong.current = known.current.length > SHORT_CHARS
    return known.current
  }
  const input = (event: Event) => {
    if (isLong.current) return noteTyping(read)
    known.current = fieldValue(event)
    isLong.current = known.current.length > SHORT_CHARS
    changeDraft({ text: known.current })
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend(event)
  }
  return (
    <Field label={strings.text} look="script">
      <textarea
        ref={place}
        dir="auto"
        placeholder={strings.placeholder}
        aria-describedby="speak-length"
        aria-invalid={isTooLong}
        onInput={input}
        onKeyDown={key}
      ></textarea>
    </Field>
  )
}
