// Books of the benchmarks: their texts, and their rendering as a stream of events or as a job that is asked for.
import { setTimeout as sleep } from 'node:timers/promises'

export type Rendered = { readonly ms: number; readonly seconds: number }
type Done = { readonly type: string; readonly duration_s: number; readonly job_id?: string }

/** Different in each book, so that nothing is cached. */
let books = 0
export function manuscript(characters: number, chapters: number): string {
  const book = ++books
  const paragraph = (at: number) =>
    `In part ${at} of book ${book} the travellers walk on until evening, and no one counts the hours of the long and quiet day behind them.`
  const count = Math.ceil(characters / paragraph(1).length)
  const each = Math.ceil(count / chapters)
  return Array.from({ length: count }, (_, at) => `${at % each === 0 ? `# Chapter ${at / each + 1}\n\n` : ''}${paragraph(at)}`).join('\n\n')
}

async function* eventsOf(port: number, request: object, signal: AbortSignal): AsyncGenerator<Done> {
  const response = await fetch(`http://127.0.0.1:${port}/audiobook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'mp3', ...request }),
    signal,
  })
  if (!response.ok) throw new Error(`The book was refused: ${response.status} ${await response.text()}`)
  let text = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (text + piece).split('\n\n')
    text = frames.pop()!
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6)) as Done
  }
}

export async function render({ port }: { readonly port: number }, request: object): Promise<Rendered> {
  const from = performance.now()
  let last: Done | null = null
  for await (const event of eventsOf(port, request, new AbortController().signal)) last = event
  if (last?.type !== 'done') throw new Error(`The book ended with ${JSON.stringify(last)}.`)
  return { ms: performance.now() - from, seconds: last.duration_s }
}

type Job = { readonly status: string; readonly error: string | null; readonly progress: number | null }
const ASK_MS = 1_000

/**
 * Starts a book that needs no client and asks for its job each second, so that the hours of a long one do not depend on one connection.
 * `progressed`: called with the part that is done.
 */
export async function renderAsJob(
  { port }: { readonly port: number },
  request: object,
  progressed: (part: number) => Promise<void>,
): Promise<void> {
  const client = new AbortController()
  let id = ''
  for await (const event of eventsOf(port, { ...request, keep_running: true }, client.signal)) {
    id = event.job_id ?? ''
    break
  }
  client.abort()
  if (id === '') throw new Error('The book did not start.')
  for (;;) {
    const job = (await (await fetch(`http://127.0.0.1:${port}/jobs/${id}`)).json()) as Job
    if (job.status === 'done') return
    if (job.status !== 'running' && job.status !== 'pending') throw new Error(`The book ended as ${job.status}: ${job.error}`)
    await progressed(job.progress ?? 0)
    await sleep(ASK_MS)
  }
}
