// The studio writes its remarks in English.
import type { RemarkTexts } from '../remarks.ts'

export const remarks: Partial<RemarkTexts> = {}
