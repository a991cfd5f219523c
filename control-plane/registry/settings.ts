// Every setting of the owner, for the reference. A new noun adds one line here; a new setting of a noun adds none.

import { mediaToolsSettings } from '#control-plane/features/base/media-tools/media-tools.settings.ts'
import { pronunciationSettings } from '#control-plane/features/base/pronunciation/pronunciation.settings.ts'
import { choiceSettings } from '#control-plane/features/base/settings/choices/choices.settings.ts'
import { hubSettings } from '#control-plane/features/base/settings/hub/hub.settings.ts'
import { llmSettings } from '#control-plane/features/base/settings/llm/llm.settings.ts'
import { storageSettings } from '#control-plane/features/base/settings/storage/storage.settings.ts'
import { watermarkSettings } from '#control-plane/features/base/watermark/watermark.settings.ts'
import { longformSettings } from '#control-plane/features/books/longform.settings.ts'
import { dubbingSettings } from '#control-plane/features/dubbing/store/dubbing.settings.ts'
import { dictationSettings } from '#control-plane/features/listening/dictation/dictation.settings.ts'
import { recognitionSettings } from '#control-plane/features/listening/recognition/recognition.settings.ts'
import { engineSettings } from '#control-plane/features/machines/engines/engines.settings.ts'
import { modelsSettings } from '#control-plane/features/machines/models/models.settings.ts'
import { workersSettings } from '#control-plane/features/machines/workers/workers.settings.ts'
import { mcpSettings } from '#control-plane/features/operate/mcp/mcp.settings.ts'
import { peopleSettings } from '#control-plane/features/operate/people/people.contract.ts'
import { environmentSettings, updateSettings } from '#control-plane/features/operate/system/environment/environment.settings.ts'
import { archetypesSettings } from '#control-plane/features/voices/archetypes/archetypes.settings.ts'
import { gallerySettings } from '#control-plane/features/voices/gallery/gallery.settings.ts'
import { voicesSettings } from '#control-plane/features/voices/profiles/voices.settings.ts'
import type { Setting } from '#control-plane/store/setting.ts'

export const SETTINGS: readonly Setting[] = [
  choiceSettings,
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
  updateSettings,
  llmSettings,
  hubSettings,
  storageSettings,
  peopleSettings,
].flatMap((noun) => Object.values<Setting>(noun as Record<string, Setting>))
