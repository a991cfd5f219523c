// Names of our packages in the registry of npm: the only place that has them.

/** False until a release has published the packages. Before that the names belong to nobody, so no text may tell a person to install them. */
export const PUBLISHED = false
export const PACKAGES = {
  /** The whole program. */
  studio: 'voice-studio',
  /** The program of lenders: the agent and its commands. */
  agent: 'voice-studio-agent',
  /** The start of the names of the native parts, one package for each kind of machine: `@voice-studio/native-linux-x64`. */
  native: '@voice-studio/native',
} as const
/** Version of the native packages. It rises when one of their binaries changes (tools/release/natives.ts). */
export const NATIVE_VERSION = '1.30.0'
/** Address of the public repository for the manifests; null until there is one. */
export const REPOSITORY: string | null = null
