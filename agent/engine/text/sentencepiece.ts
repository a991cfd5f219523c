// SentencePiece: reads a tokenizer.model and converts text to token ids. Supports unigram and byte-pair models. Unknown characters become
// byte tokens where the model has them, else one unknown token per run.
// Written from the published format (google/sentencepiece, sentencepiece_model.proto and normalizer.cc). User-defined pieces are matched
// greedily before all others, so results may differ from the library for texts that contain such pieces.

import { Failure } from '#shared/protocol/failure.ts'
import { trimOf } from '#shared/text/trim.ts'
import { createRewrite, type Rewrite } from './charsmap.ts'
import { readFields } from './protobuf.ts'

export type Tokenizer = { readonly encode: (text: string) => number[] }

const NORMAL = 1
const UNKNOWN = 2
const DEFINED = 4
const BYTE = 6
const BPE = 2
const MAX_BYTES = 32 * 1024 ** 2
const MAX_PIECES = 1_000_000
const MAX_PIECE_CHARACTERS = 256
const SPACE = '▁'
/** Score of an unknown character below that of the worst piece, as in the library. */
const UNKNOWN_PENALTY = 10

type Piece = { readonly id: number; readonly score: number }
type Vocabulary = {
  readonly pieces: ReadonlyMap<string, Piece>
  readonly defined: ReadonlyMap<string, number>
  /** Token id of each byte; empty when the model has no byte fallback. */
  readonly bytes: readonly number[]
  readonly unknown: number
  readonly worst: number
  readonly longest: number
}

/** `name` appears in messages. Throws MODEL_NOT_DOWNLOADED. */
export function readSentencePiece(model: Buffer, name: string): Tokenizer {
  try {
    return parse(model)
  } catch (cause) {
    const what = cause instanceof RangeError ? cause.message : 'it cannot be read'
    throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} is not a SentencePiece model (${what}). Download the model again.`, {
      cause,
    })
  }
}

function parse(model: Buffer): Tokenizer {
  if (model.length > MAX_BYTES) throw new RangeError('it is too large')
  const pieces = new Map<string, Piece>()
  const defined = new Map<string, number>()
  const bytes: number[] = []
  let [unknown, id, worst, longest, kind, fallsBack] = [-1, 0, 0, 1, 1, false]
  let table: Buffer = Buffer.alloc(0)
  let [prefix, squeezes, escapes] = [true, true, true]
  for (const { number, bytes: body } of readFields(model)) {
    if (number === 1) {
      let [text, score, type] = ['', 0, NORMAL]
      for (const field of readFields(body)) {
        if (field.number === 1) text = field.bytes.toString()
        else if (field.number === 2) score = field.value
        else if (field.number === 3) type = field.value
      }
      if (text.length > MAX_PIECE_CHARACTERS || !Number.isFinite(score)) throw new RangeError(`piece ${id} is damaged`)
      if (type === UNKNOWN) unknown = id
      else if (type === BYTE) bytes[Number.parseInt(text.slice(3, 5), 16)] = id
      else if (type === DEFINED && text !== '') defined.set(text, id)
      else if (type === NORMAL && text !== '') {
        pieces.set(text, { id, score })
        worst = Math.min(worst, score)
        longest = Math.max(longest, text.length)
      }
      if (++id > MAX_PIECES) throw new RangeError('it has too many pieces')
    } else if (number === 2) {
      for (const field of readFields(body)) {
        if (field.number === 3) kind = field.value
        else if (field.number === 35) fallsBack = field.value !== 0
      }
    } else if (number === 3) {
      for (const field of readFields(body)) {
        if (field.number === 2) table = field.bytes
        else if (field.number === 3) prefix = field.value !== 0
        else if (field.number === 4) squeezes = field.value !== 0
        else if (field.number === 5) escapes = field.value !== 0
      }
    }
  }
  if (pieces.size === 0) throw new RangeError('it has no pieces')
  if (kind !== 1 && kind !== BPE) throw new RangeError('it is neither a unigram nor a byte-pair model')
  const hasByteFallback = fallsBack && Array.from({ length: 256 }, (_, byte) => bytes[byte]).every((known) => known !== undefined)
  const vocabulary: Vocabulary = { pieces, defined, bytes: hasByteFallback ? bytes : [], unknown, worst, longest }
  const cut = kind === BPE ? mergePairs : segmentUnigram
  const normal = createNormalizer(createRewrite(table), { prefix, squeezes, escapes })
  return {
    encode(text) {
      const ids: number[] = []
      let wasUnknown = false
      for (const part of splitAtDefined(normal(text), vocabulary)) {
        for (const piece of defined.has(part) ? [part] : cut(part, vocabulary)) {
          const known = defined.get(piece) ?? pieces.get(piece)?.id
          if (known !== undefined) ids.push(known)
          else if (hasByteFallback) for (const byte of Buffer.from(piece)) ids.push(bytes[byte]!)
          else if (!wasUnknown && unknown >= 0) ids.push(unknown)
          wasUnknown = known === undefined
        }
      }
      return ids
    },
  }
}

function createNormalizer(rewrite: Rewrite, { prefix, squeezes, escapes }: { prefix: boolean; squeezes: boolean; escapes: boolean }) {
  return (text: string): string => {
    let plain = rewrite(text)
    if (squeezes) plain = trimOf(plain.replace(/ {2,}/g, ' '), ' ')
    if (plain === '') return ''
    if (prefix) plain = ` ${plain}`
    return escapes ? plain.replaceAll(' ', SPACE) : plain
  }
}

/** Splits a text at user-defined pieces and keeps them. */
function* splitAtDefined(text: string, { defined }: Vocabulary): Generator<string> {
  if (defined.size === 0) {
    if (text !== '') yield text
    return
  }
  const escaped = [...defined.keys()].sort((left, right) => right.length - left.length)
  const pattern = new RegExp(`(${escaped.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'u')
  for (const part of text.split(pattern)) if (part !== '') yield part
}

/** Unigram: the segmentation with the best sum of scores. */
function segmentUnigram(text: string, { pieces, worst, longest }: Vocabulary): string[] {
  const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY)
  const from = new Int32Array(text.length + 1)
  best[0] = 0
  for (let at = 0; at < text.length; at++) {
    if (best[at] === Number.NEGATIVE_INFINITY) continue // within a character
    const width = text.codePointAt(at)! > 0xffff ? 2 : 1
    for (let length = 1; length <= longest && at + length <= text.length; length++) {
      const known = pieces.get(text.slice(at, at + length))
      const score = known?.score ?? (length === width ? worst - UNKNOWN_PENALTY : Number.NEGATIVE_INFINITY)
      if (best[at]! + score > best[at + length]!) {
        best[at + length] = best[at]! + score
        from[at + length] = at
      }
    }
    // A character of two code units where every piece has one.
    if (width > longest && best[at]! + worst - UNKNOWN_PENALTY > best[at + width]!) {
      best[at + width] = best[at]! + worst - UNKNOWN_PENALTY
      from[at + width] = at
    }
  }
  const cut: string[] = []
  for (let at = text.length; at > 0; at = from[at]!) cut.push(text.slice(from[at]!, at))
  return cut.reverse()
}

/** Byte-pair: joins the adjacent pair with the best score, leftmost first, until no pair is a piece. */
function mergePairs(text: string, { pieces }: Vocabulary): string[] {
  const parts = [...text]
  for (;;) {
    let best = Number.NEGATIVE_INFINITY
    let where = -1
    for (let at = 0; at + 1 < parts.length; at++) {
      const score = pieces.get(parts[at]! + parts[at + 1]!)?.score ?? Number.NEGATIVE_INFINITY
      if (score > best) {
        best = score
        where = at
      }
    }
    if (where < 0) return parts
    parts.splice(where, 2, parts[where]! + parts[where + 1]!)
  }
}
