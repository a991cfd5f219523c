// The words for what is missing: models by the work that they make possible.

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
}
