import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { currentName } from '#control-plane/inference/aliases.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { openaiContracts } from './openai.contract.ts'

type Parts = { readonly recognition: RecognitionApi; readonly speech: SpeechApi }
const modelOf = (id: string) => ({ id, object: 'model' as const, created: 0, owned_by: 'voice-studio' })

export function openaiRoutes({ recognition, speech }: Parts): Route[] {
  // An engine may both speak and transcribe.
  const names = () => [...new Set([...speech.models(), ...recognition.models()])]
  return [
    handle(openaiContracts.listModels, () => ({ object: 'list' as const, data: names().map(modelOf) })),
    handle(openaiContracts.readModel, ({ params: { model } }) => {
      if (names().includes(currentName(model))) return modelOf(model)
      throw new Failure('MODEL_NOT_FOUND', `The model '${model}' does not exist or cannot be used now. GET /v1/models lists the models.`)
    }),
    handle(openaiContracts.listSpeechModels, () => ({ models: speech.models().map((id) => ({ id })) })),
  ]
}
