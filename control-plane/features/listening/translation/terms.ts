/** Translation of a term. `source` equal to `target`: the term is not translated. */
export type Term = { readonly source: string; readonly target: string; readonly note: string }
/** Source of the dubs, for areas that open later than this one. */
export type DubSource = {
  /** Null for an unknown dub. */
  readonly dubOf: (jobId: string) => KnownDub | null
  /** The newest lines that were spoken in a language, oldest first; lengths in microseconds. */
  readonly spokenTexts: (language: string, limit: number) => readonly { readonly text: string; readonly lengthUs: number }[]
}
/** Stored facts about a dub. */
export type KnownDub = {
  readonly projectId: string
  readonly sourceLanguage: string | null
  /** By id. `start` and `end` in seconds of the film. */
  readonly segments: ReadonlyMap<string, { readonly start: number; readonly end: number; readonly text: string }>
}
