// Every setting of the owner, for the reference. A new noun adds one line here; a new setting of a noun adds none.
import type { Setting } from '../store/setting.ts'
import { archetypesSettings } from './archetypes/archetypes.settings.ts'
import { dictationSettings } from './dictation/dictation.settings.ts'
import { dubbingSettings } from './dubbing/dubbing.settings.ts'
import { engineSettings } from './engines/engines.settings.ts'
import { gallerySettings } from './gallery/gallery.settings.ts'
import { longformSettings } from './longform/longform.settings.ts'
import { mcpSettings } from './mcp/mcp.settings.ts'
import { mediaToolsSettings } from './media-tools/media-tools.settings.ts'
import { modelsSettings } from './models/models.settings.ts'
import { pronunciationSettings } from './pronunciation/pronunciation.settings.ts'
import { recognitionSettings } from './recognition/recognition.settings.ts'
import { choiceSettings } from './settings/choices/choices.settings.ts'
import { hubSettings } from './settings/hub/hub.settings.ts'
import { llmSettings } from './settings/llm/llm.settings.ts'
import { storageSettings } from './settings/storage/storage.settings.ts'
import { environmentSettings } from './system/environment/environment.settings.ts'

import { voicesSettings } from './voices/voices.settings.ts'
import { watermarkSettings } from './watermark/watermark.settings.ts'
import { workersSettings } from './workers/workers.settings.ts'

export const SETTINGS: readonly Setting[] = [
  workersSettings,
  voicesSettings,
  gallerySettings,
  engineSettings,
  dictationSettings,
  archetypesSettings,
  mediaToolsSettings,
  modelsSettings,
  longformSettings,
  dubbingSettings,
  mcpSettings,
  pronunciationSettings,
  recognitionSettings,
  watermarkSettings,
  environmentSettings,
  choiceSettings,
  llmSettings,
  hubSettings,
  storageSettings,
].flatMap((noun) => Object.values<Setting>(noun as Record<string, Setting>))
