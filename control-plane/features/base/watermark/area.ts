import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import type { WatermarkApi } from './api.ts'
import { createDetection, type Detection } from './detection.service.ts'
import { createMarkCheck } from './mark-check.ts'
import { createMarked } from './marked.ts'
import { loadProvenance } from './provenance.ts'
import { watermarkContracts } from './watermark.contract.ts'
import { createWatermark, type Watermark } from './watermark.service.ts'

const watermarkRoutes = (watermark: Watermark, detection: Detection): Route[] => [
  handle(watermarkContracts.detect, ({ uploads, signal }) => detection.detect(uploads['file']!, signal)),
  handle(watermarkContracts.status, () => ({ ...watermark.choices(), detector_available: true, audioseal_available: true })),
  handle(watermarkContracts.settings, ({ query }) => watermark.change(query)),
]

export const watermarkArea = defineArea({
  name: 'watermark',
  needs: [],
  open: ({ choices, audit, intake, media, clock, dataDir }) => {
    const { key, provenance } = loadProvenance(dataDir)
    const watermark = createWatermark({ settings: choices, audit, provenance })
    const check = createMarkCheck(clock)
    const hasMark: WatermarkApi['hasMark'] = (pcm, sampleRate, signal) => check({ pcm: new Uint8Array(pcm), sampleRate, key }, signal)
    return {
      routes: watermarkRoutes(watermark, createDetection({ intake, key })),
      api: { markOf: watermark.markOf, hasMark, marked: createMarked({ media, markOf: watermark.markOf, hasMark }) },
    }
  },
})
