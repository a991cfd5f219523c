import { defineArea } from '../define.ts'
import { authRoutes } from './auth.routes.ts'
import { createAuthService } from './auth.service.ts'

export const authArea = defineArea({
  name: 'auth',
  needs: [],
  open: ({ access }) => ({ routes: authRoutes(createAuthService(access)), api: null }),
})
