import { defineArea } from '../define.ts'
import { planRoutes } from './plan/plan.routes.ts'

export const longformArea = defineArea({
  name: 'longform',
  needs: [],
  open: () => ({ routes: planRoutes(), api: null }),
})
