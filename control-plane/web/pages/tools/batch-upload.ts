// Films on their way to the batch, one after another. They belong to the tab and not to the page, so they go on while other pages are shown.
import { at } from '#control-plane/web/at.ts'
import { fieldOf } from '#control-plane/web/lib/api.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { keepTab } from '#control-plane/web/lib/later.tsx'
import { strings as shared } from '#messages/shared.ts'

export type Arriving = {
  readonly key: number
  readonly name: string
  readonly size: number
  /** bytes */
  readonly sent: number
  readonly error: string
}
type Waiting = Arriving & { readonly file: File; readonly langs: readonly string[]; readonly voice: string }

const CHOICES = 'voice-studio-batch'
const MOST_KEPT = 1000
/** langs: for every film. differing: films whose languages were chosen one by one */
type Choices = { readonly langs: readonly string[]; readonly differing: readonly string[] }

/** The choices of this browser. */
export function batchChoices(): Choices {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(CHOICES) ?? 'null')
    const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
    const langs = textsOf(fieldOf(kept, 'langs'))
    return { langs: langs.length > 0 ? langs : ['es'], differing: textsOf(fieldOf(kept, 'differing')) }
  } catch {
    return { langs: ['es'], differing: [] } // another program wrote it, or the storage is turned off
  }
}

export function keepChoices(more: Partial<Choices>) {
  try {
    localStorage.setItem(CHOICES, JSON.stringify({ ...batchChoices(), ...more }))
  } catch {} // the storage is full or turned off: the next visit begins with the usual choice
}

/** A film has languages of its own from now on. */
export const differ = (id: string) => keepChoices({ differing: [...batchChoices().differing, id].slice(-MOST_KEPT) })

let films: readonly Waiting[] = []
keepTab(() => films.length > 0)
let running: { key: number; sender: XMLHttpRequest } | null = null
let keys = 0
let arrived: () => unknown = () => {}
const watchers: Set<(films: readonly Arriving[]) => void> = new Set()

function change(next: readonly Waiting[]) {
  films = next
  for (const watch of watchers) watch(films)
}
const patch = (key: number, more: Partial<Waiting>) => change(films.map((one) => (one.key === key ? { ...one, ...more } : one)))

/** The component is drawn again with every change. `onArrived`: called when the studio has a film */
export function useArriving(onArrived: () => unknown): readonly Arriving[] {
  const [now, set] = useState(films as readonly Arriving[])
  arrived = onArrived
  useEffect(() => {
    watchers.add(set)
    set(films)
    return () => void watchers.delete(set)
  }, [])
  return now
}

function refusal({ status, responseText }: XMLHttpRequest) {
  try {
    const { detail, hint } = JSON.parse(responseText)
    if (typeof detail === 'string') return [detail, hint].filter((one) => typeof one === 'string').join(' ')
  } catch {} // not an answer of the studio
  return shared.httpStatus(status)
}

/** Fetch reports no progress of a body. */
function next() {
  const film = running === null ? films.find(({ error }) => error === '') : undefined
  if (!film) return
  const { key, file, langs, voice, size } = film
  const sender = new XMLHttpRequest()
  running = { key, sender }
  const form = new FormData()
  form.append('langs', langs.join(','))
  form.append('hold', 'true')
  if (voice) form.append('voice_id', voice)
  form.append('video', file)
  const end = (error: string) => {
    if (running?.sender !== sender) return
    running = null
    if (error === '') change(films.filter((one) => one.key !== key))
    else patch(key, { error, sent: 0 })
    arrived()
    next()
  }
  sender.upload.onprogress = ({ loaded }) => running?.sender === sender && patch(key, { sent: Math.min(size, loaded) })
  sender.onerror = () => end(`${shared.unreachable} ${shared.unreachableHint}`)
  sender.onload = () => end(sender.status === 200 ? '' : refusal(sender))
  sender.open('POST', at('/batch/enqueue'))
  sender.setRequestHeader('x-svc-csrf', '1')
  sender.send(form)
}

/** Sends films, which then wait for their start. `voice`: '' for the voices of the film */
export function sendFilms(files: readonly File[], { langs, voice }: { langs: readonly string[]; voice: string }) {
  const more = files.map((file): Waiting => ({ key: ++keys, name: file.name, size: file.size, sent: 0, error: '', file, langs, voice }))
  change([...films, ...more])
  next()
}

export function dropFilm(key: number) {
  const sender = running?.key === key ? running.sender : null
  if (sender) running = null
  change(films.filter((one) => one.key !== key))
  sender?.abort()
  next()
}

export function sendAgain(key: number) {
  patch(key, { error: '' })
  next()
}
