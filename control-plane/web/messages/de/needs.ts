// The words for what is missing, in German: models by the work that they make possible.

export const strings = {
  /** Before the name of the model. */
  needs: {
    speech: 'Für natürliche Sprache nötig:',
    cloning: 'Zum Sprechen mit Ihren Stimmen nötig:',
    description: 'Für Stimmen aus einer Beschreibung nötig:',
    recognition: 'Zum Erkennen von Wörtern nötig:',
    dictation: 'Zum Diktieren nötig:',
    speakers: 'Zum Unterscheiden von Personen nötig:',
    background: 'Für Musik und Geräusche ohne die alten Stimmen nötig:',
    translation: 'Zum Übersetzen nötig:',
  },
  /** The same as a whole sentence, where no button follows. */
  missing: {
    speech: 'Ein Modell für natürliche Sprache ist noch nicht installiert.',
    cloning: 'Ein Modell, das mit Ihren Stimmen spricht, ist noch nicht installiert.',
    description: 'Ein Modell, das Stimmen aus einer Beschreibung erzeugt, ist noch nicht installiert.',
    recognition: 'Ein Modell, das Wörter erkennt, ist noch nicht installiert.',
    dictation: 'Ein Modell zum Diktieren ist noch nicht installiert.',
    speakers: 'Ein Modell, das Personen unterscheidet, ist noch nicht installiert.',
    background: 'Ein Modell, das Stimmen von Musik und Geräuschen trennt, ist noch nicht installiert.',
    translation: 'Ein Modell für diese Übersetzung ist noch nicht installiert.',
  },
  fits: 'passt',
  tight: 'knapp',
  label: (work: string, model: string) => `${work} ${model}`,
  install: 'Installieren',
  installOf: (model: string) => `${model} installieren`,
  cancelOf: (model: string) => `Download von ${model} abbrechen`,
  waiting: 'wartet auf einen anderen Download',
  progressOf: (model: string) => `Download von ${model}`,
  progress: (done: string, total: string) => `${done} von ${total}`,
  failed: 'Der Download ist fehlgeschlagen.',
  askOwner: 'Wer dieses Studio betreibt, kann es installieren.',
}
