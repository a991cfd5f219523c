// Writes small SentencePiece models: pieces, type, and normaliser.

export const NORMAL = 1
export const UNKNOWN = 2
export const CONTROL = 3
export const DEFINED = 4
export const BYTE = 6
export type PlantedPiece = readonly [text: string, score: number, type?: number]

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) | 0x80)
  }
}
const whole = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])
const bytes = (field: number, value: Uint8Array) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
const float = (field: number, value: number) => {
  const four = Buffer.alloc(4)
  four.writeFloatLE(value)
  return Buffer.concat([varint(field * 8 + 5), four])
}

export type PlantedModel = {
  readonly pieces: readonly PlantedPiece[]
  readonly isBpe?: boolean
  readonly fallsBack?: boolean
  readonly prefix?: boolean
  readonly squeezes?: boolean
  readonly table?: Uint8Array
}

export function sentencePieceModel({
  pieces,
  isBpe = false,
  fallsBack = false,
  prefix = true,
  squeezes = true,
  table,
}: PlantedModel): Buffer {
  const trainer = Buffer.concat([whole(3, isBpe ? 2 : 1), whole(35, fallsBack ? 1 : 0)])
  const normalizer = Buffer.concat([
    bytes(1, Buffer.from(table ? 'nmt_nfkc' : 'identity')),
    ...(table ? [bytes(2, table)] : []),
    whole(3, prefix ? 1 : 0),
    whole(4, squeezes ? 1 : 0),
    whole(5, 1),
  ])
  return Buffer.concat([
    ...pieces.map(([text, score, type = NORMAL]) =>
      bytes(1, Buffer.concat([bytes(1, Buffer.from(text)), float(2, score), whole(3, type)])),
    ),
    bytes(2, trainer),
    bytes(3, normalizer),
  ])
}

/** A table that rewrites one character of three bytes; the trie is written by hand. */
export function charsTable(from: string, to: string): Buffer {
  const key = Buffer.from(from)
  const units = new Uint32Array(2048)
  const unit = (offset: number, label: number, hasLeaf = false) => ((offset << 10) | (hasLeaf ? 0x100 : 0) | label) >>> 0
  units[0] = unit(0x100, 0)
  let node = 0x100
  for (const [at, byte] of key.entries()) {
    node ^= byte
    const next = 0x200 + at * 0x100
    units[node] = unit(node ^ next, byte, at === key.length - 1)
    node = next
  }
  units[node] = 0x8000_0000
  const size = Buffer.alloc(4)
  size.writeUInt32LE(units.byteLength)
  return Buffer.concat([size, Buffer.from(units.buffer), Buffer.from(`${to}\0`)])
}

/** One token per ASCII character, `▁` for a space. */
export const asciiTokenizer = (): Buffer =>
  sentencePieceModel({
    pieces: [['<unk>', 0, UNKNOWN], ['▁', -1], ...Array.from({ length: 94 }, (_, at): PlantedPiece => [String.fromCharCode(33 + at), -1])],
  })
