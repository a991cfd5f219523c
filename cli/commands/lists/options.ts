// Options that several commands have.

export const JSON_OPTION = ['--json', 'Print JSON'] as const
export const FORCE = ['--force', 'Replace the file if it exists'] as const
export const QUIET_OPTION = ['--quiet', 'Show no progress and no notices'] as const
