// The api of each area by name; null for an area that no other one uses.

import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import type { MediaToolsApi } from '#control-plane/features/base/media-tools/api.ts'
import type { NetworkApi } from '#control-plane/features/base/network/api.ts'
import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { ToolsApi } from '#control-plane/features/base/tools/api.ts'
import type { WatermarkApi } from '#control-plane/features/base/watermark/api.ts'
import type { DictationApi } from '#control-plane/features/listening/dictation/api.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { TranslationApi } from '#control-plane/features/listening/translation/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { ModelsApi } from '#control-plane/features/machines/models/api.ts'
import type { WorkersApi } from '#control-plane/features/machines/workers/api.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import type { ArchetypesApi } from '#control-plane/features/voices/archetypes/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'

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
