// The paths that a backtracking matcher can take through a pattern, as a graph of its characters.
import type { Pattern } from './pattern.ts'

/** One character of the pattern. `next`: the characters that may follow, once for each way, at most twice. */
export type Position = {
  readonly source: string
  readonly next: Position[]
  /** The match is complete here, whatever follows. */
  succeeds: boolean
}
export type Automaton = {
  readonly positions: readonly Position[]
  /** The first characters of a match that starts behind the start of the text. */
  readonly later: readonly Position[]
  /** The bodies of its lookarounds. */
  readonly looks: readonly Pattern[]
}

type Edge = { readonly to: number; readonly condition: 'start' | 'end' | 'other' | null } | { readonly to: number; readonly char: Position }
const MAX_POSITIONS = 5_000
/** More ways than two tell nothing new. */
const MAX_WAYS = 2

/** `exact`: counted repetitions up to this count are written out, larger ones count as unlimited. */
export function buildAutomaton(pattern: Pattern, flags: string, exact: number): Automaton {
  const isMultiline = flags.includes('m')
  const edges: Edge[][] = []
  const positions: Position[] = []
  const looks: Pattern[] = []
  const state = () => edges.push([]) - 1
  const link = (from: number, to: number, condition: 'start' | 'end' | 'other' | null = null) => void edges[from]!.push({ to, condition })

  function add(part: Pattern, from: number): number {
    switch (part.kind) {
      case 'char': {
        const to = state()
        const char = { source: part.source, next: [], succeeds: false }
        if (positions.push(char) > MAX_POSITIONS) throw new Error('The expression is too large to be checked.')
        edges[from]!.push({ to, char })
        return to
      }
      case 'sequence':
        return part.parts.reduce((at, each) => add(each, at), from)
      case 'choice': {
        const to = state()
        for (const each of part.parts) {
          const start = state()
          link(from, start)
          link(add(each, start), to)
        }
        return to
      }
      case 'repeat':
        return repeat(part, from)
      case 'look': {
        looks.push(part.behind ? reversed(part.body) : part.body)
        const to = state()
        link(from, to, 'other')
        return to
      }
      default: {
        const to = state()
        link(from, to, part.kind === 'boundary' || isMultiline ? 'other' : part.kind)
        return to
      }
    }
  }

  function repeat({ body, min, max }: Pattern & { kind: 'repeat' }, from: number): number {
    const isUnlimited = max > exact
    let at = from
    for (let count = 0; count < (isUnlimited ? Math.min(min, 3) : min); count++) at = add(body, at)
    const end = state()
    if (isUnlimited) {
      // The first round and the next ones enter separately, so that an empty round of an outer loop is a way of its own.
      const again = state()
      link(at, again)
      link(at, end)
      const after = add(body, again)
      link(after, again)
      link(after, end)
    } else {
      for (let count = min; count < max; count++) {
        link(at, end)
        const again = state()
        link(at, again)
        at = add(body, again)
      }
      link(at, end)
    }
    return end
  }

  const start = state()
  const accept = add(pattern, start)
  /** The ways from a state behind the start of the text to the next characters, without visiting a state twice on one way. */
  function follow(from: number): { next: Position[]; succeeds: boolean } {
    const next: Position[] = []
    let succeeds = false
    const visit = (at: number, seen: readonly number[], isPure: boolean) => {
      if (at === accept && isPure) succeeds = true
      for (const edge of edges[at]!) {
        if ('char' in edge) {
          if (next.filter((one) => one === edge.char).length < MAX_WAYS) next.push(edge.char)
        } else if (!seen.includes(edge.to) && edge.condition !== 'end' && edge.condition !== 'start')
          visit(edge.to, [...seen, edge.to], isPure && edge.condition === null)
      }
    }
    visit(from, [from], true)
    return { next, succeeds }
  }
  for (const edge of edges.flat()) {
    if (!('char' in edge)) continue
    const { next, succeeds } = follow(edge.to)
    edge.char.next.push(...next)
    edge.char.succeeds = succeeds
  }
  return { positions, later: follow(start).next, looks }
}

const reversed = (part: Pattern): Pattern => {
  if (part.kind === 'sequence') return { kind: 'sequence', parts: part.parts.map(reversed).reverse() }
  if (part.kind === 'choice') return { kind: 'choice', parts: part.parts.map(reversed) }
  return part.kind === 'repeat' ? { ...part, body: reversed(part.body) } : part
}
