// The areas of the studio. Each one comes after the areas that it needs.
import { archetypesArea } from './archetypes/area.ts'
import { authArea } from './auth/area.ts'
import { bundlesArea } from './bundles/area.ts'
import { communityArea } from './community/area.ts'
import type { Area } from './define.ts'
import { dictationArea } from './dictation/area.ts'
import { dubbingArea } from './dubbing/area.ts'
import { enginesArea } from './engines/area.ts'
import { galleryArea } from './gallery/area.ts'
import { jobsArea } from './jobs/area.ts'
import { lendingArea } from './lending/area.ts'
import { libraryArea } from './library/area.ts'
import { longformArea } from './longform/area.ts'
import { mcpArea } from './mcp/area.ts'
import { mediaToolsArea } from './media-tools/area.ts'
import { modelsArea } from './models/area.ts'
import { networkArea } from './network/area.ts'
import { openaiArea } from './openai/area.ts'
import { pronunciationArea } from './pronunciation/area.ts'
import { recognitionArea } from './recognition/area.ts'
import { settingsArea } from './settings/area.ts'
import { setupArea } from './setup/area.ts'
import { speechArea } from './speech/area.ts'
import { systemArea } from './system/area.ts'
import { tasksArea } from './tasks/area.ts'
import { toolsArea } from './tools/area.ts'
import { translationArea } from './translation/area.ts'
import { voicesArea } from './voices/area.ts'
import { watermarkArea } from './watermark/area.ts'
import { workersArea } from './workers/area.ts'

export const AREAS: readonly Area[] = [
  authArea,
  networkArea,
  mediaToolsArea,
  jobsArea,
  settingsArea,
  libraryArea,
  pronunciationArea,
  watermarkArea,
  toolsArea,
  workersArea,
  modelsArea,
  lendingArea,
  tasksArea,
  dictationArea,
  enginesArea,
  recognitionArea,
  translationArea,
  voicesArea,
  galleryArea,
  archetypesArea,
  communityArea,
  speechArea,
  bundlesArea,
  longformArea,
  dubbingArea,
  openaiArea,
  mcpArea,
  setupArea,
  systemArea,
]
