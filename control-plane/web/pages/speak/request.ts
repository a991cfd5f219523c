// Sends the text to the studio, as a job that makes a take.
import { type Held, request } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import type { Draft } from './draft.ts'

/** take that the player shows */
export type Take = {
  id: string
  url: string
  file: string
  text: string
  autoplay: boolean
}
/** A take of the history that does not begin by itself. */
export const takeOf = ({ id, audio_path: file, text }: HistoryTake): Take => ({ id, url: `/audio/${file}`, file, text, autoplay: false })

/** One part for each sentence, so that the first sound comes soon, and each can be found, heard and spoken again by itself. */
const CHUNK_CHARS = 1

function formOf({ text, engine, voice, language, instruct, seed, speed }: Omit<Draft, 'project'>, keepFrom: string) {
  const form = new FormData()
  const fields = { text, engine, voice, language, instruct, seed, keep_from: keepFrom }
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.set(name, value)
  form.set('speed', speed)
  form.set('max_chunk_chars', String(CHUNK_CHARS))
  return form
}

/** Starts a take, which continues without the page, once there is a place for it. Returns the id of its job. Throws ApiError. */
export async function startTake(draft: Draft, keepFrom: string, held: Held) {
  const response = await request('POST', '/generate', { form: formOf(draft, keepFrom), headers: { prefer: 'respond-async' }, held })
  const { id }: { id: string } = await response.json()
  return id
}

/**
 * The notice of a take without the sentence about the substitute that the form shows already. `substitutes`: the sentences of the form
 */
export function informationOf(notice: string, substitutes: readonly string[]) {
  const substitute = substitutes.find((sentence) => notice.startsWith(sentence)) ?? ''
  return notice.slice(substitute.length).trim()
}
