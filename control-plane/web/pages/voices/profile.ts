// The fields of a voice, and what its owner wrote. Pure.
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
