import type { Pronunciation } from './pronunciation.service.ts'

export type PronunciationApi = Pick<Pronunciation, 'pronounced' | 'speaker' | 'unusedNotice'>
