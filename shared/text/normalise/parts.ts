// The modules of `normalise.ts`, each after those that it imports, so that its tables can be loaded in several turns of the event loop: each takes
// at most 10 ms, all of them at once 20 to 50 ms.

export const NORMALISE_PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('./cardinals/packaged-others.ts'),
  () => import('./cardinals/packaged-latin.ts'),
  () => import('./figures/english-address.ts'),
  () => import('./languages/dutch.ts'),
  () => import('./languages/english.ts'),
  () => import('./languages/french.ts'),
  () => import('./languages/german.ts'),
  () => import('./languages/italian.ts'),
  () => import('./languages/polish.ts'),
  () => import('./languages/portuguese.ts'),
  () => import('./languages/russian.ts'),
  () => import('./languages/spanish.ts'),
  () => import('./integers.ts'),
  () => import('./numerals.ts'),
  () => import('./words.ts'),
  () => import('./normalise.ts'),
]
