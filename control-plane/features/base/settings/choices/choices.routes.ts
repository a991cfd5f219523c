import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { choiceContracts } from './choices.contract.ts'
import type { Choices } from './choices.service.ts'

export const choiceRoutes = (choices: Choices): Route[] => [
  handle(choiceContracts.readTorchCompile, () => choices.torchCompile()),
  handle(choiceContracts.setTorchCompile, ({ body }) => choices.setTorchCompile(body.enabled)),
  handle(choiceContracts.readDevice, () => choices.device()),
  handle(choiceContracts.chooseDevice, ({ body }) => choices.chooseDevice(body.value)),
  handle(choiceContracts.readRetention, () => choices.retention()),
  handle(choiceContracts.setRetention, ({ body }) => choices.setRetention(body.cap)),
  handle(choiceContracts.readRefinement, () => choices.refinement()),
  handle(choiceContracts.setRefinement, ({ body }) => choices.setRefinement(body)),
  handle(choiceContracts.readAnalytics, () => choices.analytics()),
  handle(choiceContracts.setAnalytics, ({ body }) => choices.setAnalytics(body.enabled)),
]
