// Pronunciations of words that the dictionaries do not have, mostly names: by the program espeak-ng where it is installed, which knows more
// languages, else by a small network that was trained with what that program says.

import { z } from 'zod'
import { type Graph, type GraphContract, type GraphFactory, longs, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { foreignWords } from '#shared/text/scripts.ts'
import { TIE, toKokoroSymbols } from '../kokoro-symbols.ts'
import { ESPEAK, phonemizeWords } from '../phonemes.ts'
import { englishAsset, readEnglishAsset, type Variety } from './assets.ts'

const NETWORKS: Readonly<Record<Variety, string>> = { 'en-us': 'oov', 'en-gb': 'oov_gb' }
const ESPEAK_VOICES: Readonly<Record<Variety, string>> = { 'en-us': 'en-us', 'en-gb': 'en-gb-x-rp' }
export const UNKNOWN_CONTRACT: GraphContract = {
  inputs: [{ name: 'chars', type: 'int64', rank: 2 }],
  outputs: [{ name: 'ids', type: 'int64', rank: 2 }],
}
const Alphabets = z.object({ in: z.array(z.string()), out: z.array(z.string()), maxlen: z.int().min(1) })
/** Sounds that are no words, and letters. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  ...([
    [/^s+h+$/i, 'ʃ'],
    [/^b+r+$/i, 'bɹ'],
    [/^g+r+$/i, 'ɡɹ'],
    [/^p+s+t$/i, 'pst'],
    [/^ts+k$/i, 'tsk'],
    [/^z+$/i, 'z'],
  ] as const),
  ...([
    [/^h+m+p+h+$/i, 'hmf'],
    [/^p+f+t$/i, 'pft'],
    [/^www$/i, 'dˌʌbᵊljuˌdʌbᵊljudˈʌbᵊlju'],
    [/^ctrl$/i, 'kəntɹˈOl'],
  ] as const),
]
/** Letters of a word for the program, which leaves out the end of one with more than about 150. */
const LONGEST_WORD = 100
const SCRIPTS: readonly string[] = ['Latn']
/** A word that is not kept is looked up again. */
const MAX_KEPT = 2_000

type Network = { readonly graph: Graph; readonly of: (word: string) => Promise<string> }
export type UnknownWords = {
  /** Symbols of Kokoro by word. Throws CANCELLED, and WORKER_FAILED if the program or the network fails. */
  readonly find: (words: readonly string[], variety: Variety, signal?: AbortSignal) => Promise<ReadonlyMap<string, string>>
  readonly close: () => Promise<void>
}

/** `program`: null to do without one. */
export function createUnknownWords({ clock, open = openGraph, program = ESPEAK }: UnknownDeps): UnknownWords {
  const kept = new Map<string, string>()
  const networks = new Map<Variety, Promise<Network>>()
  let hasProgram = program !== null

  async function byProgram(words: readonly string[], variety: Variety, signal?: AbortSignal): Promise<readonly string[] | null> {
    if (!hasProgram || program === null) return null
    const voice = ESPEAK_VOICES[variety]
    try {
      const spoken = await phonemizeWords({ program, voice, tie: TIE, parts: words, clock, ...(signal && { signal }) })
      return spoken.map((ipa) => toKokoroSymbols(ipa, variety))
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'MODEL_NOT_INSTALLED') throw error
      hasProgram = false
      return null
    }
  }
  async function byNetwork(words: readonly string[], variety: Variety, signal?: AbortSignal): Promise<readonly string[]> {
    const opening = networks.get(variety) ?? openNetwork(NETWORKS[variety], open)
    networks.set(variety, opening)
    opening.catch(() => networks.delete(variety))
    const network = await opening
    const spoken: string[] = []
    for (const word of words) {
      signal?.throwIfAborted()
      spoken.push(await network.of(word))
    }
    return spoken
  }

  return {
    async find(words, variety, signal) {
      const keyOf = (word: string) => `${variety} ${word}`
      // The program would name each letter of a word in another script, which the voice says it leaves out.
      const known = (word: string) =>
        foreignWords(word, SCRIPTS) > 0 ? '' : (SPELLINGS.find(([pattern]) => pattern.test(word))?.[1] ?? kept.get(keyOf(word)))
      const missing = words.filter((word) => known(word) === undefined)
      const spoken = new Map<string, string>()
      const ask = async (asked: readonly string[], isForProgram: boolean) => {
        if (asked.length === 0) return
        const answers = (isForProgram ? await byProgram(asked, variety, signal) : null) ?? (await byNetwork(asked, variety, signal))
        for (const [at, word] of asked.entries()) spoken.set(word, answers[at] ?? '')
      }
      await ask(
        missing.filter((word) => word.length <= LONGEST_WORD),
        true,
      )
      await ask(
        missing.filter((word) => word.length > LONGEST_WORD),
        false,
      )
      const found = new Map(words.map((word) => [word, known(word) ?? spoken.get(word) ?? '']))
      if (kept.size + missing.length > MAX_KEPT) kept.clear()
      for (const [word, symbols] of found) kept.set(keyOf(word), symbols)
      return found
    },
    async close() {
      const open = [...networks.values()]
      networks.clear()
      kept.clear()
      for (const opening of open) await opening.then(({ graph }) => graph.close()).catch(() => {})
    },
  }
}
export type UnknownDeps = { readonly clock: Clock; readonly open?: GraphFactory; readonly program?: string | null }

async function openNetwork(name: string, open: GraphFactory): Promise<Network> {
  const json: unknown = JSON.parse((await readEnglishAsset(`${name}.json`)).toString())
  const { in: letters, out: symbols, maxlen } = Alphabets.parse(json)
  const numbers = new Map(letters.map((letter, at) => [letter, at + 1]))
  const graph = await open(englishAsset(`${name}.onnx`), { device: 'cpu', threads: 1, contract: UNKNOWN_CONTRACT })
  return {
    graph,
    async of(word) {
      const ids = [...word].flatMap((letter) => numbers.get(letter) ?? [])
      const spoken: string[] = []
      for (let from = 0; from < ids.length; from += maxlen) {
        const part = ids.slice(from, from + maxlen)
        const { ids: found } = await graph.run({ chars: longs(part, [1, part.length]) })
        spoken.push(collapsed(Array.from(found?.values ?? [], Number), symbols))
      }
      return spoken.join('')
    },
  }
}

/** One symbol for each run of equal numbers from 1 on; 0 is none. */
const collapsed = (numbers: readonly number[], symbols: readonly string[]): string =>
  numbers.map((number, at) => (number === numbers[at - 1] ? '' : (symbols[number - 1] ?? ''))).join('')
