export type SpeechApi = {
  /** The model names that can speak now. */
  readonly models: () => string[]
}
