// Options that several commands have.

export const YES = ['--yes', 'For remove: do not ask'] as const
export const FORCE = ['--force', 'Replace the file if it exists'] as const
