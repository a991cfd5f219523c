import { createBasePath } from '#control-plane/http/contract/base-path.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { authRoutes } from './auth.routes.ts'
import { createAuthService } from './auth.service.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly auth: null
  }
}

export const authArea = definePoolArea({
  name: 'auth',
  needs: [],
  open: ({ access, settings }) => ({
    routes: authRoutes(createAuthService(access), createBasePath(settings.basePath)),
    api: null,
  }),
})
