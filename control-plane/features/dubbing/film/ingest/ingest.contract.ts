import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const BODY_BYTES = 2 * 1024 * 1024
const Languages = z
  .array(z.string().regex(/^[A-Za-z0-9-]{1,32}$/, 'must be a language code'))
  .min(1)
  .max(20)

export const dubIngestContracts = {
  ingest: contract({
    id: 'dubbing.ingestUrl',
    method: 'POST',
    path: '/dub/ingest-url',
    access: 'consume',
    summary:
      'Starts a dub of a film or recording on the Internet, of a media file or of a page that yt-dlp reads. The events of its preparation follow at /tasks/stream/{task_id}.',
    body: z.strictObject({
      url: z.string().max(8_192),
      job_id: z.string().max(1_000).nullish(),
      /** True to fetch the subtitles that the page offers. */
      fetch_subs: z.boolean().default(false),
      sub_langs: Languages.nullish(),
      /** The text of an exported file of cookies in the format of Netscape. */
      cookie_file: z.string().max(BODY_BYTES).nullish(),
    }),
    bodyBytes: BODY_BYTES,
    status: 202,
    reply: z.object({ job_id: z.string(), task_id: z.string(), filename: z.string() }).meta({ id: 'DubIngested' }),
  }),
}
