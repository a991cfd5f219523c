// The areas of the studio. Each one comes after the areas that it needs.

import { authArea } from '#control-plane/features/base/auth/area.ts'
import { jobsArea } from '#control-plane/features/base/jobs/area.ts'
import { libraryArea } from '#control-plane/features/base/library/area.ts'
import { mediaToolsArea } from '#control-plane/features/base/media-tools/area.ts'
import { networkArea } from '#control-plane/features/base/network/area.ts'
import { pronunciationArea } from '#control-plane/features/base/pronunciation/area.ts'
import { settingsArea } from '#control-plane/features/base/settings/area.ts'
import { toolsArea } from '#control-plane/features/base/tools/area.ts'
import { watermarkArea } from '#control-plane/features/base/watermark/area.ts'
import { booksArea } from '#control-plane/features/books/area.ts'
import { dubbingArea } from '#control-plane/features/dubbing/area.ts'
import { dictationArea } from '#control-plane/features/listening/dictation/area.ts'
import { recognitionArea } from '#control-plane/features/listening/recognition/area.ts'
import { translationArea } from '#control-plane/features/listening/translation/area.ts'
import { enginesArea } from '#control-plane/features/machines/engines/area.ts'
import { lendingArea } from '#control-plane/features/machines/lending/area.ts'
import { modelsArea } from '#control-plane/features/machines/models/area.ts'
import { tasksArea } from '#control-plane/features/machines/tasks/area.ts'
import { workersArea } from '#control-plane/features/machines/workers/area.ts'
import { mcpArea } from '#control-plane/features/operate/mcp/area.ts'
import { peopleArea } from '#control-plane/features/operate/people/area.ts'
import { setupArea } from '#control-plane/features/operate/setup/area.ts'
import { systemArea } from '#control-plane/features/operate/system/area.ts'
import { openaiArea } from '#control-plane/features/speech/openai/area.ts'
import { speechArea } from '#control-plane/features/speech/speech/area.ts'
import { wyomingArea } from '#control-plane/features/speech/wyoming/area.ts'
import { archetypesArea } from '#control-plane/features/voices/archetypes/area.ts'
import { bundlesArea } from '#control-plane/features/voices/bundles/area.ts'
import { communityArea } from '#control-plane/features/voices/community/area.ts'
import { galleryArea } from '#control-plane/features/voices/gallery/area.ts'
import { voicesArea } from '#control-plane/features/voices/profiles/area.ts'
import type { Area, AreaName } from '#control-plane/kernel/define.ts'

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
  booksArea,
  dubbingArea,
  openaiArea,
  wyomingArea,
  mcpArea,
  peopleArea,
  setupArea,
  systemArea,
]

/** The areas that a pool serves whole: its operator works with machines, models, tasks and settings. The library is in the studios. */
export const POOL_ROUTES: ReadonlySet<AreaName> = new Set([
  'auth',
  'network',
  'jobs',
  'settings',
  'workers',
  'models',
  'lending',
  'tasks',
  'engines',
  'people',
  'system',
])
