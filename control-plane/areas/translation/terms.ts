/** How a term is translated. `source` equal to `target`: the term stays as it is. */
export type Term = { readonly source: string; readonly target: string; readonly note: string }
/** What a dub has stored about itself. */
export type KnownDub = {
  readonly projectId: string
  readonly sourceLanguage: string | null
  /** By id. `start` and `end` in seconds of the film. */
  readonly segments: ReadonlyMap<string, { readonly start: number; readonly end: number; readonly text: string }>
}
