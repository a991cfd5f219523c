// The demo media that clients of this API look for when they start.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

export const demoContracts = {
  dubbing: contract({
    id: 'demo.listDubbing',
    method: 'GET',
    path: '/demo_audio/demo/dubbing/manifest.json',
    access: 'consume',
    summary: 'Lists the dubbed films for a demonstration. The studio comes with none.',
    extension: true,
    reply: z.object({ source: z.null(), dubbed: z.array(z.never()) }).meta({ id: 'DubbingDemo' }),
  }),
  clip: contract({
    id: 'demo.readClip',
    method: 'GET',
    path: '/demo_audio/demo_clone_output.wav',
    access: 'consume',
    summary: 'Returns a short clip in the voice of the native engine, spoken at the first request; byte ranges are supported.',
    extension: true,
    media: ['audio/wav'],
  }),
}
