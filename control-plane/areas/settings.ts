// Every setting of the owner, for the reference. A new noun adds one line here; a new setting of a noun adds none.
import type { Setting } from '../store/setting.ts'
import { dictationSettings } from './dictation/dictation.settings.ts'
import { engineSettings } from './engines/engines.settings.ts'
import { modelsSettings } from './models/models.settings.ts'
import { workersSettings } from './workers/workers.settings.ts'

export const SETTINGS: readonly Setting[] = [workersSettings, engineSettings, dictationSettings, modelsSettings].flatMap((noun) =>
  Object.values<Setting>(noun as Record<string, Setting>),
)
