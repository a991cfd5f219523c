export type RecognitionApi = {
  /** The model names that a transcription can use now. */
  readonly models: () => string[]
}
