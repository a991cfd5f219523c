// A client of the routes that render books.
import type { World } from '#test/support/world/world.ts'

export type BookEvent = { readonly type: string; readonly [field: string]: any }
export type OpenBook = {
  readonly status: number
  readonly events: AsyncGenerator<BookEvent>
  /** Disconnects. */
  readonly leave: () => void
}

/** Begins a rendering; `events` ends with the stream. */
export async function openBook({ url }: Pick<World, 'url'>, path: string, body?: unknown): Promise<OpenBook> {
  const abort = new AbortController()
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: abort.signal,
  })
  return { status: response.status, events: eventsOf(response), leave: () => abort.abort() }
}

async function* eventsOf(response: Response): AsyncGenerator<BookEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = text.slice(0, end)
      text = text.slice(end + 2)
      if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6))
    }
  }
}

/** Every event of a rendering until its stream ends. */
export async function render(world: Pick<World, 'url'>, path: string, body?: unknown): Promise<BookEvent[]> {
  const { events } = await openBook(world, path, body)
  const all: BookEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The first event of this type. */
export async function eventOf(events: AsyncGenerator<BookEvent>, type: string): Promise<BookEvent> {
  for (;;) {
    const { value, done } = await events.next()
    if (done) throw new Error(`the stream ended without ${type}`)
    if (value.type === type) return value
    if (value.type === 'error') throw new Error(value['error'])
  }
}

export const namesOf = (events: readonly BookEvent[]): string[] => events.map(({ type }) => type)

/** Chapters of paragraphs that are different from each other. */
export function script(chapters: number, paragraphs: number): string {
  const paragraph = (chapter: number, at: number) =>
    `In part ${at} of chapter ${chapter} the travellers walk on until evening, and no one counts the hours of the long day.`
  return Array.from(
    { length: chapters },
    (_, chapter) =>
      `# Chapter ${chapter + 1}\n\n${Array.from({ length: paragraphs }, (_, at) => paragraph(chapter + 1, at + 1)).join('\n\n')}`,
  ).join('\n\n')
}
