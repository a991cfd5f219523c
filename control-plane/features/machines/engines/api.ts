import type { Engines } from './engines.service.ts'

export type EnginesApi = Pick<Engines, 'active' | 'tts' | 'asr'>

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly engines: EnginesApi
  }
}
