// The speakers of one dub, with their names and colours, and how they are made.
import { useEffect, useMemo } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/dub.ts'
import type { useDraft } from '../dub/draft.ts'
import type { Draft, Line } from '../dub/lines.ts'
import { own } from '../dub/lines.ts'
import { castOf, namesIn, orderOf, speakerNamed, withSpeaker } from './names.ts'

/** Number of tints that the style sheet has for speakers. */
const TINTS = 8

export function useCast({ draft, lines, change }: { draft: Draft; lines: readonly Line[]; change: ReturnType<typeof useDraft>['change'] }) {
  const { met, made, keptNames } = draft
  const order = useMemo(() => orderOf([...met, ...made.filter((one) => !met.includes(one))], lines), [lines, met, made])
  const speakers = useMemo(() => castOf({ met, made }, lines), [lines, met, made])
  const found = useMemo(() => namesIn(lines, keptNames), [lines, keptNames])
  // A speaker keeps the colour that it was given first.
  useEffect(() => {
    if (order.length !== met.length) change((now) => ({ ...now, met: order }))
  }, [order, met])
  const speaker = (one: string) => {
    const at = Math.max(0, order.indexOf(one))
    return { name: own(draft.names, one) || one || strings.speakerNumber(at + 1), tint: (at % TINTS) + 1 }
  }
  /** The speaker of this name, which is new unless there is one. */
  const make = (name: string) => {
    const known = speakerNamed(speakers, (one) => speaker(one).name, name)
    if (known === null) change((now) => withSpeaker(now, name), '')
    return known ?? name.trim()
  }
  return { speakers, speaker, make, found }
}
