import { defineArea } from '../define.ts'
import { planRoutes } from './plan/plan.routes.ts'
import { storiesRoutes } from './stories/stories.routes.ts'
import { createStories } from './stories/stories.service.ts'

export const longformArea = defineArea({
  name: 'longform',
  needs: [],
  open: ({ clock, ffmpegPath }) => ({
    routes: [...planRoutes(), ...storiesRoutes(createStories({ clock, ffmpegPath }))],
    api: null,
  }),
})
