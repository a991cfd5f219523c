// The fields of a voice, what its owner wrote, and how one is created.
import { ApiError, get, request } from '#control-plane/web/lib/api.ts'
import type { VoiceRow } from '#control-plane/web/lib/api-types.ts'

export const fieldsOf = ({ name, language, description, ref_text, stays_here: isHere }: VoiceRow) => ({
  ...{ name, language, description, ref_text },
  stays_here: isHere === 1,
})

/** Changes in the dialog: another field may have got a newer value meanwhile, like a transcript that was recognised. Pure. */
export const changesOf = (before: ReturnType<typeof fieldsOf>, after: ReturnType<typeof fieldsOf>): Partial<ReturnType<typeof fieldsOf>> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== Reflect.get(before, name)))

/** Text that a person wrote about it. The studio marks a voice from a collection with its origin there. */
export const aboutOf = ({
  description,
  instruct,
  personality,
  origin,
}: Pick<VoiceRow, 'description' | 'instruct' | 'personality' | 'origin'>) =>
  description || instruct || (personality === origin ? '' : personality)

/** The form whose answer was lost. `known`: voices of its name before it was sent first */
let lost = null as { form: string; known: readonly string[] } | null

const textOf = (form: FormData) =>
  JSON.stringify([...form].map(([name, value]) => [name, value instanceof File ? [value.name, value.size, value.lastModified] : value]))

/** Returns its id: a voice is created once, also when the answer of the studio was lost and the same form is sent again. Throws ApiError. */
export async function createVoice(form: FormData): Promise<string> {
  const [name, text] = [form.get('name'), textOf(form)]
  const ids = (await get('/profiles')).flatMap((voice) => (voice.name === name ? [voice.id] : []))
  const known = lost?.form === text ? lost.known : ids
  const made = ids.find((id) => !known.includes(id))
  lost = null
  if (made) return made
  try {
    return (await (await request('POST', '/profiles', { form })).json()).id
  } catch (error) {
    // A refusal has created nothing.
    if (!(error instanceof ApiError && error.status >= 400 && error.status < 500)) lost = { form: text, known }
    throw error
  }
}
