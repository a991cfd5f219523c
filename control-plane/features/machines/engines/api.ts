import type { Engines } from './engines.service.ts'

export type EnginesApi = Pick<Engines, 'active' | 'tts' | 'asr'>
