import assert from 'node:assert/strict'
import { corpus } from '#test/control-plane/media/film/corpus.ts'
import { preparedDub } from '#test/scenarios/dubbing/dub-client.ts'
import type { World } from '#test/support/world/world.ts'

/** Seconds and text of each cue. */
export type SubtitleValue = readonly (readonly [from: number, to: number, text: string])[] | string

type Segment = { readonly start: number; readonly end: number; readonly text: string }
const cuesOf = (segments: readonly Segment[]): SubtitleValue => segments.map(({ start, end, text }) => [start, end, text])

export async function subtitlesOf(world: World, text: string): Promise<SubtitleValue> {
  const reply = await world.post('/dub/parse-subtitle-text', { text })
  return reply.status === 200 ? cuesOf(reply.json().segments) : reply.json().detail
}

const dubs = new WeakMap<World, Promise<string>>()
export async function importedSubtitles(world: World, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<SubtitleValue> {
  const dub = dubs.get(world) ?? corpus('plain.mp4').then(async (path) => (await preparedDub(world, path, 'Film.mp4')).id)
  dubs.set(world, dub)
  const form = new FormData()
  form.set('file', new Blob([bytes]), name)
  const reply = await world.post(`/dub/import-srt/${await dub}`, form)
  if (reply.status !== 200) return reply.json().detail
  const { segments, stats } = reply.json()
  assert.equal(stats.imported, segments.length)
  return cuesOf(segments)
}
