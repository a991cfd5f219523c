// Files under their SHA-256, shared by everything that keeps bytes: results and inputs of tasks, takes, previews, jobs. A file appears
// whole and durable or not at all. There may be files that no row names (a crash between file and commit); the sweep asks every namer
// and removes those that none of them needs. Each body passes test/conformance/artifacts.

/** Returns those of `digests` that must be kept. At most 1,000 digests are asked about at once. */
export type ArtifactNamer = (digests: readonly string[]) => Promise<ReadonlySet<string>>
/** A file is moved: it is gone afterwards, and stays only where keeping it failed. */
export type ArtifactSource = { readonly file: string } | { readonly chunks: Iterable<Uint8Array> }

export type Artifacts = {
  /**
   * Makes `source` durable under its digest. Rejects with DIGEST_MISMATCH if the bytes have another one, unless they are in a file that is
   * only renamed; with the error of the disk; with STORAGE_UNAVAILABLE or STORAGE_FULL where the store is on another machine.
   */
  readonly keep: (digest: string, source: ArtifactSource) => Promise<void>
  /**
   * Keeps an existing file for at least an hour from now, so that a row may name it meanwhile. False if there is none of this size; then it
   * must be kept again.
   */
  readonly renew: (digest: string, bytes: number) => Promise<boolean>
  /** `to` is the last byte. Throws an error with the code ENOENT for a digest without a file, when the first bytes are asked for. */
  readonly read: (digest: string, from?: number, to?: number) => AsyncIterable<Buffer>
  /** Nothing happens for a digest without a file. */
  readonly remove: (digest: string) => Promise<void>
  /** Registers a store that refers to artifacts. Every store that does must be registered before the first sweep. */
  readonly addNamer: (namer: ArtifactNamer) => void
  /**
   * Removes the files from before `from` that no namer needs (epoch ms), and those from after `to`, which were written before the clock was
   * set back; resolves with their number. Without a namer it keeps all.
   */
  readonly sweep: (from: number, to?: number) => Promise<number>
  /** The path of the bytes, or their address without credentials, for people. No program opens it. */
  readonly addressOf: (digest: string) => string
}
/** Artifacts in a folder of this machine. Only features of the library take this type; the core works with any store. */
export type LocalArtifacts = Artifacts & {
  /** For programs that read files, such as ffmpeg. */
  readonly pathOf: (digest: string) => string
}
