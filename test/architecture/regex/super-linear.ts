// Decides whether the time of a regular expression can grow faster than the text. The test is the one for the ambiguity of finite automata
// (Weber and Seidl, 1991): two loops that can read the same word one after the other make it quadratic, and two ways around one loop make
// it exponential. A search that starts again at every character is a loop as well. It may object to an expression that is linear, never
// the reverse, except that repetitions counted to at most `COUNTED` count as constant.
import { buildAutomaton, type Position } from './automaton.ts'
import { type Pattern, parsePattern } from './pattern.ts'

const COUNTED = 64
/** Nested counts multiply, so only small ones are written out at first. */
const SMALL = 16

/** Reason why the expression is super-linear; null if it is not. */
export function superLinear(source: string, flags: string): string | null {
  const pattern = parsePattern(source)
  const found = objection(pattern, flags, false, SMALL)
  // One counted repetition in a search costs at most its count for each character.
  return found?.isSearch ? (objection(pattern, flags, false, COUNTED)?.text ?? null) : (found?.text ?? null)
}

type Objection = { readonly text: string; readonly isSearch: boolean }

/** `isLook`: the text that the pattern has read is not consumed, so that a match is no progress. */
function objection(pattern: Pattern, flags: string, isLook: boolean, exact: number): Objection | null {
  const { positions, later, looks } = buildAutomaton(pattern, flags, exact)
  for (const look of looks) {
    const inner = objection(look, flags, true, exact)
    if (inner) return { ...inner, text: `in a lookaround: ${inner.text}` }
  }
  const graph = graphOf(positions, flags)
  // Once a position succeeds, the matcher never returns to an earlier decision of the same attempt.
  const open = (at: number) => isLook || !positions[at]!.succeeds
  const inAttempt = ambiguity(graph, open)
  if (inAttempt) return { text: inAttempt, isSearch: false }
  const starts = flags.includes('y') ? [] : later.map((first) => positions.indexOf(first))
  const inSearch = repeatedSearch(graph, open, starts)
  return inSearch === null ? null : { text: inSearch, isSearch: true }
}

/** Positions by index. */
type Graph = {
  readonly names: readonly string[]
  /** By letter, whether each position reads it. */
  readonly letters: readonly (readonly boolean[])[]
  readonly edges: readonly (readonly number[])[]
}

function graphOf(positions: readonly Position[], flags: string): Graph {
  const indexOf = new Map(positions.map((position, index) => [position, index]))
  const edges = positions.map(({ next }) => next.map((to) => indexOf.get(to)!))
  return { names: positions.map(({ source }) => source), letters: lettersOf(positions, flags), edges }
}

/** The loops among the open positions: the component of every position, and whether it is in a loop. */
function loopsOf({ edges }: Graph, open: (at: number) => boolean) {
  const inside = edges.map((next, at) => (open(at) ? next.filter(open) : []))
  const component = components(inside)
  const isLoop = inside.map((next, at) => next.some((to) => component[to] === component[at]))
  const steps = inside.map((next, at) => next.filter((to) => component[to] === component[at]))
  return { inside, component, isLoop, steps }
}

/** Reason why one attempt to match can take super-linear time; null if it cannot. */
function ambiguity(graph: Graph, open: (at: number) => boolean): string | null {
  const { names, letters } = graph
  const { inside, component, isLoop, steps } = loopsOf(graph, open)
  const twoWays = (at: number) => `there are two ways around the loop of ${names[at]}`
  const together = ([left, right]: readonly number[]): number[][] =>
    letters.flatMap((reads) =>
      both(
        steps[left!]!.filter((to) => reads[to]),
        steps[right!]!.filter((to) => reads[to]),
      ),
    )
  for (const [at, next] of inside.entries()) {
    if (!isLoop[at]) continue
    const twice = next.find((to, index) => component[to] === component[at] && next.indexOf(to) !== index)
    if (twice !== undefined) return twoWays(twice)
    const split = [...reach([[at, at]], together).values()].filter(([left, right]) => left !== right)
    if (split.some((pair) => reach([pair], together).has(`${at},${at}`))) return twoWays(at)
  }
  for (const p of inside.keys()) {
    for (const q of inside.keys()) {
      if (p === q || !isLoop[p] || !isLoop[q]) continue
      const next = ([a, b, c]: readonly number[]): number[][] =>
        letters.flatMap((reads) => {
          const read = (to: number) => reads[to]!
          return both(steps[a!]!.filter(read), inside[b!]!.filter(read), steps[c!]!.filter(read))
        })
      if (reach([[p, p, q]], next).has(`${p},${q},${q}`)) return `the loops of ${names[p]} and ${names[q]} can read the same text`
    }
  }
  return null
}

const SEARCH = -1
/** Reason why attempts that start at one character after another can read the same text again; null if they cannot. */
function repeatedSearch(graph: Graph, open: (at: number) => boolean, starts: readonly number[]): string | null {
  const { names, letters, edges } = graph
  const { isLoop, steps } = loopsOf(graph, open)
  const after = (at: number): readonly number[] => (at === SEARCH ? [SEARCH, ...starts] : edges[at]!)
  for (const q of edges.keys()) {
    if (!isLoop[q]) continue
    const next = ([a, b]: readonly number[]): number[][] =>
      letters.flatMap((reads) =>
        both(
          after(a!).filter((to) => to === SEARCH || reads[to]),
          steps[b!]!.filter((to) => reads[to]),
        ),
      )
    if (reach([[SEARCH, q]], next).has(`${q},${q}`)) return `every start in the loop of ${names[q]} reads the rest of it`
  }
  return null
}

/** Every choice of one element from each list. */
const both = (...lists: readonly (readonly number[])[]): number[][] =>
  lists.reduce<number[][]>((chosen, list) => chosen.flatMap((some) => list.map((one) => [...some, one])), [[]])

function reach(from: readonly number[][], next: (at: number[]) => number[][]): Map<string, number[]> {
  const reached = new Map<string, number[]>()
  const waiting = [...from]
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    for (const to of next(at)) {
      const key = to.join()
      if (reached.has(key)) continue
      reached.set(key, to)
      waiting.push(to)
    }
  }
  return reached
}

/** The strongly connected component of every node (Kosaraju). */
function components(edges: readonly number[][]): number[] {
  const order: number[] = []
  const seen = new Set<number>()
  const visit = (at: number) => {
    if (seen.has(at)) return
    seen.add(at)
    for (const to of edges[at]!) visit(to)
    order.push(at)
  }
  for (const at of edges.keys()) visit(at)
  const back = edges.map((): number[] => [])
  for (const [from, next] of edges.entries()) for (const to of next) back[to]!.push(from)
  const component = edges.map(() => -1)
  const assign = (at: number, root: number) => {
    if (component[at] !== -1) return
    component[at] = root
    for (const to of back[at]!) assign(to, root)
  }
  for (const at of order.reverse()) assign(at, at)
  return component
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index))
const SAMPLES = [
  ...range(0, 0x250),
  ...range(0x370, 0x3a0),
  ...range(0x400, 0x410),
  ...range(0x5d0, 0x5d8),
  ...range(0x620, 0x628),
  ...range(0x900, 0x910),
  ...range(0x300, 0x308),
  ...range(0x2000, 0x2070),
  ...range(0x3000, 0x3100),
  ...range(0xff00, 0xff20),
  '中',
  '한',
  '€',
  '\ud800',
  '\udc00',
  '\ufeff',
  '😀',
  '𝔸',
]

/** `samples`: what it reads of each sample. */
type Reader = { readonly reads: (char: string) => boolean; readonly samples: readonly boolean[] }
/** By flags and source: most patterns are made of the same few sets of characters. */
const readers = new Map<string, Reader>()
function readerOf(source: string, flags: string): Reader {
  const key = `${flags}/${source}`
  const known = readers.get(key)
  if (known) return known
  const pattern = new RegExp(`^${source}$`, flags)
  const reads = (char: string) => pattern.test(char)
  const reader = { reads, samples: SAMPLES.map(reads) }
  readers.set(key, reader)
  return reader
}

/** The kinds of characters that the pattern tells apart: for each, which positions read it. */
function lettersOf(positions: readonly Position[], flags: string): boolean[][] {
  const usual = flags.replace(/[gymd]/g, '')
  const own = positions.map(({ source }) => readerOf(source, usual))
  // Characters that the pattern itself contains are samples as well.
  const named = [...new Set(positions.flatMap(({ source }) => [...source]))]
  const kinds = new Map<string, boolean[]>()
  const add = (reads: boolean[]) => kinds.set(reads.map(Number).join(''), reads)
  for (const at of SAMPLES.keys()) add(own.map(({ samples }) => samples[at]!))
  for (const char of named) add(own.map(({ reads }) => reads(char)))
  return [...kinds.values()]
}
