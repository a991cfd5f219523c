// The api of each area by name; null for an area that no other one uses.
import type { DictationApi } from './dictation/api.ts'
import type { EnginesApi } from './engines/api.ts'
import type { LibraryApi } from './library/api.ts'
import type { ModelsApi } from './models/api.ts'
import type { RecognitionApi } from './recognition/api.ts'
import type { SpeechApi } from './speech/api.ts'
import type { WorkersApi } from './workers/api.ts'

export type AreaApis = {
  readonly auth: null
  readonly dictation: DictationApi
  readonly engines: EnginesApi
  readonly jobs: null
  readonly lending: null
  readonly library: LibraryApi
  readonly models: ModelsApi
  readonly openai: null
  readonly recognition: RecognitionApi
  readonly setup: null
  readonly speech: SpeechApi
  readonly system: null
  readonly tasks: null
  readonly workers: WorkersApi
}
