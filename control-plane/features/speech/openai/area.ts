import { defineArea } from '#control-plane/kernel/define.ts'
import { openaiRoutes } from './openai.routes.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly openai: null
  }
}

/** The lists of models that clients of the public API request. Speech and recognition serve its other routes. */
export const openaiArea = defineArea({
  name: 'openai',
  needs: ['recognition', 'speech'],
  open: (_platform, { recognition, speech }) => ({ routes: openaiRoutes({ recognition, speech }), api: null }),
})
