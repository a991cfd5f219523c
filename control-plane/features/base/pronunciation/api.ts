import type { Pronunciation } from './pronunciation.service.ts'

export type PronunciationApi = Pick<Pronunciation, 'pronounced' | 'speaker' | 'test' | 'unusedNotice'>

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly pronunciation: PronunciationApi
  }
}
