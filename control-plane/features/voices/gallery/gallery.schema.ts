// The requests and answers of the gallery. Moments are epoch seconds.
import { z } from 'zod'

/** Without control characters, which have no place in a label. */
const label = (chars: number) =>
  z
    .string()
    .max(chars)
    .refine((text) => !/[\x00-\x1f\x7f]/.test(text), 'must not contain control characters')
    .transform((text) => text.trim())
export const clipName = label(200).refine((text) => text !== '', 'must not be blank')
export const category = label(64)
  .default('import')
  .transform((text) => text || 'import')
export const description = z
  .string()
  .max(4096)
  .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
export const character = label(200)
export const MAX_TAGS = 32
export const MAX_DELETED = 1000

export const GalleryClip = z
  .object({
    id: z.string(),
    name: z.string(),
    character: z.string(),
    category: z.string(),
    source_type: z.enum(['youtube', 'upload']),
    source_url: z.string().nullable(),
    audio_path: z.string(),
    duration: z.number(),
    description: z.string(),
    thumbnail: z.string().nullable(),
    tags: z.array(z.string()),
    is_favorite: z.union([z.literal(0), z.literal(1)]),
    created_at: z.number(),
    // Extension: 1 if only this machine may use the recording.
    stays_here: z.union([z.literal(0), z.literal(1)]),
  })
  .meta({ id: 'GalleryClip' })
export type GalleryClip = z.output<typeof GalleryClip>

/** null means the same as an absent field. */
const maybe = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? undefined)
export const ClipChanges = z
  .strictObject({
    name: maybe(clipName),
    tags: maybe(z.array(label(64)).max(MAX_TAGS)),
    is_favorite: maybe(z.union([z.boolean(), z.literal(0), z.literal(1)])),
    description: maybe(description),
  })
  .meta({ id: 'GalleryClipChanges' })
export type ClipChanges = z.output<typeof ClipChanges>

export const UploadForm = z
  .strictObject({ name: clipName, character: character.default(''), category, description: description.default('') })
  .meta({ id: 'GalleryUpload' })
export type UploadForm = z.output<typeof UploadForm>

export const VideoResult = z
  .object({ title: z.string(), video_id: z.string(), duration: z.string().nullable(), thumbnail: z.string().nullable() })
  .meta({ id: 'VideoResult' })
export type VideoResult = z.output<typeof VideoResult>
