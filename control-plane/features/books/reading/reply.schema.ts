// The output of the child process: one JSON value a line. The parent trusts nothing of it.
import { z } from 'zod'
import { PICTURE_CHARS } from './markup/picture.ts'

/** Everything that a child may write, in bytes: a text and a picture. */
export const OUTPUT_BYTES = 28 * 1024 * 1024
const Line = z.string().max(300)
const Name = z.string().max(1000)

export const BookLine = z.discriminatedUnion('type', [
  /** Everything that the child needs is loaded. */
  z.strictObject({ type: z.literal('started') }),
  z.strictObject({
    type: z.literal('about'),
    title: Line.nullable(),
    author: Line.nullable(),
    language: Line.nullable(),
    cover: Name.nullable(),
  }),
  /** The cover, of a file that is no archive. */
  z.strictObject({ type: z.literal('picture'), base64: z.string().max(PICTURE_CHARS) }),
  z.strictObject({ type: z.literal('chapter'), title: Line, text: z.string(), included: z.boolean(), why: Line.nullable() }),
  z.strictObject({ type: z.literal('skipped'), title: Line, why: Line, place: Line.exactOptional() }),
  z.strictObject({ type: z.literal('notice'), text: Line }),
  /** The file cannot be read. */
  z.strictObject({ type: z.literal('refused'), why: Line }),
  /** The end of a complete reply. */
  z.strictObject({ type: z.literal('end') }),
])
export type BookLine = z.output<typeof BookLine>

/** The index of an unpacked archive: names in the archive and the files that contain them. */
export const ArchiveIndex = z.array(z.tuple([z.string(), z.string()]))
