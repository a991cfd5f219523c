// The words for what is missing, in Spanish: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'Para una voz natural hace falta',
    cloning: 'Para hablar con tus voces hace falta',
    description: 'Para crear voces a partir de una descripción hace falta',
    recognition: 'Para reconocer palabras hace falta',
    dictation: 'Para dictar hace falta',
    speakers: 'Para distinguir hablantes hace falta',
    background: 'Para conservar la música y el ruido sin las voces originales hace falta',
    translation: 'Para traducir hace falta',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'Aún no está instalado un modelo de voz natural.',
    cloning: 'Aún no está instalado un modelo que hable con tus voces.',
    description: 'Aún no está instalado un modelo que cree voces a partir de una descripción.',
    recognition: 'Aún no está instalado un modelo que reconozca palabras.',
    dictation: 'Aún no está instalado un modelo para dictar.',
    speakers: 'Aún no está instalado un modelo que distinga hablantes.',
    background: 'Aún no está instalado un modelo que separe las voces de la música y el ruido.',
    translation: 'Aún no está instalado un modelo para esta traducción.',
  },
  fits: 'cabe',
  tight: 'cabe justo',
  label: (work: string, model: string) => `${work} ${model}`,
  install: 'Instalar',
  installOf: (model: string) => `Instalar ${model}`,
  cancelOf: (model: string) => `Cancelar la descarga de ${model}`,
  waiting: 'esperando otra descarga',
  progressOf: (model: string) => `Descarga de ${model}`,
  progress: (done: string, total: string) => `${done} de ${total}`,
  failed: 'La descarga ha fallado.',
  askOwner: 'Puede instalarlo quien administra este estudio.',
}
