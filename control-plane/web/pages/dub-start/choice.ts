// The choices before a dub begins. They stay in this tab until they are sent, so that a reload keeps them; then the job of the studio has them.
import { post } from '#control-plane/web/lib/api.ts'

/** '' where the studio finds it out. `langs`: of the dub; none: only the transcript is written */
export type Choice = { language: string; langs: readonly string[]; speakers: string }

const PREFIX = 'voice-studio-dub-start-'
const NONE: Choice = { language: '', langs: [], speakers: '' }

/** `id`: of the dub; '' while its film is uploaded. */
export function keptChoice(id: string): Choice {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + id) ?? sessionStorage.getItem(PREFIX) ?? 'null')
    if (Array.isArray(kept?.langs)) return { ...NONE, ...kept }
  } catch {
    // Not what this version wrote.
  }
  return NONE
}

export function keepChoice(id: string, choice: Choice) {
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(choice))
  } catch {
    // The storage of the browser is full or turned off: the form keeps it.
  }
}

/** Starts the job of the studio, which waits for the film. Throws why it was refused. */
export async function beginDub(id: string, { language, langs, speakers }: Choice) {
  await post(`/dub/begin/${encodeURIComponent(id)}`, {
    langs: [...langs],
    language: language || null,
    speakers: speakers === '' ? null : Number(speakers),
  })
  for (const one of [id, '']) sessionStorage.removeItem(PREFIX + one)
}
