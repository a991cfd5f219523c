// A take of the studio in place of a file: the newest ones, and those with some words.

import { FindField, Popover } from '#control-plane/web/lib/controls.tsx'
import { ago, soundLength } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { useTakePages } from '#control-plane/web/takes/take-pages.ts'
import { strings } from '#messages/create/tools.ts'
import { strings as words } from '#messages/library/takes.ts'
import { strings as shared } from '#messages/shared.ts'

/** `path`: address of its sound */
export type OwnTake = { readonly name: string; readonly path: string }

const NAME_CHARS = 60
const NOT_IN_NAMES = /[\p{Cc}"*/:<>?\\|]+/gu
const nameOf = (text: string) =>
  text
    .slice(0, NAME_CHARS)
    .replace(NOT_IN_NAMES, ' ')
    .replace(/[ .]+$/, '')
    .trim() || strings.take

function List({ onTake }: { onTake: (take: OwnTake) => unknown }) {
  const [q, find] = useState('')
  const newest = useRead('/history')
  const { takes, hasMore, isReading, error: pagesError, more } = useTakePages(newest.value, { q, starred: false })
  const error = pagesError || newest.error
  return (
    <div class="body">
      <FindField value={q} label={words.find} maxLength={200} onFind={find} />
      {error && <p role="alert">{error}</p>}
      {takes === null && !error && <p class="soft">{shared.loading}</p>}
      {takes?.length === 0 && <p class="soft">{q.trim() === '' ? strings.noTakes : words.noneFound}</p>}
      {takes?.map(({ id, text, audio_path, duration_seconds, created_at }) => (
        <button
          type="button"
          key={id}
          class="item"
          data-close
          onClick={() => onTake({ name: `${nameOf(text)}.wav`, path: `/audio/${audio_path}` })}
        >
          <b class="text one-line" dir="auto">
            {text}
          </b>
          <span class="soft">
            {soundLength(duration_seconds)} · {ago(created_at)}
          </span>
        </button>
      ))}
      {hasMore && (
        <button type="button" class="quiet" aria-busy={isReading} onClick={() => isReading || void more()}>
          {words.more}
        </button>
      )}
    </div>
  )
}

export function OwnTakes({ disabled, onTake }: { disabled: boolean; onTake: (take: OwnTake) => unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="row center">
      <Popover id="own-takes" label={strings.ownTake} face={strings.ownTake} look="own-takes" onToggle={setOpen}>
        {isOpen && <List onTake={(take) => disabled || onTake(take)} />}
      </Popover>
    </div>
  )
}
