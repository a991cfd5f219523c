// Sentences that several engines put into the notices of a result: what was requested and not done.

/** Of an engine that does not support a prompt. */
export const promptNotice = (engine: string, prompt: string | null): string[] =>
  prompt === null || prompt.trim() === '' ? [] : [`${engine} does not listen to the prompt.`]
