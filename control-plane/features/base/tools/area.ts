import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { adviceOf, textTokens } from './direction/direction.rules.ts'
import { createDirection } from './direction/direction.service.ts'
import { fingerprintOf } from './fingerprint.rules.ts'
import { previewContracts } from './preview/preview.contract.ts'
import { createPreviews, type Previews } from './preview/preview.service.ts'
import { createProbe } from './probe.service.ts'
import { createRateFit } from './rate-fit/rate-fit.service.ts'
import { toolsRoutes } from './tools.routes.ts'

const previewRoutes = (previews: Previews): Route[] => [
  handle(previewContracts.upload, ({ uploads, signal }) => previews.keep(uploads['video']!, signal)),
]

export const toolsArea = defineArea({
  name: 'tools',
  needs: ['settings'],
  open: ({ clock, random, log, mediaPrograms, previewFolder, ffmpegPath }, { settings: { skills } }) => {
    const previews = createPreviews({ folder: previewFolder, ffmpegPath, clock, random, log })
    const probe = createProbe({ ffprobe: () => mediaPrograms.usable('ffprobe'), clock })
    const direction = createDirection({ skills })
    const rateFit = createRateFit({ skills, clock })
    return {
      routes: [...toolsRoutes({ probe, direction, rateFit }), ...previewRoutes(previews)],
      services: [previews.service],
      api: {
        fingerprintOf,
        spokenDirection(text) {
          const { instruct_prompt, rate_bias } = adviceOf(textTokens(text))
          return { instruct: instruct_prompt || text.trim(), rate: rate_bias }
        },
      },
    }
  },
})
