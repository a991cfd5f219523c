// The whole catalogue in Spanish.
import type { Messages } from '../messages.ts'
import { strings as audiobook } from './create/audiobook.ts'
import { strings as dub } from './create/dub.ts'
import { strings as languages } from './create/languages.ts'
import { strings as speak } from './create/speak.ts'
import { strings as tools } from './create/tools.ts'
import { strings as transcribe } from './create/transcribe.ts'
import { strings as dubParts } from './dub/parts.ts'
import { strings as frame } from './frame.ts'
import { strings as files } from './library/files.ts'
import { strings as projects } from './library/projects.ts'
import { strings as takes } from './library/takes.ts'
import { strings as voicePicker } from './library/voice-picker.ts'
import { strings as voices } from './library/voices.ts'
import { strings as connections } from './machines/connections.ts'
import { strings as machineViews } from './machines/machine-views.ts'
import { strings as machines } from './machines/machines.ts'
import { strings as needs } from './needs.ts'
import { strings as palette } from './palette.ts'
import { strings as shared } from './shared.ts'
import { strings as signIn } from './sign-in.ts'
import { strings as design } from './start/design.ts'
import { strings as home } from './start/home.ts'
import { strings as setup } from './start/setup.ts'
import { strings as health } from './system/health.ts'
import { strings as jobs } from './system/jobs.ts'
import { strings as models } from './system/models.ts'
import { strings as people } from './system/people.ts'
import { strings as settings } from './system/settings.ts'

export const catalogue: Messages = {
  frame,
  palette,
  signIn,
  shared,
  needs,
  home,
  setup,
  design,
  speak,
  dub,
  dubParts,
  languages,
  audiobook,
  transcribe,
  tools,
  projects,
  voices,
  voicePicker,
  files,
  takes,
  jobs,
  machines,
  machineViews,
  connections,
  models,
  people,
  settings,
  health,
}
