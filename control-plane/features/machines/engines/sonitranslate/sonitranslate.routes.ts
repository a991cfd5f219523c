import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { sonitranslateContracts } from './sonitranslate.contract.ts'
import type { Sonitranslate } from './sonitranslate.service.ts'

export const sonitranslateRoutes = (program: Sonitranslate): Route[] => [
  handle(sonitranslateContracts.readState, () => program.state()),
  handle(sonitranslateContracts.install, () => program.requireInstalled()),
  handle(sonitranslateContracts.start, () => program.startProgram()),
  handle(sonitranslateContracts.stop, () => program.stopProgram()),
]
