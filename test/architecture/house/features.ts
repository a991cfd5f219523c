// Families and features of the control plane, as functions from a list of files to a list of objections.
import { importsOf, type Source } from '../source.ts'

/** Each family builds on those before it; families of one row do not know each other. */
export const FAMILIES: readonly (readonly string[])[] = [
  ['base'],
  ['machines'],
  ['listening'],
  ['voices'],
  ['speech'],
  ['books', 'dubbing'],
  ['operate'],
]
/** Families that are one feature. */
const WHOLE: ReadonlySet<string> = new Set(['books', 'dubbing'])
/** The rooms of dubbing, each of which builds on those before it. `.` are the files beside them, which open the feature. */
export const DUBBING_ROOMS = ['store', 'film', 'lines', 'voice', 'make', 'leave', 'batch', '.']

const FEATURES = 'control-plane/features/'
const DUBBING = `${FEATURES}dubbing/`

type Place = { readonly family: string; readonly feature: string }

/** Undefined for a file of no feature. */
export function placeOf(path: string): Place | undefined {
  if (!path.startsWith(FEATURES)) return undefined
  const [family = '', feature = ''] = path.slice(FEATURES.length).split('/')
  if (feature === '' || path.endsWith(`/features/${family}`)) return undefined
  return { family, feature: WHOLE.has(family) ? family : feature }
}

export const rankOf = (family: string): number => FAMILIES.findIndex((row) => row.includes(family))

/** Imports of a family that does not lie below. */
export const familyArrowsBack = (sources: readonly Source[]): string[] =>
  crossings(sources, placeOf).flatMap(({ text, from, to }) =>
    from.family === to.family || rankOf(to.family) < rankOf(from.family) ? [] : [text],
  )

/**
 * Imports from one feature into another: a feature uses another one only through its api, whose types may be imported. So may schemas and
 * contracts, which are data.
 */
export const featureCrossings = (sources: readonly Source[]): string[] =>
  crossings(sources, placeOf).flatMap(({ text, from, to, target, kind }) =>
    from.feature === to.feature || /\.(contract|schema)\.ts$/.test(target) || (kind === 'type' && target.endsWith('/api.ts')) ? [] : [text],
  )

/** Imports of a room of dubbing that does not lie below. */
export const dubbingArrowsBack = (sources: readonly Source[]): string[] =>
  crossings(sources, dubbingRoomOf).flatMap(({ text, from, to }) =>
    DUBBING_ROOMS.includes(to) && DUBBING_ROOMS.indexOf(to) <= DUBBING_ROOMS.indexOf(from) ? [] : [text],
  )

function dubbingRoomOf(path: string): string | undefined {
  if (!path.startsWith(DUBBING)) return undefined
  const [room = '', ...rest] = path.slice(DUBBING.length).split('/')
  return rest.length === 0 ? '.' : room
}

type Crossing<P> = { readonly text: string; readonly from: P; readonly to: P; readonly target: string; readonly kind: string }

const crossings = <P>(sources: readonly Source[], place: (path: string) => P | undefined): Crossing<P>[] =>
  sources.flatMap((source) => {
    const from = place(source.path)
    if (from === undefined) return []
    return importsOf(source).flatMap(({ target, kind }) => {
      const to = place(target)
      return to === undefined ? [] : [{ text: `${source.path} -> ${target}`, from, to, target, kind }]
    })
  })
