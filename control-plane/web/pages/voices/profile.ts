// The fields of a voice, what its owner wrote, and how one is created.
import { get, request } from '#control-plane/web/lib/api.ts'
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

/** The voice whose creation did not end. `known`: voices of its name before that */
let tried = null as { name: unknown; known: readonly string[] } | null

/** Returns its id: a voice is created once, also when the answer of the studio was lost and the form is sent again. Throws ApiError. */
export async function createVoice(form: FormData): Promise<string> {
  const name = form.get('name')
  const ids = (await get('/profiles')).flatMap((voice) => (voice.name === name ? [voice.id] : []))
  const known = tried?.name === name ? tried.known : ids
  const made = ids.find((id) => !known.includes(id))
  tried = { name, known }
  const id = made ?? (await (await request('POST', '/profiles', { form })).json()).id
  tried = null
  return id
}
