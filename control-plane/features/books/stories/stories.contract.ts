import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

/** A text of any reasonable length: the service refuses or replaces unknown values. */
const Choice = z.string().max(1_000)

export const storiesContracts = {
  encode: contract({
    id: 'longform.encodeStory',
    method: 'POST',
    path: '/stories/encode',
    access: 'consume',
    summary: 'Converts a WAV file to MP3, M4B or Ogg, without a provenance mark. A bitrate that is not like 96k or 192k becomes 192k.',
    body: z.strictObject({ format: Choice.optional(), bitrate: Choice.optional() }).meta({ id: 'StoryEncodeRequest' }),
    form: ['file'],
    spooled: true,
    media: ['audio/mpeg', 'audio/mp4', 'audio/ogg'],
  }),
}
