import { defineArea } from '../define.ts'
import { withEvents } from './history.events.ts'
import { historyRoutes } from './history.routes.ts'
import { createHistory } from './history.store.ts'

/** Number of unstarred takes to keep. */
const HISTORY_CAP = 200

export const libraryArea = defineArea({
  name: 'library',
  needs: [],
  open: ({ db, clock, audioFolder, bus }) => {
    const history = withEvents(createHistory({ db, clock, audioFolder, cap: () => HISTORY_CAP }), bus)
    return { routes: historyRoutes(history), api: { history } }
  },
})
