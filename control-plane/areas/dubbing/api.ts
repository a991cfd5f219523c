export type DubbingApi = {
  /** The number of dubs in the history. */
  readonly count: () => number
}
