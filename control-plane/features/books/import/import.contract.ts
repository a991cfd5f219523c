import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { NOTES } from '../reading/chapters/notes-setting.ts'

export const importContracts = {
  importBook: contract({
    id: 'longform.importBook',
    method: 'POST',
    path: '/audiobook/import',
    access: 'consume',
    summary:
      'Returns a book (.epub, .pdf, .docx, .odt, .fb2, .fb2.zip, .rtf, .html, .md, .txt) as a manuscript with chapters. The content decides more than the name; text of an unknown kind is read as plain text. At most 64 MB; protected books, scans and other formats are refused with the way out.',
    body: z.strictObject({
      /** Ours. omit: footnotes are not read. inline: after the paragraph with their mark. end: at the end of the chapter. Default: the setting. */
      notes: z.enum(NOTES).exactOptional(),
    }),
    form: ['file'],
    spooled: true,
    reply: z
      .object({
        text: z.string(),
        chapters: z.int(),
        /** From here on our own fields; null if the file does not say it. */
        title: z.string().nullable(),
        author: z.string().nullable(),
        language: z.string().nullable(),
        /** Usable as `cover_path`. */
        cover: z.string().nullable(),
        /** The chapters of the plan. `why`: reason why one is switched off; null without one. */
        parts: z.array(z.object({ title: z.string(), included: z.boolean(), why: z.string().nullable() })),
        /**
         * Parts that are not read: chapters that are switched off in the text (`# [skip]`), and what is not in it. `place`: document and first
         * words; absent where the title says enough.
         */
        skipped: z.array(z.object({ title: z.string(), why: z.string(), place: z.string().exactOptional() })),
        notices: z.array(z.string()),
      })
      .meta({ id: 'BookImported' }),
  }),
  keepCover: contract({
    id: 'longform.keepCover',
    method: 'POST',
    path: '/audiobook/cover',
    access: 'consume',
    summary: 'Stores a cover (JPEG or PNG, at most 8 MB and 16 megapixels) and returns its path, for use as cover_path.',
    body: z.strictObject({}),
    form: ['cover'],
    spooled: true,
    reply: z.object({ path: z.string() }).meta({ id: 'CoverKept' }),
  }),
  readCover: contract({
    id: 'longform.readKeptCover',
    method: 'GET',
    path: '/audiobook/covers/{name}',
    access: 'consume',
    summary: 'The picture of a cover that was imported or stored. `name`: the last part of its path.',
    extension: true,
    params: z.strictObject({ name: z.string().min(1).max(64) }),
    media: ['image/jpeg', 'image/png'],
  }),
}
