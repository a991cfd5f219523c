import { createBasePath } from '../../http/base-path.ts'
import { defineArea } from '../define.ts'
import { authRoutes } from './auth.routes.ts'
import { createAuthService } from './auth.service.ts'

export const authArea = defineArea({
  name: 'auth',
  needs: [],
  open: ({ access, settings }) => ({
    routes: authRoutes(createAuthService(access), createBasePath(settings.basePath)),
    api: null,
  }),
})
