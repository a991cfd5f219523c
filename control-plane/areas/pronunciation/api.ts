import type { Pronunciation } from './pronunciation.service.ts'

export type PronunciationApi = Pick<Pronunciation, 'spoken' | 'speaker'>
