// A client that uploads films and reads what their preparation reports.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Reply, World } from '#test/support/world/world.ts'

export type DubEvent = { readonly type: string; readonly [name: string]: any }

export function filmForm(bytes: Uint8Array<ArrayBuffer>, name: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('video', new Blob([bytes]), name)
  return form
}

export const uploadFilm = (world: World, path: string, name: string, fields: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  world.post('/dub/upload', filmForm(new Uint8Array(readFileSync(path)), name, fields))

/** The events of a task until it ends. */
export async function eventsOfTask(world: World, taskId: string): Promise<DubEvent[]> {
  const { status, body } = await world.get(`/tasks/stream/${taskId}`)
  assert.equal(status, 200, taskId)
  return body
    .toString()
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)))
}

/** Uploads and waits for the end. */
export async function preparedDub(world: World, path: string, name: string, fields: Readonly<Record<string, string>> = {}) {
  const reply = await uploadFilm(world, path, name, fields)
  assert.equal(reply.status, 202, reply.body.toString())
  const { job_id: id, task_id: task } = reply.json()
  return { id: id as string, task: task as string, events: await eventsOfTask(world, task) }
}
export const typesOf = (events: readonly DubEvent[]): string[] => events.map(({ type }) => type)
