// The tools, in the order of tools/list.
import type { UploadDisk } from '../../../http/input/form.ts'
import type { Offer } from '../../../inference/offers.ts'
import type { EnginesApi } from '../../engines/api.ts'
import type { RecognitionApi } from '../../recognition/api.ts'
import type { SpeechApi } from '../../speech/api.ts'
import type { VoicesApi } from '../../voices/api.ts'
import type { Bindings } from '../bindings/bindings.service.ts'
import { generateSpeech } from './generate-speech.ts'
import { checkHealth } from './health.ts'
import { listLanguages } from './languages.ts'
import type { ToolRow } from './tool.ts'
import { transcribeRecording } from './transcribe.ts'
import { cloneVoice, listPersonalities, listVoices } from './voices.ts'

export type ToolParts = {
  readonly speech: Pick<SpeechApi, 'take'>
  readonly recognition: Pick<RecognitionApi, 'transcript' | 'models'>
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly voices: Pick<VoicesApi, 'find' | 'list' | 'create'>
  readonly bindings: Pick<Bindings, 'resolve'>
  readonly offered: () => readonly Offer[]
  readonly machineCount: () => number
  readonly uploadDisk: UploadDisk
  readonly audioFolder: string
  readonly version: string
}

export const createTools = (parts: ToolParts): readonly ToolRow[] => [
  generateSpeech(parts),
  listVoices(parts),
  listPersonalities(),
  listLanguages(parts),
  transcribeRecording(parts),
  checkHealth(parts),
  cloneVoice(parts),
]
