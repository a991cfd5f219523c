// The studio itself writes English: nothing takes the place of its texts.
import type { ServerTexts } from '../server.ts'

export const server: ServerTexts = { failures: {}, settings: {}, checks: {} }
