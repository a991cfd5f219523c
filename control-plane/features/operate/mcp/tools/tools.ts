// The tools, in the order of tools/list.

import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import type { UploadDisk } from '#control-plane/http/input/form.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
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
  readonly voices: Pick<VoicesApi, 'find' | 'list' | 'create' | 'personalities'>
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
  listPersonalities(parts),
  listLanguages(parts),
  transcribeRecording(parts),
  checkHealth(parts),
  cloneVoice(parts),
]
