// The services of the recognition area.
import { createCleaning } from './cleaning.service.ts'
import { createRecognition } from './recognition.service.ts'

type Deps = Parameters<typeof createRecognition>[0] & Parameters<typeof createCleaning>[0]

export const openRecognition = (deps: Deps) => ({ recognition: createRecognition(deps), cleaning: createCleaning(deps) })
