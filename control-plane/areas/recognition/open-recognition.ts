// Puts the parts that listen together, so that the root of the studio reads as a table of contents.
import { chosenForDictation } from '../dictation/dictation.service.ts'
import { createCleaning } from './cleaning.service.ts'
import { createRecognition } from './recognition.service.ts'

type Deps = Omit<Parameters<typeof createRecognition>[0], 'isForDictation'> &
  Parameters<typeof createCleaning>[0] & { readonly settings: Parameters<typeof chosenForDictation>[0] }

export const openRecognition = (deps: Deps) => ({
  recognition: createRecognition({ ...deps, isForDictation: chosenForDictation(deps.settings) }),
  cleaning: createCleaning(deps),
})
