// Rules of profiles. Pure.
import { createHash } from 'node:crypto'
import type { VoiceProfile } from '../api.ts'

/** Subject of a statement: the recording of a clone, or the description of a design. Null for a clone without a recording. */
export const subjectOf = ({ kind, instruct, refDigest }: Pick<VoiceProfile, 'kind' | 'instruct' | 'refDigest'>): string | null =>
  kind === 'clone' ? refDigest : createHash('sha256').update(`design ${instruct}`).digest('hex')
