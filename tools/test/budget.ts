// Time limit of a whole run on two quiet cores.

/** Minutes for the studio with its first 70 routes, before the areas below came. */
const FIRST_MINUTES = 6
/** Areas that came later and have at least this many lines of code: each may take one more minute, and so may the pages. */
export const LARGE_AREA_LINES = 900
export const LARGE_AREAS = [
  'archetypes',
  'bundles',
  'community',
  'dictation',
  'dubbing',
  'library',
  'books',
  'mcp',
  'settings',
  'translation',
  'profiles',
]
const PAGES_MINUTES = 1
export const BUDGET_MINUTES = FIRST_MINUTES + LARGE_AREAS.length + PAGES_MINUTES
