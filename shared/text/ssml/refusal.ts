/** SSML that is not read. The message says why, and what to do. */
export class SsmlRefusal extends Error {
  override readonly name = 'SsmlRefusal'
}
