// The command palette: pages, objects and actions by a few letters. The list is a list box that the field controls, so the focus stays in the field.

import { strings as frame } from '#messages/frame.ts'
import { strings } from '#messages/palette.ts'
import { jobName } from '../frame/active-jobs.ts'
import { get, messageOf } from '../lib/api.ts'
import { fieldValue } from '../lib/controls.tsx'
import { useEffect, useMemo, useRef, useState } from '../lib/html.ts'
import { notify } from '../lib/notices.ts'
import { Icon } from '../look/icons.tsx'
import { useFoundTakes } from './found-takes.ts'
import type { Item } from './items.ts'
import { foundItems, matchedParts, wantedOf } from './items.ts'
import { typedEarly } from './keys.ts'

const MOST_CHARS = 200
/** The last answer of the studio; it is shown at once when the palette opens again. */
let known: Item[] = []

/** `read`: a list that cannot be read offers nothing */
const listed = (read: () => Promise<Item[]>): Promise<Item[]> => read().catch(() => [])

async function readObjects(hasPage: (page: string) => boolean): Promise<Item[]> {
  const lists = await Promise.all([
    listed(async () =>
      (hasPage('projects') ? await get('/projects') : []).map(({ id, name, kind }) => ({
        id: `project ${id}`,
        group: 'projects',
        name,
        ...(kind === 'book'
          ? { about: strings.objects.book, icon: 'book', tint: 7, href: `#/audiobook/${encodeURIComponent(id)}` }
          : kind === 'speech'
            ? { about: strings.objects.draft, icon: 'speak', tint: 1, href: `#/speak?draft=${encodeURIComponent(id)}` }
            : {
                about: strings.objects.project,
                icon: 'folder',
                tint: 5,
                href: `#/projects?q=${encodeURIComponent(name.slice(0, MOST_CHARS))}`,
              }),
      })),
    ),
    listed(async () =>
      (hasPage('dub') ? await get('/dub/summaries') : []).map(({ id, filename }) => ({
        id: `dub ${id}`,
        group: 'projects',
        name: filename,
        about: strings.objects.dub,
        icon: 'film',
        tint: 3,
        href: `#/dub/${encodeURIComponent(id)}`,
      })),
    ),
    listed(async () =>
      (await get('/profiles')).map(({ id, name }) => ({
        id: `voice ${id}`,
        group: 'voices',
        name,
        about: strings.objects.voice,
        icon: 'voice',
        tint: 2,
        href: `#/voices/${encodeURIComponent(id)}`,
      })),
    ),
    listed(async () =>
      !hasPage('jobs')
        ? []
        : (await get('/jobs?limit=100')).map((job) => ({
            id: `job ${job.id}`,
            group: 'jobs',
            name: jobName(job),
            about: frame.kind(job.type),
            icon: 'jobs',
            tint: 4,
            href: `#/jobs/${encodeURIComponent(job.id)}`,
          })),
    ),
  ])
  return lists.flat()
}

const Option = ({
  item,
  index,
  isHere,
  words,
  onPress,
  onPoint,
}: {
  item: Item
  index: number
  isHere: boolean
  words: readonly string[]
  onPress: (event: MouseEvent) => void
  onPoint: () => void
}) => (
  <div role="option" id={`palette-${index}`} class="offer" aria-selected={isHere} onClick={onPress} onMouseMove={onPoint}>
    <span class={`kind k${item.tint}`}>
      <Icon of={item.icon} />
    </span>
    <span class="text one-line grow" dir="auto">
      {matchedParts(item.name, words).map(({ text, isMatch }) => (isMatch ? <b>{text}</b> : text))}
    </span>
    <small class="one-line">{item.about}</small>
    {isHere && <kbd aria-hidden="true">↵</kbd>}
  </div>
)

/** `items`: what the page knows itself */
export function Palette({
  items,
  hasPage,
  speakItem,
  onClose,
}: {
  items: readonly Item[]
  hasPage: (page: string) => boolean
  speakItem: (text: string) => Item
  onClose: () => void
}) {
  const place = useRef<HTMLDialogElement | null>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [objects, setObjects] = useState(known)
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    place.current?.showModal()
    setText(typedEarly())
    void readObjects(hasPage).then((read) => {
      known = read
      setObjects(read)
      setRead(true)
    })
  }, [])
  const all = useMemo(() => [...items, ...objects], [items, objects])
  const { words, onlyActions } = wantedOf(text)
  const own = words.length > 0 && !onlyActions && hasPage('speak') ? [{ group: 'actions' as const, items: [speakItem(text.trim())] }] : []
  const takes = useFoundTakes(onlyActions || !hasPage('speak') ? [] : words)
  const groups = useMemo(
    () => [...foundItems(all, text), ...(takes.length > 0 ? [{ group: 'takes' as const, items: takes }] : [])],
    [all, text, takes],
  )
  // A text that names nothing can be spoken.
  const shown = groups.length > 0 ? groups : own
  const rows = shown.flatMap((group) => group.items)
  const here = Math.min(at, rows.length - 1)
  useEffect(() => document.getElementById(`palette-${here}`)?.scrollIntoView({ block: 'nearest' }), [here, text])
  const choose = async (item: Item | undefined, inNewTab: boolean) => {
    if (!item) return
    place.current?.close()
    if (item.href === undefined) {
      try {
        await item.run?.()
      } catch (error) {
        notify(messageOf(error), 'error')
      }
    } else if (inNewTab) open(item.href, '_blank', 'noopener')
    else location.hash = item.href
  }
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && rows.length > 0) setAt((here + step + rows.length) % rows.length)
    else if (event.key === 'Home' && text === '') setAt(0)
    else if (event.key === 'End' && text === '') setAt(rows.length - 1)
    else if (event.key === 'Enter' && !event.isComposing) void choose(rows[here], event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }
  const type = (event: Event) => {
    setText(fieldValue(event))
    setAt(0)
  }
  let index = 0
  return (
    <dialog
      ref={place}
      class="palette"
      aria-label={strings.palette}
      onClose={onClose}
      onClick={(event: MouseEvent) => event.target === place.current && place.current?.close()}
    >
      <div class="palette-field">
        <Icon of="search" />
        <input
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          maxlength={MOST_CHARS}
          value={text}
          placeholder={frame.search}
          aria-label={frame.search}
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={rows.length > 0 ? `palette-${here}` : undefined}
          onInput={type}
          onKeyDown={key}
        />
        <button type="button" class="quiet key" onClick={() => place.current?.close()}>
          {strings.escape}
        </button>
      </div>
      <div id="palette-list" role="listbox" aria-label={strings.results} class="offers-list" data-read={isRead}>
        {shown.map(({ group, items: own }) => (
          <div role="group" key={group} aria-label={strings.groups[group]}>
            <h3 aria-hidden="true">{strings.groups[group]}</h3>
            {own.map((item) => {
              const mine = index++
              return (
                <Option
                  key={item.id}
                  item={item}
                  index={mine}
                  isHere={mine === here}
                  words={words}
                  onPress={(event: MouseEvent) => choose(item, event.ctrlKey || event.metaKey)}
                  onPoint={() => mine !== here && setAt(mine)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {rows.length === 0 && <p class="empty">{isRead ? strings.nothingFound : strings.searching}</p>}
      <p class="hidden" role="status">
        {strings.found(rows.length)}
      </p>
      <footer class="wide-only" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {strings.hints.move}
        </span>
        <span>
          <kbd>↵</kbd> {strings.hints.open}
        </span>
        <span>
          <kbd>{strings.newTabKey}</kbd> {strings.hints.newTab}
        </span>
        <span>
          <kbd>{'>'}</kbd> {strings.hints.commands}
        </span>
      </footer>
    </dialog>
  )
}
