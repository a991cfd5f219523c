// Notices that several engines put into a result.

/** The notice of an engine that does not support a prompt. */
export const promptNotice = (engine: string, prompt: string | null): string[] =>
  prompt === null || prompt.trim() === '' ? [] : [`${engine} does not support a prompt.`]
