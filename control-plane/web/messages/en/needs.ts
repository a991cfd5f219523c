// The words for what is missing: models by the work that they make possible, and what to do after a failure that the studio explains to programs.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'Natural speech needs',
    cloning: 'Speaking in your voices needs',
    description: 'Voices from a description need',
    recognition: 'Recognising words needs',
    dictation: 'Dictation needs',
    speakers: 'Telling speakers apart needs',
    background: 'Keeping music and noise without the old voices needs',
    translation: 'Translating needs',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'A model for natural speech is not installed yet.',
    cloning: 'A model that speaks in your voices is not installed yet.',
    description: 'A model that makes voices from a description is not installed yet.',
    recognition: 'A model that recognises words is not installed yet.',
    dictation: 'A model for dictation is not installed yet.',
    speakers: 'A model that tells speakers apart is not installed yet.',
    background: 'A model that separates voices from music and noise is not installed yet.',
    translation: 'A model for this translation is not installed yet.',
  },
  fits: 'fits',
  tight: 'tight',
  label: (work: string, model: string) => `${work} ${model}`,
  install: 'Install',
  installOf: (model: string) => `Install ${model}`,
  cancelOf: (model: string) => `Cancel the download of ${model}`,
  waiting: 'waiting for another download',
  progressOf: (model: string) => `Download of ${model}`,
  progress: (done: string, total: string) => `${done} of ${total}`,
  failed: 'The download failed.',
  askOwner: 'The owner of this studio can install it.',
  byHand: 'This one is added by hand; it is not among the models that can be downloaded.',
  /** The way out of a failure, in place of the hint for programs. */
  hints: {
    NO_CAPABLE_WORKER: 'No machine that may be used can do this now. The Machines page shows the state of each.',
    CONSENT_MISSING: 'The machine is not approved. Approve it on the Machines page first.',
    MODEL_NOT_FOUND: 'There is no engine of this name. Choose another one.',
    METHOD_NOT_ALLOWED: 'This page and the studio differ. Reload the page.',
    UNAUTHORIZED: 'Sign in again.',
    WORKER_REVOKED: 'This machine was removed from the studio. Join again with a new code.',
    BODY_TOO_LARGE: 'It is too large. Send a smaller file or less text.',
    HEADERS_TOO_LARGE: 'Clear the cookies of this address in the browser.',
    VIDEO_FETCH_FAILED: 'Videos of this page could not be read. Update the media tools in the settings, or upload a recording.',
    IDEMPOTENCY_CONFLICT: 'Try again.',
    MODEL_REF_REJECTED: 'The server of models does not have this one. Choose another server in the settings, or another model.',
  } as Readonly<Record<string, string>>,
}
