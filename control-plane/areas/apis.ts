// The api of each area by name; null for an area that no other one uses.
import type { ArchetypesApi } from './archetypes/api.ts'
import type { DictationApi } from './dictation/api.ts'
import type { EnginesApi } from './engines/api.ts'
import type { LibraryApi } from './library/api.ts'
import type { MediaToolsApi } from './media-tools/api.ts'
import type { ModelsApi } from './models/api.ts'
import type { NetworkApi } from './network/api.ts'
import type { PronunciationApi } from './pronunciation/api.ts'
import type { RecognitionApi } from './recognition/api.ts'
import type { SettingsApi } from './settings/api.ts'
import type { SpeechApi } from './speech/api.ts'
import type { ToolsApi } from './tools/api.ts'
import type { TranslationApi } from './translation/api.ts'
import type { VoicesApi } from './voices/api.ts'
import type { WatermarkApi } from './watermark/api.ts'
import type { WorkersApi } from './workers/api.ts'

export type AreaApis = {
  readonly archetypes: ArchetypesApi
  readonly auth: null
  readonly bundles: null
  readonly community: null
  readonly dictation: DictationApi
  readonly dubbing: null
  readonly engines: EnginesApi
  readonly gallery: null
  readonly jobs: null
  readonly lending: null
  readonly library: LibraryApi
  readonly longform: null
  readonly 'media-tools': MediaToolsApi
  readonly mcp: null
  readonly models: ModelsApi
  readonly network: NetworkApi
  readonly openai: null
  readonly pronunciation: PronunciationApi
  readonly recognition: RecognitionApi
  readonly settings: SettingsApi
  readonly setup: null
  readonly speech: SpeechApi
  readonly system: null
  readonly tasks: null
  readonly tools: ToolsApi
  readonly translation: TranslationApi
  readonly voices: VoicesApi
  readonly watermark: WatermarkApi
  readonly workers: WorkersApi
}
