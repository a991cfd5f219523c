import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Detection } from './detection.service.ts'
import { watermarkContracts } from './watermark.contract.ts'
import type { Watermark } from './watermark.service.ts'

export const watermarkRoutes = (watermark: Watermark, detection: Detection): Route[] => [
  handle(watermarkContracts.detect, ({ uploads, signal }) => detection.detect(uploads['file']!, signal)),
  handle(watermarkContracts.status, () => ({ ...watermark.choices(), detector_available: true, audioseal_available: true })),
  handle(watermarkContracts.settings, ({ query }) => watermark.change(query)),
]
