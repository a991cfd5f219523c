// The headers of requests that routes read, and of responses that they send, for the description of the API.
type Header = { readonly description: string; readonly schema: Readonly<Record<string, unknown>> }
const text = { type: 'string', maxLength: 1000 }
const count = { type: 'integer', minimum: 0 }

export const REQUEST_HEADERS = {
  'idempotency-key': {
    description: 'Repeated requests with the same key and body are one task, and have one answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  prefer: {
    description: 'respond-async: the answer is 202 with the id of a job that outlives the request.',
    schema: { type: 'string', examples: ['respond-async'] },
  },
  'last-event-id': { description: 'The id of the last event that the client has read: the stream continues after it.', schema: text },
  range: { description: 'The bytes to send, such as bytes=0-1023. The answer is 206, or 416 for bytes beyond the end.', schema: text },
  'if-none-match': { description: 'The ETag that the client has. The answer is 304 if the content is the same.', schema: text },
  'accept-encoding': { description: 'gzip or br: the content is sent compressed.', schema: text },
  'accept-language': {
    description: 'Languages by preference, such as de-AT,de;q=0.9: the page has the first that it is written in.',
    schema: text,
  },
  'x-svc-client-id': { description: 'A name of the client, for its voice bindings.', schema: { type: 'string', maxLength: 64 } },
  'x-svc-path-authorization': { description: 'The authorization to write to a folder outside the studio.', schema: text },
} as const satisfies Readonly<Record<string, Header>>
export type RequestHeader = keyof typeof REQUEST_HEADERS

export const RESPONSE_HEADERS = {
  'x-request-id': {
    description: 'The id of the request, which the log of the studio has, too.',
    schema: { type: 'string', pattern: '^req_[0-9a-f]{24}$' },
  },
  'x-svc-ignored-fields': { description: 'Fields of the request that the route does not know.', schema: text },
  'x-svc-routing': { description: 'How the answer differs from the request, such as fallback.', schema: text },
  'x-svc-routing-reason': { description: 'The reason, as a sentence.', schema: text },
  'x-svc-notice': { description: 'What the client should know about the answer, as sentences.', schema: text },
  'x-svc-needs': {
    description: 'Work that was left out for want of a model, an equals sign, and the id of the model that would make it possible.',
    schema: text,
  },
  'x-svc-voice': { description: 'Id of the profile, or of the voice of the engine, that speaks.', schema: text },
  'x-svc-dropped-chunks': { description: 'Parts of the text that the engine could not speak.', schema: count },
  'x-svc-dropped-text': { description: 'The text of these parts.', schema: text },
  'x-svc-preview-source': { description: 'Where the sound of a preview comes from.', schema: text },
  'x-audio-sample-rate': { description: 'Hz of PCM, which has no header of its own.', schema: count },
  'x-sample-rate': { description: 'Hz of the samples.', schema: count },
  'x-audio-duration': { description: 'Seconds of sound.', schema: { type: 'number', minimum: 0 } },
  'x-audio-id': { description: 'Id of the take in the history.', schema: text },
  'x-audio-path': { description: 'Name of the file under /audio.', schema: text },
  'x-gen-time': { description: 'Seconds that the generation took.', schema: { type: 'number', minimum: 0 } },
  'x-clean-filename': { description: 'Name of the cleaned file.', schema: text },
  'x-clean-conversion': {
    description: 'fallback: noise could not be removed, and the file is the recording as it was sent.',
    schema: text,
  },
  'x-dub-export-warning': { description: 'What the export lacks.', schema: text },
  'x-seed': { description: 'The seed of the first part.', schema: text },
} as const satisfies Readonly<Record<string, Header>>
export type ResponseHeader = keyof typeof RESPONSE_HEADERS

/** Every response has these, where they apply. */
export const USUAL_HEADERS: readonly ResponseHeader[] = ['x-request-id', 'x-svc-ignored-fields']
/** Headers of responses whose content an engine made. */
export const NOTICE_HEADERS: readonly ResponseHeader[] = ['x-svc-routing', 'x-svc-routing-reason', 'x-svc-notice', 'x-svc-needs']
