// A dub over HTTP, as the benchmark makes it. Every call throws when the studio refuses.
import { stat } from 'node:fs/promises'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { filmBody } from '#cli/lib/dub/film-upload.ts'

export type BenchEvent = { readonly type: string; readonly [name: string]: unknown }
export type TimedEvent = { readonly at: number; readonly event: BenchEvent }

export function createDubClient(port: number) {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const isForm = body instanceof FormData
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(body !== undefined && !isForm && { headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    return response
  }
  /** Unchecked JSON: the bench that asks knows the form of its answer. */
  const json = async (method: string, path: string, body?: unknown) => JSON.parse(await (await call(method, path, body)).text())

  /** Events with the milliseconds of their arrival. */
  async function follow(path: string): Promise<TimedEvent[]> {
    const events: TimedEvent[] = []
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of (await call('GET', path)).body!) {
      text += decoder.decode(piece, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const frame = text.slice(0, end)
        text = text.slice(end + 2)
        const name = /^event: (.*)$/m.exec(frame)?.[1]
        const fields = /^data: (.*)$/m.exec(frame)?.[1]
        if (fields !== undefined)
          events.push({ at: performance.now(), event: { ...(name !== undefined && { type: name }), ...JSON.parse(fields) } })
      }
    }
    return events
  }
  const lastOf = (events: readonly TimedEvent[], type: string): BenchEvent => {
    const found = events.find(({ event }) => event.type === type)
    if (!found) throw new Error(`No ${type}, but ${JSON.stringify(events.at(-1)?.event)}.`)
    return found.event
  }
  /** Returns the task that prepares it. Not with `fetch`, because a `Blob` of a file is read into memory faster than it is sent. */
  async function upload(id: string, path: string, inputType: 'video' | 'audio'): Promise<string> {
    const { size } = await stat(path)
    const { type, length, content } = filmBody({ path, size, fields: { job_id: id, input_type: inputType } }, () => {})
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/dub/upload',
      headers: { 'content-type': type, 'content-length': length },
    })
    const reply = new Promise<string>((resolve, reject) => {
      call.once('response', (response) => {
        text(response).then(
          (body) => (response.statusCode === 202 ? resolve(body) : reject(new Error(`${response.statusCode} ${body}`))),
          reject,
        )
      })
      call.once('error', reject)
    })
    const [body] = await Promise.all([reply, pipeline(content, call)])
    return JSON.parse(body).task_id
  }
  return {
    json,
    follow,
    upload,
    bytes: async (path: string): Promise<Buffer> => Buffer.from(await (await call('GET', path)).arrayBuffer()),
    async prepare(id: string, path: string, inputType: 'video' | 'audio'): Promise<void> {
      lastOf(await follow(`/tasks/stream/${await upload(id, path, inputType)}`), 'ready')
    },
    async transcribe(id: string): Promise<{ id: string; start: number; end: number; text: string }[]> {
      return lastOf(await follow(`/dub/transcribe-stream/${id}`), 'final')['segments'] as never
    },
    async importLines(id: string, lines: readonly { start: number; end: number; text: string }[]): Promise<object[]> {
      const time = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',')
      const srt = lines.map(({ start, end, text }, at) => `${at + 1}\n${time(start)} --> ${time(end)}\n${text}\n`).join('\n')
      const form = new FormData()
      form.set('file', new Blob([srt]), 'lines.srt')
      return (await json('POST', `/dub/import-srt/${id}`, form)).segments
    },
    async generate(id: string, body: object): Promise<TimedEvent[]> {
      const { task_id: task } = await json('POST', `/dub/generate/${id}`, body)
      const events = await follow(`/tasks/stream/${task}`)
      lastOf(events, 'done')
      return events
    },
    async stored(id: string) {
      const rows = (await json('GET', '/dub/history')) as { id: string; job_data: string }[]
      return JSON.parse(rows.find((row) => row.id === id)!.job_data)
    },
  }
}
export type DubClient = ReturnType<typeof createDubClient>
